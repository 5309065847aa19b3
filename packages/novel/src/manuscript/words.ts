// Words of a text, as people count them: marks, comments and rules are none.

import type { FileBlock } from "../types.ts";

/** Scripts that put no space between words: each sign counts. */
const UNSPACED =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}";
const TOKEN = new RegExp(`[${UNSPACED}]|[^\\s${UNSPACED}—–]+`, "gu");
const HAS_WORD = /[\p{L}\p{N}]/u;

/** How many words a text has. */
export function countWords(text: string): number {
  let words = 0;
  for (const token of withoutComments(text).match(TOKEN) ?? []) if (HAS_WORD.test(token)) words++;
  return words;
}

/** A text with spaces in place of its comments, every line where it was. One that is never closed is text. */
export function withoutComments(text: string): string {
  let plain = "";
  let from = 0;
  for (let open = text.indexOf("<!--"); open >= 0; open = text.indexOf("<!--", from)) {
    const close = text.indexOf("-->", open + 4);
    if (close < 0) break;
    plain += text.slice(from, open) + text.slice(open, close + 3).replace(/[^\n]/g, " ");
    from = close + 3;
  }
  return plain + text.slice(from);
}

/** A number of things in words: `1 chapter`, `12 chapters`. */
export function countOf(count: number, thing: string): string {
  return `${count.toLocaleString("en")} ${thing}${count === 1 ? "" : thing.endsWith("s") ? "es" : "s"}`;
}

/** A text on one line, cut to a length between words. */
export function shorten(text: string, longest: number): string {
  const line = text.replace(/\s+/g, " ").trim();
  if (line.length <= longest) return line;
  const cut = line.slice(0, longest).replace(/[\ud800-\udbff]$/, "");
  const space = cut.lastIndexOf(" ");
  return `${space > longest / 2 ? cut.slice(0, space) : cut}…`;
}

/** Both ends of a text on one line, cut between words. */
export function shortenInside(text: string, longest: number): string {
  const line = text.replace(/\s+/g, " ").trim();
  if (line.length <= longest) return line;
  const end = line.slice(-Math.floor(longest / 2));
  return `${shorten(line, Math.ceil(longest / 2))} ${end.slice(end.indexOf(" ") + 1)}`;
}

/** A text with line feeds alone, and without a byte order mark. */
export function plainLines(text: string): string {
  return text.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
}

/** A file with line feeds alone. */
export function plain({ path, content }: FileBlock): FileBlock {
  return { path, content: plainLines(content) };
}
