// Text made fit for a terminal. What comes from a run is never trusted: control characters are taken out.

import { createRequire } from "node:module";
import { stripVTControlCharacters } from "node:util";

// The tables for that take longer to load than most commands take to run: they are loaded for the first text that needs them.
let measure: ((text: string) => number) | undefined;

/** The columns that a text takes; escape codes take none. */
export function widthOf(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  measure ??= createRequire(import.meta.url)("string-width").default as (text: string) => number;
  return measure(text);
}

/** Text of a run made fit for one line of a terminal: no control characters, no line breaks. */
export function plainLine(text: string): string {
  return stripVTControlCharacters(text)
    .replace(/\s+/g, " ")
    .replace(/[\p{Cc}\p{Bidi_Control}]/gu, "")
    .trim();
}

/** Text of several lines made fit for a terminal: its line breaks are the only control characters that stay. */
export function plainText(text: string): string {
  return stripVTControlCharacters(text).replace(/[\p{Cc}\p{Bidi_Control}]/gu, (found) => (found === "\n" ? found : ""));
}

/** Text cut to a width, with a mark where something was left out. */
export function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let kept = "";
  let used = 0;
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    used += widthOf(segment);
    if (used > width - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}

/** Text filled up with spaces to a width. */
export function pad(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - widthOf(text)));
}

/** Text broken at its spaces into lines of a width; of more lines than these the last one says that there was more. */
export function wrap(text: string, width: number, most = Number.POSITIVE_INFINITY): string[] {
  const lines: string[] = [];
  let rest = text.trim();
  while (rest !== "" && lines.length < most - 1 && widthOf(rest) > width) {
    const fitting = cut(rest, width + 1).slice(0, -1);
    const space = rest[fitting.length] === " " ? fitting.length : fitting.lastIndexOf(" ");
    const at = space > 0 ? space : Math.max(1, fitting.length);
    lines.push(rest.slice(0, at).trimEnd());
    rest = rest.slice(at).trimStart();
  }
  return rest === "" ? lines : [...lines, cut(rest, width)];
}
