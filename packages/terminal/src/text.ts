// Text made fit for a terminal. What comes from a run is never trusted: control characters are taken out.

import { stripVTControlCharacters } from "node:util";
import { widthOf } from "./width.ts";

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
