// Anchors of an alignment: what occurs once on each side belongs together.

import type { Places, Range } from "./align.ts";

/** The same value, or run of values, on both sides. */
export interface Anchor {
  a: number;
  b: number;
}

/** Three values below this make a number that is still exact. */
const MOST_VALUES = 200_000;

/** What occurs exactly once on each side of a range, as far as the order agrees. */
export function findAnchors(a: Int32Array, b: Int32Array, range: Range, { inA, inB }: Places): Anchor[] {
  const { aFrom, aTo, bFrom, bTo } = range;
  for (let at = aFrom; at < aTo; at++) inA[a[at]!] = inA[a[at]!] === 0 ? at + 1 : -1;
  for (let at = bFrom; at < bTo; at++) inB[b[at]!] = inB[b[at]!] === 0 ? at + 1 : -1;
  const pairs: Anchor[] = [];
  for (let at = aFrom; at < aTo; at++)
    if (inA[a[at]!]! > 0 && inB[a[at]!]! > 0) pairs.push({ a: at, b: inB[a[at]!]! - 1 });
  for (let at = aFrom; at < aTo; at++) inA[a[at]!] = 0;
  for (let at = bFrom; at < bTo; at++) inB[b[at]!] = 0;
  return longestRising(pairs);
}

/** The same for runs of three values, of which there are more that occur once. */
export function findRunAnchors(
  a: Int32Array,
  b: Int32Array,
  { aFrom, aTo, bFrom, bTo }: Range,
  values: number,
): Anchor[] {
  if (values > MOST_VALUES) return [];
  const keyAt = (of: Int32Array, at: number) => (of[at]! * values + of[at + 1]!) * values + of[at + 2]!;
  const inB = new Map<number, number>();
  for (let at = bFrom; at + 2 < bTo; at++) inB.set(keyAt(b, at), inB.has(keyAt(b, at)) ? -1 : at);
  const inA = new Map<number, number>();
  for (let at = aFrom; at + 2 < aTo; at++) inA.set(keyAt(a, at), inA.has(keyAt(a, at)) ? -1 : at);
  const pairs: Anchor[] = [];
  for (const [key, at] of inA) {
    const there = inB.get(key) ?? -1;
    if (at >= 0 && there >= 0) pairs.push({ a: at, b: there });
  }
  return longestRising(pairs);
}

/** The longest run of pairs, ordered by `a`, in which `b` rises too. */
function longestRising(pairs: readonly Anchor[]): Anchor[] {
  const ends: number[] = [];
  const previous = new Int32Array(pairs.length).fill(-1);
  pairs.forEach(({ b }, at) => {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (pairs[ends[middle]!]!.b < b) low = middle + 1;
      else high = middle;
    }
    if (low > 0) previous[at] = ends[low - 1]!;
    ends[low] = at;
  });
  const run: Anchor[] = [];
  for (let at = ends.at(-1) ?? -1; at >= 0; at = previous[at]!) run.push(pairs[at]!);
  return run.reverse();
}
