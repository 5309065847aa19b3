// The title page of a manuscript that names neither title nor author elsewhere: what it says of them. Pure.

/** A title page has few words on each line, and both stand at its top. */
const LONGEST = 80;
const MOST_LINES = 4;

/** `by Jane Austen`, in the languages whose headings are known; the name may stand on the next line. */
const BY = /^(?:by|von|par|de|por|di|door|av|przez)(?:\s+(\S.*))?$/i;
/** `(1803)` beside the name or on a line of its own. */
const YEAR = /\s*\(\d{4}\)$/;
const NAMED = /^(title|titel|titre|título|titolo|author|autor|auteur|autore):\s+(\S.*)$/i;

/** Title and author, where the first lines say both: `SALT`, `by`, `A. B.`, or `Title: Salt` and `Author: A. B.`. */
export function readTitlePage(markdown: string): { title?: string; author?: string } {
  const lines = markdown
    .split("\n")
    .map((line) => line.replace(/\\$/, "").replace(/[*_]/g, "").trim().replace(YEAR, ""))
    .filter((line) => line !== "");
  return namedLines(lines) ?? byLine(lines) ?? {};
}

function namedLines(lines: readonly string[]): { title: string; author: string } | undefined {
  const said = lines.slice(0, 2 * MOST_LINES).flatMap((line) => {
    const [, name = "", value = ""] = NAMED.exec(line) ?? [];
    return value === "" ? [] : [{ isTitle: /^t/i.test(name), value }];
  });
  const title = said.find(({ isTitle }) => isTitle)?.value;
  const author = said.find(({ isTitle }) => !isTitle)?.value;
  return title && author ? { title, author } : undefined;
}

function byLine(lines: readonly string[]): { title: string; author: string } | undefined {
  const at = lines.slice(0, MOST_LINES).findIndex((line) => BY.test(line));
  if (at < 1) return undefined;
  const title = lines.slice(0, at).join(" ");
  const author = BY.exec(lines[at]!)?.[1] ?? lines[at + 1];
  const isName = author !== undefined && author.length <= LONGEST && /^\p{Lu}/u.test(author);
  return isName && title.length <= LONGEST ? { title, author } : undefined;
}
