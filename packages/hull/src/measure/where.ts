// Where a pixel of a view lies in the world.

import type { Extent, Frame } from "@loopwright/mesh";
import type { Lines } from "./places.ts";

export interface Axis {
  readonly name: string;
  /** Which coordinate of the world it is; left out, it counts from the picture's middle. */
  readonly at?: 0 | 1 | 2;
}

/** What a view shows across and up, and along which of them its stations lie. */
interface Shown {
  readonly across: Axis;
  readonly up: Axis;
  readonly lines: Lines;
}

const x: Axis = { name: "x", at: 0 };
const y: Axis = { name: "y", at: 1 };
const z: Axis = { name: "z", at: 2 };
const named: Readonly<Record<string, Shown>> = {
  front: { across: y, up: z, lines: "rows" },
  side: { across: x, up: z, lines: "columns" },
  top: { across: x, up: y, lines: "columns" },
};
const elsewhere: Shown = { across: { name: "right" }, up: { name: "up" }, lines: "columns" };

export interface Places extends Shown {
  /** Where a pixel's near edge is along an axis, in meters. */
  place(axis: Axis, pixel: number): number;
  /** From the first to the last of some pixels, in meters. */
  range(axis: Axis, first: number, last: number): readonly [from: number, to: number];
  /** An extent in words. */
  words(extent: Extent): string;
}

/** The places of a view in pictures of a size. */
export function placesIn(view: string, { center, meters }: Frame, size: number): Places {
  const shown = named[view] ?? elsewhere;
  const place = (axis: Axis, pixel: number) => {
    const off = ((pixel - size / 2) * meters) / size;
    return (axis.at === undefined ? 0 : center[axis.at]) + (axis === shown.up ? -off : off);
  };
  const range = (axis: Axis, first: number, last: number): [number, number] => {
    const ends = [place(axis, first), place(axis, last + 1)];
    return [Math.min(...ends), Math.max(...ends)];
  };
  const inWords = (axis: Axis, first: number, last: number) =>
    `${axis.name} ${range(axis, first, last)
      .map((meters) => meters.toFixed(2))
      .join(" to ")}`;
  return {
    ...shown,
    place,
    range,
    words: ({ left, right, top, bottom }) => `${inWords(shown.across, left, right)}, ${inWords(shown.up, top, bottom)}`,
  };
}
