// The outlines of what was made beside those that were wanted, in numbers: a few stations of each view. Models read pictures
// poorly and numbers well.

import { type Extent, extentOf, type Frame, type Mask } from "@loopwright/mesh";
import type { Evidence } from "./findings.ts";
import { type Lines, span } from "./places.ts";

const STATIONS = 6;

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

const [x, y, z]: readonly Axis[] = [
  { name: "x", at: 0 },
  { name: "y", at: 1 },
  { name: "z", at: 2 },
];
const named: Readonly<Record<string, Shown>> = {
  front: { across: y!, up: z!, lines: "rows" },
  side: { across: x!, up: z!, lines: "columns" },
  top: { across: x!, up: y!, lines: "columns" },
};
const elsewhere: Shown = { across: { name: "right" }, up: { name: "up" }, lines: "columns" };

/** The outlines of every view that has a reference, in words and meters. */
export function outlinesOf({ masks, references, frame }: Pick<Evidence, "masks" | "references" | "frame">): string {
  return Object.entries(references)
    .map(([view, reference]) => viewOutlines(view, masks[view as keyof typeof masks]!, reference, frame))
    .join("\n");
}

function viewOutlines(view: string, made: Mask, wanted: Mask, { centre, metres }: Frame): string {
  const { across, up, lines } = named[view] ?? elsewhere;
  const [is, should] = [extentOf(made), extentOf(wanted)];
  if (!should) return "";
  const placeOf = (axis: Axis, pixel: number) => {
    const off = pixel - wanted.width / 2;
    return (axis.at === undefined ? 0 : centre[axis.at]) + ((axis === up ? -off : off) * metres) / wanted.width;
  };
  const range = (axis: Axis, first: number, last: number) => {
    const [low, high] = [placeOf(axis, first), placeOf(axis, last + 1)].toSorted((a, b) => a - b);
    return `${low!.toFixed(2)} to ${high!.toFixed(2)} (${(high! - low!).toFixed(2)})`;
  };
  const wide = (extent: Extent | undefined) => extent && range(across, extent.left, extent.right);
  const high = (extent: Extent | undefined) => extent && range(up, extent.top, extent.bottom);
  const [along, over] = lines === "columns" ? [across, up] : [up, across];
  const [start, length] = lines === "columns" ? [should.left, should.width] : [should.top, should.height];
  const stations = Array.from({ length: STATIONS }, (_, at) => {
    const line = Math.floor(start + ((at + 0.5) * length) / STATIONS);
    const edges = (mask: Mask) => {
      const found = span(mask, line, lines);
      return found && range(over, found.first, found.last);
    };
    return `  at ${along.name} ${placeOf(along, line + 0.5).toFixed(2)}: ${compared(over, edges(wanted), edges(made))}`;
  });
  const whole = `${view}: ${compared(across, wide(should), wide(is))}; ${compared(up, high(should), high(is))}`;
  return [whole, ...stations].join("\n");
}

function compared({ name }: Axis, wanted: string | undefined, made: string | undefined): string {
  return `${name} ${wanted ?? "nothing"} wanted, ${made ?? "nothing"} made`;
}
