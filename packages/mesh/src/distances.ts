// The distance from every pixel to the nearest marked one: exact, Euclidean, in time linear in the pixels.
//
// First down and up each column, then along each row the lower envelope of one parabola a column. All squared
// distances are whole numbers, so that where two parabolas cross is found without a harmful rounding.

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
