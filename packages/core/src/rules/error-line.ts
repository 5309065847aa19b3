// The line of a long error that says what went wrong.

const NAMED = /^(?:E\s+)?((?:[\w.]*(?:Error|Exception)|SystemExit|KeyboardInterrupt)(?: \[\w+\])?(?::.*)?)$/;
/** A first line that says nothing but that an error follows; its last one is the error. */
const HEADING = /^Traceback \(most recent call last\)/;

/** An error in one line: what was seen first, and the error that it came from where there is one. */
export function errorLine(text: string, most = 200): string {
  const [first = "", ...rest] = text.trim().split("\n");
  const said = rest.map((line) => line.trim()).filter((line) => line !== "");
  const named = said.flatMap((line) => NAMED.exec(line)?.[1] ?? []);
  if (HEADING.test(first)) return cut(named.at(-1) ?? said.at(-1) ?? first, most);
  const cause = named[0] ?? (first.endsWith(":") ? said[0] : undefined);
  if (cause === undefined || first.includes(cause)) return cut(first, most);
  return cut(`${first.replace(/:$/, "")}: ${cause}`, most);
}

function cut(line: string, most: number): string {
  return line.length <= most ? line : `${line.slice(0, most - 1).replace(/[\s,;:]+$/, "")}…`;
}
