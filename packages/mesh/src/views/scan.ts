// Scan conversion: which pixels a triangle covers.
//
// A pixel belongs to a triangle when its center does. Rows and spans are half open, and an edge is always worked out
// from its upper end, so that two triangles that share it agree to the last bit: no pixel between them is left out
// or covered twice.

/** The pixels of one triangle: columns from[row] up to but not to[row], in the rows first up to but not end. */
export interface Spans {
  first: number;
  end: number;
  readonly from: Int32Array;
  readonly to: Int32Array;
}

/** Room for the spans of one triangle in a picture of this height. */
export function makeSpans(height: number): Spans {
  return { first: 0, end: 0, from: new Int32Array(height), to: new Int32Array(height) };
}

/** Finds the pixels of a triangle inside a picture; false when there are none, or a corner is no place. */
export function scanTriangle(
  ax: number,
  ay: number,
  bx: number,
  by: number,
  cx: number,
  cy: number,
  width: number,
  height: number,
  spans: Spans,
): boolean {
  // From here on a is the highest corner and c the lowest.
  if (ay > by) return scanTriangle(bx, by, ax, ay, cx, cy, width, height, spans);
  if (by > cy) return scanTriangle(ax, ay, cx, cy, bx, by, width, height, spans);
  const first = Math.max(0, Math.ceil(Math.min(ay, by, cy) - 0.5));
  const end = Math.min(height, Math.ceil(Math.max(ay, by, cy) - 0.5));
  if (!(first < end)) return false;
  const left = Math.max(0, Math.ceil(Math.min(ax, bx, cx) - 0.5));
  const right = Math.min(width, Math.ceil(Math.max(ax, bx, cx) - 0.5));
  if (!(left < right)) return false;

  const { from, to } = spans;
  const long = (cx - ax) / (cy - ay);
  const middle = Math.min(end, Math.max(first, Math.ceil(by - 0.5)));
  const upper = (bx - ax) / (by - ay);
  for (let row = first; row < middle; row += 1) {
    const y = row + 0.5;
    const one = ax + (y - ay) * long;
    const other = ax + (y - ay) * upper;
    from[row] = Math.max(left, Math.ceil((one < other ? one : other) - 0.5));
    to[row] = Math.min(right, Math.ceil((one < other ? other : one) - 0.5));
  }
  const lower = (cx - bx) / (cy - by);
  for (let row = middle; row < end; row += 1) {
    const y = row + 0.5;
    const one = ax + (y - ay) * long;
    const other = bx + (y - by) * lower;
    from[row] = Math.max(left, Math.ceil((one < other ? one : other) - 0.5));
    to[row] = Math.min(right, Math.ceil((one < other ? other : one) - 0.5));
  }
  spans.first = first;
  spans.end = end;
  return true;
}
