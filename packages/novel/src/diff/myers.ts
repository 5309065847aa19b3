// The longest common subsequence of two short or similar stretches, after Myers (1986).

import type { Match, Places, Range } from "./align.ts";

/** Changes past which two stretches count as different altogether. */
const MOST_CHANGES = 200;

/** The common stretches of a range; undefined where it would take more changes than can be told apart quickly. */
export function matchExactly(a: Int32Array, b: Int32Array, range: Range, { inA, inB }: Places): Match[] | undefined {
  const { aFrom, aTo, bFrom, bTo } = range;
  for (let at = aFrom; at < aTo; at++) inA[a[at]!] = 1;
  for (let at = bFrom; at < bTo; at++) inB[b[at]!] = 1;
  // What only one side has is changed in any case: without it both are shorter, and their common part is the same.
  const left = positions(a, aFrom, aTo, inB);
  const right = positions(b, bFrom, bTo, inA);
  for (let at = aFrom; at < aTo; at++) inA[a[at]!] = 0;
  for (let at = bFrom; at < bTo; at++) inB[b[at]!] = 0;
  if (left.length === 0) return [];
  const path = shortestPath(
    Int32Array.from(left, (at) => a[at]!),
    Int32Array.from(right, (at) => b[at]!),
  );
  return path?.map(({ x, y }) => ({ a: left[x]!, b: right[y]!, length: 1 }));
}

/** Where those values stand that are marked. */
function positions(values: Int32Array, from: number, to: number, marked: Int32Array): number[] {
  const found: number[] = [];
  for (let at = from; at < to; at++) if (marked[values[at]!] !== 0) found.push(at);
  return found;
}

/** The matches of the path with the fewest changes, in order. */
function shortestPath(a: Int32Array, b: Int32Array): { x: number; y: number }[] | undefined {
  const most = Math.min(a.length + b.length, MOST_CHANGES);
  const furthest = new Int32Array(2 * most + 3);
  const middle = most + 1;
  const traces: Int32Array[] = [];
  for (let changes = 0; changes <= most; changes++) {
    traces.push(furthest.slice(middle - changes - 1, middle + changes + 2));
    for (let k = -changes; k <= changes; k += 2) {
      const isDown = k === -changes || (k !== changes && furthest[middle + k - 1]! < furthest[middle + k + 1]!);
      let x = isDown ? furthest[middle + k + 1]! : furthest[middle + k - 1]! + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
      furthest[middle + k] = x;
      if (x >= a.length && x - k >= b.length) return walkBack(traces, a.length, b.length);
    }
  }
  return undefined;
}

/** The matches on the way back from the end. A trace holds the furthest points before its step, from `-changes - 1` on. */
function walkBack(traces: readonly Int32Array[], aLength: number, bLength: number): { x: number; y: number }[] {
  const matches: { x: number; y: number }[] = [];
  let [x, y] = [aLength, bLength];
  for (let changes = traces.length - 1; changes >= 0; changes--) {
    const trace = traces[changes]!;
    const at = (k: number) => trace[k + changes + 1]!;
    const k = x - y;
    const isDown = k === -changes || (k !== changes && at(k - 1) < at(k + 1));
    const before = isDown ? k + 1 : k - 1;
    const startX = changes === 0 ? 0 : at(before);
    const startY = changes === 0 ? 0 : startX - before;
    while (x > startX && y > startY) matches.push({ x: --x, y: --y });
    [x, y] = [startX, startY];
  }
  return matches.reverse();
}
