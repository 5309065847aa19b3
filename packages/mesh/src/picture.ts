// Masks and pictures, and how large they may be.

import { UsageError } from "@loopwright/core";

/** Where an object is in a picture: 1 where it is, else 0, row after row from the top. */
export interface Mask {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** A picture of 8 bits a channel: gray, gray and alpha, RGB or RGBA, row after row from the top. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly channels: 1 | 2 | 3 | 4;
  readonly data: Uint8Array;
}

/** The most pixels that a side of a picture may have. */
export const LARGEST_SIDE = 8192;

/** Throws unless a side of a picture can have this many pixels. */
export function requireSize(size: number): void {
  if (!Number.isInteger(size) || size < 1 || size > LARGEST_SIDE)
    throw new UsageError("PICTURE_SIZE", `a picture of ${size} pixels a side cannot be made: use 1 to ${LARGEST_SIDE}`);
}

/** How light the ground is that pictures are laid on. */
const GROUND = 235;

/** A picture on a light ground: some clients show what is transparent as black. */
export function onGround({ width, height, channels, data }: Picture): Picture {
  if (channels === 1 || channels === 3) return { width, height, channels, data };
  const colors = (channels - 1) as 1 | 3;
  const filled = new Uint8Array(width * height * colors);
  for (let from = 0, to = 0; from < data.length; from += channels, to += colors) {
    const alpha = data[from + colors]!;
    for (let color = 0; color < colors; color++)
      filled[to + color] = (data[from + color]! * alpha + GROUND * (255 - alpha)) / 255;
  }
  return { width, height, channels: colors, data: filled };
}

/** The object of a picture: what is opaque where some of it is not, else what is dark. */
export function pictureToMask(picture: Picture): Mask {
  const { width, height, channels, data } = picture;
  const mask = new Uint8Array(width * height);
  const isCutOut = hasAlpha(picture);
  for (let pixel = 0, at = 0; pixel < mask.length; pixel += 1, at += channels) {
    const isObject = isCutOut ? data[at + channels - 1]! > 127 : luminance(data, at, channels) < 128;
    if (isObject) mask[pixel] = 1;
  }
  return { width, height, data: mask };
}

/** A mask as a picture: gray and alpha, the object black, else transparent. */
export function maskToPicture({ width, height, data }: Mask): Picture {
  const pixels = new Uint8Array(width * height * 2);
  for (let pixel = 0; pixel < data.length; pixel += 1) pixels[pixel * 2 + 1] = data[pixel] ? 255 : 0;
  return { width, height, channels: 2, data: pixels };
}

/** Whether some of a picture is not opaque. */
export function hasAlpha({ channels, data }: Picture): boolean {
  if (channels === 1 || channels === 3) return false;
  for (let at = channels - 1; at < data.length; at += channels) if (data[at] !== 255) return true;
  return false;
}

function luminance(data: Uint8Array, at: number, channels: number): number {
  if (channels < 3) return data[at]!;
  return (data[at]! * 2126 + data[at + 1]! * 7152 + data[at + 2]! * 722) / 10_000;
}

/** A mask at a square size, each pixel by the majority of its area, centered where the mask is not square. */
export function resizeMask(mask: Mask, size: number): Mask {
  requireSize(size);
  const { width, height } = mask;
  if (width === size && height === size) return mask;
  const side = Math.max(width, height);
  const columns = sharesOf(width, side, size);
  const rows = sharesOf(height, side, size);
  const data = new Uint8Array(size * size);
  const half = 2 * side * side;
  for (let row = 0, pixel = 0; row < size; row += 1) {
    for (let column = 0; column < size; column += 1, pixel += 1) {
      let covered = 0;
      for (const { index: y, share: tall } of rows[row]!)
        for (const { index: x, share: wide } of columns[column]!) covered += mask.data[y * width + x]! * tall * wide;
      if (covered >= half) data[pixel] = 1;
    }
  }
  return { width: size, height: size, data };
}

/**
 * For each new pixel along one side, the old ones under it and how much of each. Both are measured in a unit that
 * makes every border a whole number: an old pixel is 2 × size long, a new one 2 × side.
 */
function sharesOf(length: number, side: number, size: number): { index: number; share: number }[][] {
  const margin = (side - length) * size;
  return Array.from({ length: size }, (_, pixel) => {
    const from = pixel * 2 * side - margin;
    const to = from + 2 * side;
    const shares: { index: number; share: number }[] = [];
    const end = Math.min(length, Math.ceil(to / (2 * size)));
    for (let index = Math.max(0, Math.floor(from / (2 * size))); index < end; index += 1)
      shares.push({ index, share: Math.min(to, (index + 1) * 2 * size) - Math.max(from, index * 2 * size) });
    return shares;
  });
}
