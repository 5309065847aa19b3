// What changed between two texts, word by word.

import { alignTexts, type Hunk, hunksBetween } from "./lines.ts";

/** A word or a sign; scripts that put no space between words, and pictures, sign by sign. */
const WORD =
  /\p{RGI_Emoji}|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]|(?:[\p{L}\p{N}\p{M}]|['’](?=\p{L}))+|\S/gv;

/** A text in words, and where each begins. */
export interface Words {
  text: string;
  words: string[];
  starts: number[];
}

/** A stretch of words on both sides that is the same, or not. Ends are exclusive. */
export interface Stretch extends Hunk {
  isSame: boolean;
}

/** A text's words. */
export function toWords(text: string): Words {
  const found = [...text.matchAll(WORD)];
  return { text, words: found.map(([word]) => word), starts: found.map(({ index }) => index) };
}

/** Both texts from beginning to end, in stretches that are the same or changed by turns. */
export function compareWords(old: Words, now: Words): Stretch[] {
  const matches = alignTexts(old.words, now.words);
  const changed = hunksBetween(matches, old.words.length, now.words.length).map((hunk) => ({ isSame: false, ...hunk }));
  const same = matches.map(({ a, b, length }) => ({
    ...{ isSame: true, oldFrom: a, oldTo: a + length },
    ...{ newFrom: b, newTo: b + length },
  }));
  return smooth(
    [...changed, ...same].sort((x, y) => x.oldFrom - y.oldFrom || x.newFrom - y.newFrom),
    old,
    now,
  );
}

/** How many signs a stretch of words takes up. */
export function signsBetween({ starts, words }: Words, from: number, to: number): number {
  return from === to ? 0 : starts[to - 1]! + words[to - 1]!.length - starts[from]!;
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
