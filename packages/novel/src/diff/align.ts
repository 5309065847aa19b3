// Two sequences laid beside each other: which stretches of one stand in the other, in the same order.
//
// Stretches are compared exactly (Myers). One that differs too much for that is parted at what occurs once on each side
// (patience), or else at runs of three that do; without any, it counts as changed as a whole. So the time stays near
// linear, also for a text that was rewritten from end to end.

import { type Anchor, findAnchors, findRunAnchors } from "./anchors.ts";
import { matchExactly } from "./myers.ts";

/** A stretch that is the same: where it begins on both sides, and how long it is. */
export interface Match {
  a: number;
  b: number;
  length: number;
}

export interface Range {
  aFrom: number;
  aTo: number;
  bFrom: number;
  bTo: number;
}

/** Where each value stands on both sides, counted from 1; all zeros between uses. */
export interface Places {
  inA: Int32Array;
  inB: Int32Array;
}

/**
 * The stretches that two sequences have in common, in order, none touching the next on both sides. Values are below
 * `values`.
 */
export function align(a: Int32Array, b: Int32Array, values: number): Match[] {
  const places: Places = { inA: new Int32Array(values), inB: new Int32Array(values) };
  const matches: Match[] = [];
  const open: Range[] = [{ aFrom: 0, aTo: a.length, bFrom: 0, bTo: b.length }];
  // Ranges are taken from the end of the list, later ones put in first, so that matches come out in order.
  for (let range = open.pop(); range; range = open.pop()) {
    const { begin, middle, end } = trim(a, b, range);
    if (begin) matches.push(begin);
    if (end) open.push({ aFrom: end.a, aTo: end.a + end.length, bFrom: end.b, bTo: end.b + end.length });
    if (!middle) continue;
    const exact = matchExactly(a, b, middle, places);
    for (const match of exact ?? []) matches.push(match);
    if (exact) continue;
    let anchors = findAnchors(a, b, middle, places);
    if (anchors.length === 0) anchors = findRunAnchors(a, b, middle, values);
    if (anchors.length === 0) continue;
    for (const next of between(anchors, middle).reverse()) open.push(next);
  }
  return join(matches);
}

/** A range without what is the same at its beginning and its end. */
function trim(a: Int32Array, b: Int32Array, { aFrom, aTo, bFrom, bTo }: Range) {
  let begin = 0;
  while (aFrom + begin < aTo && bFrom + begin < bTo && a[aFrom + begin] === b[bFrom + begin]) begin++;
  const [aBegin, bBegin] = [aFrom + begin, bFrom + begin];
  let end = 0;
  while (aTo - end > aBegin && bTo - end > bBegin && a[aTo - end - 1] === b[bTo - end - 1]) end++;
  const middle: Range = { aFrom: aBegin, aTo: aTo - end, bFrom: bBegin, bTo: bTo - end };
  const isOver = middle.aFrom === middle.aTo || middle.bFrom === middle.bTo;
  return {
    begin: begin > 0 ? { a: aFrom, b: bFrom, length: begin } : undefined,
    middle: isOver ? undefined : middle,
    end: end > 0 ? { a: aTo - end, b: bTo - end, length: end } : undefined,
  };
}

/** The ranges that begin with each anchor, and the one before the first. */
function between(anchors: readonly Anchor[], { aFrom, aTo, bFrom, bTo }: Range): Range[] {
  const starts = [{ a: aFrom, b: bFrom }, ...anchors];
  return starts.map((start, at) => {
    const next = starts[at + 1] ?? { a: aTo, b: bTo };
    return { aFrom: start.a, aTo: next.a, bFrom: start.b, bTo: next.b };
  });
}

function join(matches: readonly Match[]): Match[] {
  const joined: Match[] = [];
  for (const match of matches) {
    const last = joined.at(-1);
    if (last && last.a + last.length === match.a && last.b + last.length === match.b) last.length += match.length;
    else joined.push({ ...match });
  }
  return joined;
}
