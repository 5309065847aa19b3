// Long text in the columns of a terminal.

import { widthOf } from "@loopwright/terminal";

/** Lines of at most so many columns, broken between words; line breaks of the text stay. */
export function wrap(text: string, width: number): string[] {
  return text.split("\n").flatMap((line) => wrapLine(line, Math.max(10, width)));
}

function wrapLine(line: string, width: number): string[] {
  const lines: string[] = [];
  let current = "";
  for (const word of line.split(" ")) {
    if (current === "") current = word;
    else if (widthOf(current) + 1 + widthOf(word) <= width) current += ` ${word}`;
    else {
      lines.push(current);
      current = word;
    }
  }
  return [...lines, current];
}

/** A text in quotation marks, indented, as a judge's words are shown. */
export function quote(text: string, columns: number): string {
  const lines = wrap(text.trim(), Math.min(columns, 80) - 4);
  return lines
    .map((line, at) => `${at === 0 ? '  "' : "   "}${line}${at === lines.length - 1 ? '"' : ""}`.trimEnd())
    .join("\n");
}

/** The first line of a text, cut to a length, with a mark where something was left out. */
export function firstLine(text: string, length = 72): string {
  const line = text.trim().split("\n", 1)[0]!.trim();
  const isCut = line.length > length || line.length < text.trim().length;
  return isCut ? `${[...line].slice(0, length - 1).join("")}…` : line;
}
