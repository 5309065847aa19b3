// The object of a picture that has no transparency: what differs from a background that is plain, or nearly so. A background may grow
// darker to one side; noise of its own is allowed for, specks are not the object, and small gaps in the object belong to it.

import { UsageError } from "@loopwright/core";
import type { Mask, Picture } from "./picture.ts";
import { piecesOf } from "./silhouettes.ts";

/** Differences in a channel: what the object must differ by at least, and the most noise that is still plain. */
const LEAST = 12;
const MOST_NOISE = 30;
/** How much more than the background's own noise. */
const FACTOR = 3;
/** The part of the border that may show something else: the object may touch it. */
const BORDER = 0.75;
/** Shares of the picture: smaller pieces are specks, and smaller gaps are filled. */
const SPECK = 0.0005;

/** Cuts the object out of its background; throws where the background is not plain. */
export function cutOut(picture: Picture): Mask {
  const { width, height } = picture;
  const colors = Math.min(3, picture.channels === 2 ? 1 : picture.channels);
  const planes = Array.from({ length: colors }, (_, color) => fitPlane(picture, color));
  const data = new Uint8Array(width * height);
  const noise = Math.max(...planes.map((plane) => plane.noise));
  if (noise > MOST_NOISE)
    throw new UsageError(
      "BACKGROUND_NOT_PLAIN",
      "its background is not plain, so the object cannot be cut out: give a mask (mask: FILE.png), or a picture with transparency",
    );
  const least = Math.max(LEAST, FACTOR * noise);
  for (let y = 0, pixel = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1, pixel += 1)
      if (planes.some((plane, color) => Math.abs(differenceAt(picture, plane, color, x, y)) > least)) data[pixel] = 1;
  return tidy({ width, height, data });
}

/** A color that changes evenly over the picture. */
interface Plane {
  readonly middle: number;
  readonly across: number;
  readonly down: number;
  readonly noise: number;
}

function differenceAt({ width, height, channels, data }: Picture, plane: Plane, color: number, x: number, y: number) {
  const even = plane.middle + plane.across * (x / width - 0.5) + plane.down * (y / height - 0.5);
  return data[(y * width + x) * channels + color]! - even;
}

/** The plane through the colors of the border: the middle of each side, which an object that touches it does not move far. */
function fitPlane(picture: Picture, color: number): Plane {
  const { width, height, channels, data } = picture;
  const at = (x: number, y: number) => data[(y * width + x) * channels + color]!;
  const rows = Array.from({ length: height }, (_, y) => y);
  const columns = Array.from({ length: width }, (_, x) => x);
  const left = median(rows.map((y) => at(0, y)));
  const right = median(rows.map((y) => at(width - 1, y)));
  const top = median(columns.map((x) => at(x, 0)));
  const bottom = median(columns.map((x) => at(x, height - 1)));
  const plane = { middle: (left + right + top + bottom) / 4, across: right - left, down: bottom - top, noise: 0 };
  const off = [
    ...columns.flatMap((x) => [
      differenceAt(picture, plane, color, x, 0),
      differenceAt(picture, plane, color, x, height - 1),
    ]),
    ...rows.flatMap((y) => [
      differenceAt(picture, plane, color, 0, y),
      differenceAt(picture, plane, color, width - 1, y),
    ]),
  ].map(Math.abs);
  return { ...plane, noise: off.sort((a, b) => a - b)[Math.floor(off.length * BORDER)]! };
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[values.length >> 1]!;
}

/** Without specks, and without gaps of their size. */
function tidy({ width, height, data }: Mask): Mask {
  const least = SPECK * width * height;
  const large = keepLarge({ width, height, data }, least);
  const gaps = keepLarge({ width, height, data: large.map((pixel) => 1 - pixel) }, least);
  return { width, height, data: gaps.map((pixel) => 1 - pixel) };
}

/** What a mask's larger pieces cover. */
function keepLarge({ width, height, data }: Mask, least: number): Uint8Array {
  const kept = new Uint8Array(data.length);
  for (const region of piecesOf({ width, height, data }))
    if (region.length >= least) for (const pixel of region) kept[pixel] = 1;
  return kept;
}
