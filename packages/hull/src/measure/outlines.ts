// The outlines of what was made beside those that were wanted, in numbers: a few stations of each view. Models read pictures
// poorly and numbers well.

import { type Extent, extentOf, type Frame, type Mask } from "@loopwright/mesh";
import type { Evidence } from "./findings.ts";
import { type Lines, span } from "./places.ts";

const STATIONS = 12;

/** The outlines of every view that has a reference, in words and meters. */
export function outlinesOf({ masks, references, frame }: Pick<Evidence, "masks" | "references" | "frame">): string {
  return Object.entries(references)
    .map(([view, reference]) => viewOutlines(view, masks[view]!, reference, frame))
    .join("\n");
}

function viewOutlines(view: string, made: Mask, wanted: Mask, frame: Frame): string {
  const { across, up, lines, place, range } = placesIn(view, frame, wanted.width);
  const [is, should] = [extentOf(made), extentOf(wanted)];
  if (!should) return "";
  const words = (axis: Axis, first: number, last: number) => {
    const [from, to] = range(axis, first, last);
    return `${from.toFixed(2)} to ${to.toFixed(2)} (${(to - from).toFixed(2)})`;
  };
  const wide = (extent: Extent | undefined) => extent && words(across, extent.left, extent.right);
  const high = (extent: Extent | undefined) => extent && words(up, extent.top, extent.bottom);
  const [along, over] = lines === "columns" ? [across, up] : [up, across];
  const [start, length] = lines === "columns" ? [should.left, should.width] : [should.top, should.height];
  const stations = Array.from({ length: STATIONS }, (_, at) => {
    const line = Math.floor(start + ((at + 0.5) * length) / STATIONS);
    const edges = (mask: Mask) => {
      const found = span(mask, line, lines);
      return found && words(over, found.first, found.last);
    };
    return `  at ${along.name} ${place(along, line + 0.5).toFixed(2)}: ${compared(over, edges(wanted), edges(made))}`;
  });
  const whole = `${view}: ${compared(across, wide(should), wide(is))}; ${compared(up, high(should), high(is))}`;
  return [whole, ...stations].join("\n");
}

function compared({ name }: Axis, wanted: string | undefined, made: string | undefined): string {
  return `${name} ${wanted ?? "nothing"} wanted, ${made ?? "nothing"} made`;
}

interface Axis {
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

interface Places extends Shown {
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
