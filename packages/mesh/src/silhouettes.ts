// Comparing masks: how much they overlap, how far their contours are apart, and where they differ.

import { UsageError } from "@loopwright/core";
import type { Mask, Picture } from "./picture.ts";

/** Where an object stands in its mask, in pixels: the first and last columns and rows that it touches. */
export interface Extent {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  /** right - left + 1, and bottom - top + 1. */
  readonly width: number;
  readonly height: number;
  /** How many pixels the object has. */
  readonly area: number;
}

/** Intersection over union; 1 when both are empty. */
export function overlap(a: Mask, b: Mask): number {
  requireSameSize(a, b);
  let both = 0;
  let either = 0;
  for (let pixel = 0; pixel < a.data.length; pixel += 1) {
    both += a.data[pixel]! & b.data[pixel]!;
    either += a.data[pixel]! | b.data[pixel]!;
  }
  return either === 0 ? 1 : both / either;
}

/** Mean distance in pixels between two contours, both ways; the picture's diagonal when one mask is empty. */
export function contourDistance(a: Mask, b: Mask): number {
  requireSameSize(a, b);
  const [first, second] = [extentOf(a), extentOf(b)];
  if (!first && !second) return 0;
  if (!first || !second) return Math.sqrt(a.width * a.width + a.height * a.height);
  // Nothing outside the box around both objects can be nearest to anything.
  const box = boxAround(first, second);
  const [ours, theirs] = [contourOf(a, box), contourOf(b, box)];
  const there = meanDistance(ours, squaredDistances(theirs, box.width, box.height));
  const back = meanDistance(theirs, squaredDistances(ours, box.width, box.height));
  return (there + back) / 2;
}

/** The extent of an object, or undefined for an empty mask. */
export function extentOf({ width, height, data }: Mask): Extent | undefined {
  let [left, right, top, bottom, area] = [width, -1, height, -1, 0];
  for (let row = 0, pixel = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1, pixel += 1) {
      if (!data[pixel]) continue;
      area += 1;
      if (column < left) left = column;
      if (column > right) right = column;
      if (row < top) top = row;
      bottom = row;
    }
  }
  if (area === 0) return undefined;
  return { left, right, top, bottom, width: right - left + 1, height: bottom - top + 1, area };
}

// Blue and vermilion differ to every kind of color blindness, and both from gray.
const AGREED = [158, 163, 168, 255];
const EXTRA = [213, 94, 0, 255];
const MISSING = [0, 114, 178, 255];

/** RGBA: agreed gray, extra (result only) vermilion, missing (reference only) blue, and transparent elsewhere. */
export function compareMasks(result: Mask, reference: Mask): Picture {
  requireSameSize(result, reference);
  const { width, height } = result;
  const data = new Uint8Array(width * height * 4);
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    const [has, should] = [result.data[pixel], reference.data[pixel]];
    if (has) data.set(should ? AGREED : EXTRA, pixel * 4);
    else if (should) data.set(MISSING, pixel * 4);
  }
  return { width, height, channels: 4, data };
}

type Box = Pick<Extent, "left" | "top" | "width" | "height">;

function boxAround(a: Extent, b: Extent): Box {
  const [left, top] = [Math.min(a.left, b.left), Math.min(a.top, b.top)];
  const [right, bottom] = [Math.max(a.right, b.right), Math.max(a.bottom, b.bottom)];
  return { left, top, width: right - left + 1, height: bottom - top + 1 };
}

/** Inside a box, the pixels of the object that have a neighbor, left, right, above or below, which is not of it. */
export function contourOf({ width, height, data }: Mask, box: Box): Uint8Array {
  const contour = new Uint8Array(box.width * box.height);
  for (let y = 0, at = 0; y < box.height; y += 1) {
    const row = box.top + y;
    for (let x = 0; x < box.width; x += 1, at += 1) {
      const column = box.left + x;
      const pixel = row * width + column;
      if (!data[pixel]) continue;
      const isInside =
        column > 0 &&
        column + 1 < width &&
        row > 0 &&
        row + 1 < height &&
        data[pixel - 1] &&
        data[pixel + 1] &&
        data[pixel - width] &&
        data[pixel + width];
      if (!isInside) contour[at] = 1;
    }
  }
  return contour;
}

function meanDistance(contour: Uint8Array, squares: Int32Array): number {
  let sum = 0;
  let count = 0;
  for (let pixel = 0; pixel < contour.length; pixel += 1) {
    if (!contour[pixel]) continue;
    sum += Math.sqrt(squares[pixel]!);
    count += 1;
  }
  return sum / count;
}

function requireSameSize(a: Mask, b: Mask): void {
  if (a.width !== b.width || a.height !== b.height)
    throw new UsageError(
      "MASK_SIZES",
      `masks of ${a.width} × ${a.height} and ${b.width} × ${b.height} pixels cannot be compared: resize one first`,
    );
}

/** Stands for "no mark in this column"; its square and what is added to it still fit 31 bits. */
const NONE = 30_000;

/** Squared distances in pixels to the nearest pixel that is not 0; at least one is, and no side is over 16,000. */
export function squaredDistances(marks: Uint8Array, width: number, height: number): Int32Array {
  const squares = columnSquares(marks, width, height);
  const columns = new Int32Array(width);
  const heights = new Int32Array(width);
  const starts = new Float64Array(width);
  for (let row = 0; row < height; row += 1) {
    const at = row * width;
    let last = -1;
    for (let column = 0; column < width; column += 1) {
      const square = squares[at + column]!;
      if (square >= NONE * NONE) continue;
      let start = -Infinity;
      while (last >= 0) {
        const other = columns[last]!;
        start = (square + column * column - heights[last]! - other * other) / (2 * (column - other));
        if (start > starts[last]!) break;
        last -= 1;
        start = -Infinity;
      }
      last += 1;
      columns[last] = column;
      heights[last] = square;
      starts[last] = start;
    }
    for (let column = 0, nearest = 0; column < width; column += 1) {
      while (nearest < last && starts[nearest + 1]! < column) nearest += 1;
      const apart = column - columns[nearest]!;
      squares[at + column] = apart * apart + heights[nearest]!;
    }
  }
  return squares;
}

/** For each pixel the squared distance to the nearest mark in its own column. */
function columnSquares(marks: Uint8Array, width: number, height: number): Int32Array {
  const steps = new Int32Array(width * height);
  for (let pixel = 0; pixel < width; pixel += 1) steps[pixel] = marks[pixel] ? 0 : NONE;
  for (let pixel = width; pixel < steps.length; pixel += 1) steps[pixel] = marks[pixel] ? 0 : steps[pixel - width]! + 1;
  for (let pixel = steps.length - 1; pixel >= 0; pixel -= 1) {
    const own = steps[pixel]!;
    const below = pixel + width < steps.length ? steps[pixel + width]! + 1 : own;
    steps[pixel] = below < own ? below : own;
  }
  for (let pixel = 0; pixel < steps.length; pixel += 1) steps[pixel]! *= steps[pixel]!;
  return steps;
}

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
