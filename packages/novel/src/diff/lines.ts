// Texts as lines, and what changed between their lines.

import { diffArrays } from "diff";
import { plainLines } from "../manuscript/words.ts";

/** A stretch that is the same: where it begins on both sides, and how long it is. */
export interface Match {
  a: number;
  b: number;
  length: number;
}

/** A stretch of lines that became another; one of both may be empty. Ends are exclusive. */
export interface Hunk {
  oldFrom: number;
  oldTo: number;
  newFrom: number;
  newTo: number;
}

/** Changes past which two texts count as different altogether: the time to tell more apart grows with their square. */
const MOST_CHANGES = 1_000;

/** The lines of a text; the end of the last line begins no further one. */
export function toLines(text: string): string[] {
  const lines = plainLines(text).split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** The stretches that two lists of lines, or of words, have in common. */
export function alignTexts(before: readonly string[], after: readonly string[]): Match[] {
  const matches: Match[] = [];
  let [a, b] = [0, 0];
  const changes = diffArrays([...before], [...after], { maxEditLength: MOST_CHANGES }) ?? [];
  for (const { added, removed, value } of changes) {
    const { length } = value;
    if (!added && !removed) matches.push({ a, b, length });
    if (!added) a += length;
    if (!removed) b += length;
  }
  return matches;
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
