// What is seen of a mesh: for each pixel the nearest triangle, and how near it is there. Everything that a picture shows is
// worked out from these afterwards, once a pixel.

import { UsageError } from "@loopwright/core";
import type { Mesh } from "../mesh.ts";
import { foreshorten, nearnessOf, type Projection, project } from "./projection.ts";
import { makeSpans, type Spans, scanTriangle } from "./scan.ts";

export interface Drawing {
  readonly projection: Projection;
  readonly triangles: Uint32Array;
  /** Where each vertex falls in the picture. */
  readonly points: Float64Array;
  /** In pixels how near to the viewer the surface in a pixel is, -Infinity where there is none. */
  readonly depths: Float32Array;
  /** The number of the triangle in a pixel, from 1 up; 0 where there is none. */
  readonly faces: Int32Array;
  /** The columns of each row that anything was drawn in. */
  readonly drawn: Spans;
}

/** Draws a mesh. Triangles with a corner that is no place are left out. */
export function draw({ positions, triangles }: Mesh, projection: Projection): Drawing {
  const { width, height } = projection;
  const points = project(positions, projection);
  const nearness = nearnessOf(positions, projection);
  foreshorten(points, nearness, projection);
  const drawing = {
    projection,
    triangles,
    points,
    depths: new Float32Array(width * height).fill(-Infinity),
    faces: new Int32Array(width * height),
    drawn: makeSpans(height),
  };
  drawing.drawn.from.fill(width);
  // Of a closed mesh only faces turned to the viewer are seen: drawn first, they save writing the others.
  drawFaces(drawing, nearness, true);
  drawFaces(drawing, nearness, false);
  straighten(drawing);
  return drawing;
}

/** Draws the faces that are turned to the viewer, or those that are not. */
function drawFaces(drawing: Drawing, nearness: Float64Array, isFront: boolean): void {
  const { triangles, points, projection } = drawing;
  const { width, height } = projection;
  const spans = makeSpans(height);
  const vertices = nearness.length;
  let filled = 0;
  for (let corner = 0; corner + 2 < triangles.length; corner += 3) {
    const a = triangles[corner]!;
    const b = triangles[corner + 1]!;
    const c = triangles[corner + 2]!;
    if (a >= vertices || b >= vertices || c >= vertices) continue;
    const ax = points[a * 2]!;
    const ay = points[a * 2 + 1]!;
    const bx = points[b * 2]!;
    const by = points[b * 2 + 1]!;
    const cx = points[c * 2]!;
    const cy = points[c * 2 + 1]!;
    // y runs down, so that counter-clockwise in the world is less than 0 here.
    const area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
    if (area < 0 !== isFront) continue;
    if (!scanTriangle(ax, ay, bx, by, cx, cy, width, height, spans)) continue;
    fillSpans(drawing, spans, corner, area, nearness[a]!, nearness[b]!, nearness[c]!);
    filled += spans.end - spans.first + Math.min(Math.abs(area) / 2, width * height);
    if (filled > MOST_FILLED)
      throw new UsageError(
        "VIEW_TOO_COSTLY",
        `the triangles cover a picture of ${width} × ${height} pixels more than ${Math.floor(MOST_FILLED / (width * height))} times over: make it smaller, or the mesh simpler`,
      );
  }
}

/** Pixels that are written at most, so that no heap of large triangles takes minutes. */
const MOST_FILLED = 2e9;

/** Twice the area in pixels under which a triangle is drawn flat: its slopes would be quotients of rounding errors. */
const SLIVER = 1e-6;

