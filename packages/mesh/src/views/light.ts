// How surfaces are lit: a key light with fill and rim, and darker edges. The lights stand with the viewer, so that every view
// is lit alike.

import { type Drawing, eachRow } from "./draw.ts";
import type { Axes } from "./projection.ts";

/** The gray of each pixel, darker where the surface ends, steps back or folds; 0 where there is nothing. */
export function lightPixels(drawing: Drawing, cornerNormals: Float32Array): Uint8Array {
  const normals = turnNormals(cornerNormals, drawing.projection.axes);
  const gray = new Uint8Array(drawing.faces.length);
  eachRow(drawing, normals, (row, across) => lightRow(drawing, row, across, gray));
  darkenEdges(drawing, gray);
  return gray;
}

function lightRow({ faces, drawn, projection }: Drawing, row: number, normals: Float64Array, gray: Uint8Array): void {
  const end = drawn.to[row]!;
  for (let column = drawn.from[row]!; column < end; column += 1) {
    const pixel = row * projection.width + column;
    if (faces[pixel] === 0) continue;
    gray[pixel] = light(normals[column * 3]!, normals[column * 3 + 1]!, normals[column * 3 + 2]!);
  }
}

/** Normals as a view has them: right, up, toward. */
function turnNormals(normals: Float32Array, { right, up, toward }: Axes): Float32Array {
  const turned = new Float32Array(normals.length);
  for (let at = 0; at < normals.length; at += 3) {
    const x = normals[at]!;
    const y = normals[at + 1]!;
    const z = normals[at + 2]!;
    turned[at] = right[0] * x + right[1] * y + right[2] * z;
    turned[at + 1] = up[0] * x + up[1] * y + up[2] * z;
    turned[at + 2] = toward[0] * x + toward[1] * y + toward[2] * z;
  }
  return turned;
}

// Directions to the lights, as right, up, toward: unit vectors with whole sides (2-3-6-7 and 1-2-2-3).
const KEY = [-2 / 7, 6 / 7, 3 / 7] as const;
const FILL = [2 / 3, -1 / 3, 2 / 3] as const;

/** The gray of a surface whose normal points this way; the normal need not be of unit length. */
function light(right: number, up: number, toward: number): number {
  const length = Math.sqrt(right * right + up * up + toward * toward);
  if (!(length > 0)) return 0;
  const x = right / length;
  const y = up / length;
  const z = toward / length;
  // Both lights reach round the surface and fade out smoothly, so that no line marks where they end.
  const key = Math.max(0, (x * KEY[0] + y * KEY[1] + z * KEY[2] + 0.6) / 1.6);
  const fill = Math.max(0, (x * FILL[0] + y * FILL[1] + z * FILL[2] + 0.6) / 1.6);
  const grazing = 1 - Math.max(0, z);
  const rim = grazing * grazing * grazing;
  return 255 * Math.min(1, 0.2 + 0.7 * key * key + 0.34 * fill * fill + 0.08 * rim);
}

/** How much of the gray is left in an edge. */
const OUTLINE = 0.35;

function darkenEdges({ depths, drawn, projection }: Drawing, gray: Uint8Array): void {
  const { width, height } = projection;
  for (let row = 0; row < height; row += 1) {
    const end = drawn.to[row]!;
    for (let column = drawn.from[row]!; column < end; column += 1) {
      const pixel = row * width + column;
      const depth = depths[pixel]!;
      if (depth === -Infinity) continue;
      const left = column > 0 ? depths[pixel - 1]! : -Infinity;
      const right = column + 1 < width ? depths[pixel + 1]! : -Infinity;
      const above = row > 0 ? depths[pixel - width]! : -Infinity;
      const below = row + 1 < height ? depths[pixel + width]! : -Infinity;
      const edge = Math.max(edgeBetween(depth, left, right), edgeBetween(depth, above, below));
      gray[pixel] = gray[pixel]! * (1 - (1 - OUTLINE) * edge);
    }
  }
}

/** How much of an edge there is, 0 to 1, in a pixel that stands out from its neighbors on both sides. */
function edgeBetween(depth: number, before: number, after: number): number {
  const bend = depth * 2 - before - after;
  if (bend === Infinity) return 1;
  // The facets of a round surface bend too: the more, the more it falls away from the viewer.
  const allowed = 0.5 + 0.4 * Math.abs(before - after);
  return bend > allowed ? Math.min(1, (bend - allowed) / 3) : 0;
}
