// Paragraphs of a stretch that changed, laid beside those that they most likely were: in order, so that the likeness of all
// pairs together is greatest. A paragraph that was put in does not shift those after it. Pure.

import { toWords } from "../diff/words.ts";

/** An old text and what became of it; one of both is absent where one was put in, or taken out. */
export type Pair = readonly [was: string | undefined, now: string | undefined];

/** Two texts are versions of each other only where they share more than this of their words. */
const LIKE = 0.4;
/** Larger stretches are compared near their diagonal alone, so that the time stays near linear. */
const MOST_CELLS = 60_000;

/** Both sides in order, in pairs. */
export function pairTexts(olds: readonly string[], news: readonly string[]): Pair[] {
  const pairs: Pair[] = [];
  let [from, at] = [0, 0];
  for (const [a, b] of [...matchesOf(olds, news), [olds.length, news.length] as const]) {
    pairs.push(...fill(olds.slice(from, a), news.slice(at, b)));
    if (a < olds.length) pairs.push([olds[a], news[b]]);
    [from, at] = [a + 1, b + 1];
  }
  return pairs;
}

/** What lies between two pairs: as many on both sides were written anew one for one, else nothing tells which became which. */
function fill(olds: readonly string[], news: readonly string[]): Pair[] {
  if (olds.length === news.length) return olds.map((was, at): Pair => [was, news[at]]);
  return [...olds.map((was): Pair => [was, undefined]), ...news.map((now): Pair => [undefined, now])];
}

/** The places that belong together, in order. */
function matchesOf(olds: readonly string[], news: readonly string[]): [number, number][] {
  const [a, b] = [olds.map(wordSet), news.map(wordSet)];
  const width = Math.max(Math.abs(a.length - b.length) + 8, Math.floor(MOST_CELLS / Math.max(1, a.length)));
  const columns = b.length + 1;
  // The best sum of what follows each pair of places.
  const best = new Float64Array((a.length + 1) * columns);
  const likenesses = new Float64Array((a.length + 1) * columns);
  for (let i = a.length - 1; i >= 0; i--) {
    const middle = (i * b.length) / a.length;
    for (let j = b.length - 1; j >= 0; j--) {
      const cell = i * columns + j;
      const isNear = Math.abs(j - middle) <= width;
      const like = isNear ? likeness(a[i]!, b[j]!) : 0;
      likenesses[cell] = like;
      const paired = like > LIKE ? like + best[cell + columns + 1]! : 0;
      best[cell] = Math.max(paired, best[cell + columns]!, best[cell + 1]!);
    }
  }
  return walk(best, likenesses, a.length, b.length);
}

function walk(best: Float64Array, likenesses: Float64Array, rows: number, width: number): [number, number][] {
  const columns = width + 1;
  const found: [number, number][] = [];
  let [i, j] = [0, 0];
  while (i < rows && j < width) {
    const cell = i * columns + j;
    const like = likenesses[cell]!;
    if (like > LIKE && best[cell] === like + best[cell + columns + 1]!) found.push([i++, j++]);
    else if (best[cell] === best[cell + columns]) i++;
    else j++;
  }
  return found;
}

function wordSet(text: string): Set<string> {
  return new Set(toWords(text).words.filter((word) => /[\p{L}\p{N}]/u.test(word)));
}

/** How many of their words two texts share, for their lengths. */
function likeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const [short, long] = one.size <= other.size ? [one, other] : [other, one];
  let both = 0;
  for (const word of short) if (long.has(word)) both++;
  return both === 0 ? 0 : both / Math.sqrt(short.size * long.size);
}
