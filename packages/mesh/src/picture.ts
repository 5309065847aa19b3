// Masks and pictures, and how large they may be.

import { UsageError } from "@loopwright/core";

/** Where an object is in a picture: 1 where it is, else 0, row after row from the top. */
export interface Mask {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** A picture of 8 bits a channel: grey, grey and alpha, RGB or RGBA, row after row from the top. */
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
