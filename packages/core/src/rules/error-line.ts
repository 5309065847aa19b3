// The line of a long error that says what went wrong.

const NAMED = /^(?:E\s+)?((?:[\w.]*(?:Error|Exception)|SystemExit|KeyboardInterrupt)(?: \[\w+\])?(?::.*)?)$/;
/** A first line that says nothing but that an error follows; its last one is the error. */
const HEADING = /^Traceback \(most recent call last\)/;

/** An error in one line: what was seen first, and the error that it came from where there is one. */
export function errorLine(text: string, most = 200): string {
  const [first = "", ...rest] = text.trim().split("\n");
  const said = rest.map((line) => line.trim()).filter((line) => line !== "");
  const named = said.flatMap((line) => NAMED.exec(line)?.[1] ?? []);
  if (HEADING.test(first)) return (named.at(-1) ?? said.at(-1) ?? first).slice(0, most);
  const cause = named[0] ?? (first.endsWith(":") ? said[0] : undefined);
  if (cause === undefined || first.includes(cause)) return first.slice(0, most);
  return `${first.replace(/:$/, "")}: ${cause}`.slice(0, most);
}
