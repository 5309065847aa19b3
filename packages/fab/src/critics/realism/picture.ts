// Statistics of one beauty picture, over the pixels of the object alone.

import type { Picture } from "@loopwright/mesh";

export interface PictureFigures {
  /** How many pixels the object has. */
  readonly pixels: number;
  /** The middle one of all differences between a pixel and its four neighbors, in gray levels: edges do not count, grain does. */
  readonly grain: number;
  /** The parts of its pixels that are as bright as can be, and as dark. */
  readonly white: number;
  readonly black: number;
  /** Bits of its brightness, in 64 steps: 0 for one flat tone, 6 at most. */
  readonly entropy: number;
  /** The part of its pixels in the magenta that renderers draw for a missing texture. */
  readonly magenta: number;
}

export function measurePicture(picture: Picture): PictureFigures {
  const { width, height } = picture;
  const mask = objectOf(picture);
  const gray = grayOf(picture);
  const steps = new Float64Array(64);
  const grains = new Float64Array(256);
  let [pixels, inner, white, black, magenta] = [0, 0, 0, 0, 0];
  for (let y = 1; y < height - 1; y += 1)
    for (let x = 1; x < width - 1; x += 1) {
      const at = y * width + x;
      if (!mask[at]) continue;
      pixels += 1;
      steps[gray[at]! >> 2]! += 1;
      if (gray[at]! >= 254) white += 1;
      if (gray[at]! <= 1) black += 1;
      if (isMagenta(picture, at)) magenta += 1;
      if (!(mask[at - 1] && mask[at + 1] && mask[at - width] && mask[at + width])) continue;
      inner += 1;
      const around = (gray[at - 1]! + gray[at + 1]! + gray[at - width]! + gray[at + width]!) / 4;
      grains[Math.min(255, Math.round(Math.abs(gray[at]! - around)))]! += 1;
    }
  const share = (count: number) => (pixels === 0 ? 0 : count / pixels);
  const entropy = steps.reduce((sum, count) => (count > 0 ? sum - share(count) * Math.log2(share(count)) : sum), 0);
  return {
    pixels,
    grain: middleOf(grains, inner),
    white: share(white),
    black: share(black),
    entropy,
    magenta: share(magenta),
  };
}

/** Where the object is: what is not transparent, or, in a picture without alpha, what differs from the corners. */
function objectOf({ width, height, channels, data }: Picture): Uint8Array {
  const mask = new Uint8Array(width * height);
  const hasAlpha = channels === 2 || channels === 4;
  for (let at = 0; at < mask.length && hasAlpha; at += 1) mask[at] = data[at * channels + channels - 1]! > 127 ? 1 : 0;
  if (hasAlpha && mask.includes(0)) return mask;
  const corners = [0, width - 1, (height - 1) * width, height * width - 1];
  const colors = hasAlpha ? channels - 1 : channels;
  for (let at = 0; at < mask.length; at += 1) {
    const isGround = corners.some((corner) => {
      for (let each = 0; each < colors; each += 1)
        if (Math.abs(data[at * channels + each]! - data[corner * channels + each]!) > BACKGROUND) return false;
      return true;
    });
    mask[at] = isGround ? 0 : 1;
  }
  return mask;
}

/** How far a background's levels may be from a corner's. */
const BACKGROUND = 6;

function grayOf({ width, height, channels, data }: Picture): Uint8Array {
  return Uint8Array.from({ length: width * height }, (_, at) => {
    const from = at * channels;
    return channels < 3
      ? data[from]!
      : Math.round(0.2126 * data[from]! + 0.7152 * data[from + 1]! + 0.0722 * data[from + 2]!);
  });
}

function isMagenta({ channels, data }: Picture, at: number): boolean {
  if (channels < 3) return false;
  const [red, green, blue] = [data[at * channels]!, data[at * channels + 1]!, data[at * channels + 2]!];
  return red > 150 && blue > 0.8 * red && red > 0.8 * blue && green < 0.2 * red;
}

/** The middle of values that were counted by their size. */
function middleOf(counts: Float64Array, total: number): number {
  let seen = 0;
  const at = counts.findIndex((count) => {
    seen += count;
    return seen >= total / 2;
  });
  return Math.max(0, at);
}
