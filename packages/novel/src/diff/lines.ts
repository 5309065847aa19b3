// Texts as lines, and what changed between their lines.

import { plainLines } from "../manuscript/words.ts";
import { align, type Match } from "./align.ts";

/** A stretch of lines that became another; one of both may be empty. Ends are exclusive. */
export interface Hunk {
  oldFrom: number;
  oldTo: number;
  newFrom: number;
  newTo: number;
}

/** The lines of a text; the end of the last line begins no further one. */
export function toLines(text: string): string[] {
  const lines = plainLines(text).split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** The stretches that two lists of lines, or of words, have in common. */
export function alignTexts(before: readonly string[], after: readonly string[]): Match[] {
  const numbers = new Map<string, number>();
  return align(toNumbers(before, numbers), toNumbers(after, numbers), numbers.size);
}

/** What lies between the matches of two sequences. */
export function hunksBetween(matches: readonly Match[], oldLength: number, newLength: number): Hunk[] {
  const hunks: Hunk[] = [];
  let [oldFrom, newFrom] = [0, 0];
  for (const { a, b, length } of [...matches, { a: oldLength, b: newLength, length: 0 }]) {
    if (a > oldFrom || b > newFrom) hunks.push({ oldFrom, oldTo: a, newFrom, newTo: b });
    [oldFrom, newFrom] = [a + length, b + length];
  }
  return hunks;
}

/** Each text as a number, the same one for the same text: 0, 1, 2, … */
function toNumbers(texts: readonly string[], numbers: Map<string, number>): Int32Array {
  const found = new Int32Array(texts.length);
  for (let at = 0; at < texts.length; at++) {
    const text = texts[at]!;
    let number = numbers.get(text);
    if (number === undefined) {
      number = numbers.size;
      numbers.set(text, number);
    }
    found[at] = number;
  }
  return found;
}
