// Comparing masks: how much they overlap, how far their contours are apart, and where they differ.

import { UsageError } from "@loopwright/core";
import { squaredDistances } from "./distances.ts";
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
function contourOf({ width, height, data }: Mask, box: Box): Uint8Array {
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
