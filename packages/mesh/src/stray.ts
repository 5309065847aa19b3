// What of one mask lies far from another: a mast that the other has not, however thin it is.

import { squaredDistances } from "./distances.ts";
import type { Mask } from "./picture.ts";
import { type Extent, extentOf } from "./silhouettes.ts";

/** A region that one picture has and the other has not. */
export interface Stray {
  /** How far from the other mask it reaches, in pixels. */
  readonly reach: number;
  readonly extent: Extent;
}

/** The connected regions of a mask that lie farther than so many pixels from another; the farthest first. */
export function strayRegions(mask: Mask, other: Mask, farther: number): Stray[] {
  if (!extentOf(mask) || !extentOf(other)) return [];
  const { width, height, data } = mask;
  const squares = squaredDistances(other.data, width, height);
  const far = data.map((pixel, at) => (pixel && squares[at]! > farther * farther ? 1 : 0));
  const found = piecesOf({ width, height, data: far }).map((pixels): Stray => {
    let [left, right, top, bottom, most] = [width, -1, height, -1, 0];
    for (const pixel of pixels) {
      const column = pixel % width;
      const row = (pixel - column) / width;
      [left, right] = [Math.min(left, column), Math.max(right, column)];
      [top, bottom] = [Math.min(top, row), Math.max(bottom, row)];
      most = Math.max(most, squares[pixel]!);
    }
    const size = { width: right - left + 1, height: bottom - top + 1, area: pixels.length };
    return { reach: Math.sqrt(most), extent: { left, right, top, bottom, ...size } };
  });
  return found.sort((a, b) => b.reach - a.reach);
}

/** The pixels of each piece of a mask that hangs together, up, down, left and right. */
export function piecesOf({ width, data }: Mask): number[][] {
  const seen = new Uint8Array(data.length);
  const pieces: number[][] = [];
  for (let start = 0; start < data.length; start += 1) {
    if (seen[start] || !data[start]) continue;
    const piece = [start];
    seen[start] = 1;
    const reach = (pixel: number) => {
      if (seen[pixel] || !data[pixel]) return;
      seen[pixel] = 1;
      piece.push(pixel);
    };
    for (let at = 0; at < piece.length; at += 1) {
      const pixel = piece[at]!;
      const column = pixel % width;
      if (column > 0) reach(pixel - 1);
      if (column + 1 < width) reach(pixel + 1);
      reach(pixel - width);
      reach(pixel + width);
    }
    pieces.push(piece);
  }
  return pieces;
}
