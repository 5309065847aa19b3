// The body of something that rolls along x: its outline from above and from the side, as ratios.

import type { Maps } from "./maps.ts";

export interface BodyFigures {
  readonly lengthToWidth: number;
  readonly heightToWidth: number;
  /** The part of the plan's box that is covered. */
  readonly plan: number;
  /** The part of the side's box that lies between the lowest and the highest place of each slice. */
  readonly side: number;
  /** How high it is above the ground half way between its ends, as a part of the height. */
  readonly clearance: number;
  /** The highest places at the lower and at the higher of its two ends, as parts of the height. */
  readonly lowEnd: number;
  readonly highEnd: number;
}

/** The part of the length that counts as an end. */
const END = 0.12;

export function bodyOf({ columns, rows, cell, height, low, high }: Maps): BodyFigures {
  const bottom = new Float64Array(columns).fill(Infinity);
  const top = new Float64Array(columns).fill(-Infinity);
  let covered = 0;
  for (let at = 0; at < low.length; at += 1) {
    if (low[at] === Infinity) continue;
    covered += 1;
    const column = at % columns;
    bottom[column] = Math.min(bottom[column]!, low[at]!);
    top[column] = Math.max(top[column]!, high[at]!);
  }
  const slices = top.reduce((sum, each, column) => sum + Math.max(0, each - bottom[column]!), 0);
  const middle = bottom.slice(Math.floor(0.4 * columns), Math.ceil(0.6 * columns)).toSorted();
  const end = Math.ceil(END * columns);
  const ends = [top.slice(0, end), top.slice(-end)].map((slice) => Math.max(...slice) / height);
  return {
    lengthToWidth: columns / rows,
    heightToWidth: height / (rows * cell),
    plan: covered / (columns * rows),
    side: slices / (columns * height),
    clearance: middle[middle.length >> 1]! / height,
    lowEnd: Math.min(...ends),
    highEnd: Math.max(...ends),
  };
}
