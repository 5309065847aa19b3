// Variants side by side, paragraph by paragraph, each with its number; one after the other where there is no room.

import { pad } from "@loopwright/terminal";
import { shorten } from "../../manuscript/words.ts";
import { safeText, textWidth, wrap } from "./output.ts";

const GAP = " │ ";
const NARROWEST = 24;
const WIDEST = 64;

/** Signs of a paragraph that is as it was. */
const SAME = 40;

/** The lines that show some texts beside each other; of a paragraph that stands in `current` too, only how it begins. */
export function sideBySide(texts: readonly string[], columns: number, current = ""): string[] {
  const width = Math.min(WIDEST, Math.floor((columns - GAP.length * (texts.length - 1)) / texts.length));
  const known = new Set(toParagraphs(safeText(current)));
  const told = (text: string) => (known.has(text) && text.length > SAME ? `(as it is) ${shorten(text, SAME)}` : text);
  const all = texts.map((text) => toParagraphs(safeText(text)).map(told));
  if (width < NARROWEST) return all.flatMap((paragraphs, index) => oneByOne(paragraphs, index + 1, columns));
  const head = all.map((_, index) => `Variant ${index + 1}`);
  const lines = [rowOf(head, width), rowOf(Array(all.length).fill("─".repeat(width)), width)];
  const most = Math.max(...all.map(({ length }) => length));
  for (let at = 0; at < most; at++) {
    const cells = all.map((paragraphs) =>
      paragraphs[at] === undefined ? [] : wrap(`${at + 1}. ${paragraphs[at]}`, width, { breaksWords: true }),
    );
    const rows = Math.max(...cells.map(({ length }) => length));
    for (let row = 0; row < rows; row++) {
      const shown = cells.map((cell) => cell[row] ?? "");
      lines.push(rowOf(shown, width));
    }
    lines.push("");
  }
  return lines;
}

function rowOf(cells: readonly string[], width: number): string {
  return cells
    .map((cell) => pad(cell, width))
    .join(GAP)
    .trimEnd();
}

function oneByOne(paragraphs: readonly string[], number: number, columns: number): string[] {
  const lines = paragraphs.flatMap((paragraph, at) => [...wrap(`${at + 1}. ${paragraph}`, textWidth(columns)), ""]);
  return [`Variant ${number}`, "", ...lines];
}

/** A title at the head of a text is no paragraph of it. */
function toParagraphs(text: string): string[] {
  const all = text
    .split(/\n(?:[ \t]*\n)+/)
    .map((paragraph) => paragraph.replace(/^\n+/, "").trimEnd())
    .filter((paragraph) => paragraph !== "");
  return /^# /.test(all[0] ?? "") ? all.slice(1) : all;
}