function fillSpans(
  { projection, triangles, points, depths, faces, drawn }: Drawing,
  spans: Spans,
  corner: number,
  area: number,
  depth: number,
  depthAtB: number,
  depthAtC: number,
): void {
  const { width } = projection;
  const a = triangles[corner]! * 2;
  const b = triangles[corner + 1]! * 2;
  const c = triangles[corner + 2]! * 2;
  const isSliver = Math.abs(area) < SLIVER;
  const ax = points[a]!;
  const ay = points[a + 1]!;
  const bx = points[b]! - ax;
  const by = points[b + 1]! - ay;
  const cx = points[c]! - ax;
  const cy = points[c + 1]! - ay;
  const bStep = isSliver ? 0 : cy / area;
  const cStep = isSliver ? 0 : -by / area;
  const bDepth = depthAtB - depth;
  const cDepth = depthAtC - depth;
  const face = corner / 3 + 1;
  const dx = 0.5 - ax;
  for (let row = spans.first; row < spans.end; row += 1) {
    const dy = row + 0.5 - ay;
    // How much of the corners b and c is in the row's first pixel.
    const bRow = isSliver ? 1 / 3 : (dx * cy - dy * cx) / area;
    const cRow = isSliver ? 1 / 3 : (dy * bx - dx * by) / area;
    const start = spans.from[row]!;
    const end = spans.to[row]!;
    if (start < drawn.from[row]!) drawn.from[row] = start;
    if (end > drawn.to[row]!) drawn.to[row] = end;
    for (let column = start; column < end; column += 1) {
      const near = depth + (bRow + column * bStep) * bDepth + (cRow + column * cStep) * cDepth;
      const pixel = row * width + column;
      if (near <= depths[pixel]!) continue;
      depths[pixel] = near;
      faces[pixel] = face;
    }
  }
}

/** Turns the depths of a picture in perspective back into pixels before the center. */
function straighten({ projection, depths, faces }: Drawing): void {
  const { distance, scale } = projection;
  if (distance === undefined) return;
  const eye = distance * scale;
  for (let pixel = 0; pixel < depths.length; pixel += 1) if (faces[pixel]) depths[pixel] = eye - eye / depths[pixel]!;
}

/**
 * Visits the rows that show something, with the normal in each of their pixels: three numbers a column, of no certain length,
 * turned to the viewer. `normals` has three numbers for each corner of each triangle.
 */
export function eachRow(
  drawing: Drawing,
  normals: Float32Array,
  visit: (row: number, normals: Float64Array) => void,
): void {
  const { projection, drawn } = drawing;
  const across = new Float64Array(projection.width * 3);
  for (let row = 0; row < projection.height; row += 1) {
    if (drawn.from[row]! >= drawn.to[row]!) continue;
    fillRow(drawing, normals, row, across);
    visit(row, across);
  }
}

function fillRow(drawing: Drawing, normals: Float32Array, row: number, to: Float64Array): void {
  const { projection, triangles, points, faces, drawn } = drawing;
  const end = drawn.to[row]!;
  for (let column = drawn.from[row]!; column < end; ) {
    const face = faces[row * projection.width + column]!;
    if (face === 0) {
      column += 1;
      continue;
    }
    const corner = (face - 1) * 3;
    const a = triangles[corner]! * 2;
    const b = triangles[corner + 1]! * 2;
    const c = triangles[corner + 2]! * 2;
    const dx = 0.5 - points[a]!;
    const dy = row + 0.5 - points[a + 1]!;
    const bx = points[b]! - points[a]!;
    const by = points[b + 1]! - points[a + 1]!;
    const cx = points[c]! - points[a]!;
    const cy = points[c + 1]! - points[a + 1]!;
    const area = bx * cy - by * cx;
    const isSliver = Math.abs(area) < SLIVER;
    const bRow = isSliver ? 1 / 3 : (dx * cy - dy * cx) / area;
    const cRow = isSliver ? 1 / 3 : (dy * bx - dx * by) / area;
    const bStep = isSliver ? 0 : cy / area;
    const cStep = isSliver ? 0 : -by / area;
    const side = area < 0 ? 1 : -1;
    const at = corner * 3;
    const nx = side * normals[at]!;
    const ny = side * normals[at + 1]!;
    const nz = side * normals[at + 2]!;
    const bnx = side * normals[at + 3]! - nx;
    const bny = side * normals[at + 4]! - ny;
    const bnz = side * normals[at + 5]! - nz;
    const cnx = side * normals[at + 6]! - nx;
    const cny = side * normals[at + 7]! - ny;
    const cnz = side * normals[at + 8]! - nz;
    for (; column < end && faces[row * projection.width + column] === face; column += 1) {
      const bShare = bRow + column * bStep;
      const cShare = cRow + column * cStep;
      to[column * 3] = nx + bShare * bnx + cShare * cnx;
      to[column * 3 + 1] = ny + bShare * bny + cShare * cny;
      to[column * 3 + 2] = nz + bShare * bnz + cShare * cnz;
    }
  }
}
