// Masks at another size.

import { type Mask, requireSize } from "./picture.ts";

/** A mask at a square size, each pixel by the majority of its area, centered where the mask is not square. */
export function resizeMask(mask: Mask, size: number): Mask {
  requireSize(size);
  const { width, height } = mask;
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
