// The outlines of what was made beside those that were wanted, in numbers: a few stations of each view. Models read pictures
// poorly and numbers well.

import { type Extent, extentOf, type Frame, type Mask } from "@loopwright/mesh";
import type { Evidence } from "./findings.ts";
import { span } from "./places.ts";
import { type Axis, placesIn } from "./where.ts";

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
