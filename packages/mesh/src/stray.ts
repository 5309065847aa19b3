// What of one mask lies far from another: a mast that the other has not, however thin it is.

import { squaredDistances } from "./distances.ts";
import type { Mask } from "./picture.ts";
import { type Extent, extentOf } from "./silhouettes.ts";

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
  const isStray = (pixel: number) => data[pixel] === 1 && squares[pixel]! > farther * farther;
  const seen = new Uint8Array(data.length);
  const found: Stray[] = [];
  for (let start = 0; start < data.length; start += 1) {
    if (seen[start] || !isStray(start)) continue;
    const open = [start];
    seen[start] = 1;
    let [left, right, top, bottom, area, most] = [width, -1, height, -1, 0, 0];
    for (let pixel = open.pop(); pixel !== undefined; pixel = open.pop()) {
      const column = pixel % width;
      const row = (pixel - column) / width;
      [left, right] = [Math.min(left, column), Math.max(right, column)];
      [top, bottom] = [Math.min(top, row), Math.max(bottom, row)];
      area += 1;
      most = Math.max(most, squares[pixel]!);
      for (const next of [
        column > 0 ? pixel - 1 : -1,
        column + 1 < width ? pixel + 1 : -1,
        pixel - width,
        pixel + width,
      ]) {
        if (next < 0 || next >= data.length || seen[next] || !isStray(next)) continue;
        seen[next] = 1;
        open.push(next);
      }
    }
    const extent = { left, right, top, bottom, width: right - left + 1, height: bottom - top + 1, area };
    found.push({ reach: Math.sqrt(most), extent });
  }
  return found.sort((a, b) => b.reach - a.reach);
}
