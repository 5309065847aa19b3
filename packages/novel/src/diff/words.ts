// What changed between two texts, word by word.

import type { Match } from "./align.ts";
import { alignTexts, hunksBetween } from "./lines.ts";

/** A word or a sign; scripts that put no space between words, and pictures, sign by sign. */
const WORD =
  /\p{RGI_Emoji}|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]|(?:[\p{L}\p{N}\p{M}]|['’](?=\p{L}))+|\S/gv;

/** A text in words: where each begins, and on which line, counted from 0. */
export interface Words {
  text: string;
  words: string[];
  starts: number[];
  lines: number[];
}

/** A stretch of words on both sides that is the same, or not. Ends are exclusive. */
export interface Stretch {
  isSame: boolean;
  oldFrom: number;
  oldTo: number;
  newFrom: number;
  newTo: number;
}

/** A text's words. */
export function toWords(text: string): Words {
  const found: Words = { text, words: [], starts: [], lines: [] };
  let line = 0;
  let lineEnd = endOfLine(text, 0);
  for (const match of text.matchAll(WORD)) {
    for (; match.index > lineEnd; line++) lineEnd = endOfLine(text, lineEnd + 1);
    found.words.push(match[0]);
    found.starts.push(match.index);
    found.lines.push(line);
  }
  return found;
}

/** Whether a word is the first of its line. */
export function isFirst({ lines }: Words, at: number): boolean {
  return lines[at] !== undefined && lines[at] !== lines[at - 1];
}

/** Both texts from beginning to end, in stretches that are the same or changed by turns. */
export function compareWords(old: Words, now: Words): Stretch[] {
  return smooth(toStretches(alignTexts(old.words, now.words), old.words.length, now.words.length), old, now);
}

/** Where a word ends. */
export function endOf({ starts, words }: Words, at: number): number {
  return starts[at]! + words[at]!.length;
}

/** How many signs a stretch of words takes up. */
export function signsBetween(words: Words, from: number, to: number): number {
  return from === to ? 0 : endOf(words, to - 1) - words.starts[from]!;
}

function toStretches(matches: readonly Match[], oldLength: number, newLength: number): Stretch[] {
  const changed = hunksBetween(matches, oldLength, newLength).map((hunk) => ({ isSame: false, ...hunk }));
  const same = matches.map(({ a, b, length }) => ({
    isSame: true,
    oldFrom: a,
    oldTo: a + length,
    newFrom: b,
    newTo: b + length,
  }));
  return [...changed, ...same].sort((x, y) => x.oldFrom - y.oldFrom || x.newFrom - y.newFrom);
}

/** Takes a small common stretch between larger changes for changed: a lone "the" amid new sentences is chance. */
function smooth(stretches: readonly Stretch[], old: Words, now: Words): Stretch[] {
  const sizes = stretches.map(({ oldFrom, oldTo, newFrom, newTo }) =>
    Math.max(signsBetween(old, oldFrom, oldTo), signsBetween(now, newFrom, newTo)),
  );
  const smoothed: Stretch[] = [];
  stretches.forEach((stretch, at) => {
    const around = Math.min(sizes[at - 1] ?? 0, sizes[at + 1] ?? 0);
    const isSame = stretch.isSame && sizes[at]! > around / 2;
    const last = smoothed.at(-1);
    if (last && last.isSame === isSame) Object.assign(last, { oldTo: stretch.oldTo, newTo: stretch.newTo });
    else smoothed.push({ ...stretch, isSame });
  });
  return smoothed;
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end < 0 ? text.length : end;
}
