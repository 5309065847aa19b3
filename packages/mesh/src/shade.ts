// The shaded picture of a mesh: a depth buffer, smooth normals, a key light with fill and rim, and darker edges.
//
// The lights stand with the viewer, so that every view is lit alike.

import type { Mesh } from "./mesh.ts";
import { cornerNormals } from "./normals.ts";
import type { Picture } from "./rasterise.ts";
import { makeSpans, type Spans, scanTriangle } from "./scan.ts";
import { type Axes, axesOf, type Frame, project, requireFrame, type ViewName } from "./views.ts";

/** A shaded picture of a mesh in a view: grey and alpha, opaque where the object is. */
export function shade(mesh: Mesh, view: ViewName, frame: Frame, size: number): Picture {
  requireFrame(frame, size);
  const axes = axesOf(view);
  const points = new Float64Array(Math.floor(mesh.positions.length / 3) * 2);
  project(mesh.positions, view, frame, size, points);
  const canvas = {
    size,
    points,
    nearness: nearnessOf(mesh, axes, frame, size),
    normals: turnNormals(cornerNormals(mesh), axes),
    spans: makeSpans(size),
    depths: new Float32Array(size * size).fill(-Infinity),
    grey: new Uint8Array(size * size),
    drawn: makeSpans(size),
  };
  canvas.drawn.from.fill(size);
  // Of a closed mesh only faces turned to the viewer are seen: drawn first, they save lighting the others.
  drawFaces(mesh, canvas, true);
  drawFaces(mesh, canvas, false);
  return { width: size, height: size, channels: 2, data: darkenEdges(canvas) };
}

interface Canvas {
  readonly size: number;
  /** Where each vertex falls, and how near to the viewer it is, in pixels. */
  readonly points: Float64Array;
  readonly nearness: Float64Array;
  /** For each corner: right, up, toward. */
  readonly normals: Float32Array;
  readonly spans: Spans;
  /** How near the surface in a pixel is, -Infinity where there is none, and how it is lit. */
  readonly depths: Float32Array;
  readonly grey: Uint8Array;
  /** The columns of each row that anything was drawn in. */
  readonly drawn: Spans;
}

/** Draws the faces that are turned to the viewer, or those that are not. */
function drawFaces({ triangles }: Mesh, canvas: Canvas, isFront: boolean): void {
  const { points, spans, size } = canvas;
  const vertices = points.length / 2;
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
    if (scanTriangle(ax, ay, bx, by, cx, cy, size, spans)) drawSpans(canvas, corner, a, b, c, area);
  }
}

/** Twice the area in pixels under which a triangle is drawn flat: its slopes would be quotients of rounding errors. */
const SLIVER = 1e-6;

function drawSpans(canvas: Canvas, corner: number, a: number, b: number, c: number, area: number): void {
  const { size, points, nearness, normals, spans, depths, grey, drawn } = canvas;
  const isSliver = Math.abs(area) < SLIVER;
  const side = area < 0 ? 1 : -1;
  const ax = points[a * 2]!;
  const ay = points[a * 2 + 1]!;
  const bx = points[b * 2]! - ax;
  const by = points[b * 2 + 1]! - ay;
  const cx = points[c * 2]! - ax;
  const cy = points[c * 2 + 1]! - ay;
  const bStep = isSliver ? 0 : cy / area;
  const cStep = isSliver ? 0 : -by / area;
  const depth = nearness[a]!;
  const bDepth = nearness[b]! - depth;
  const cDepth = nearness[c]! - depth;
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
  for (let row = spans.first; row < spans.end; row += 1) {
    const dx = 0.5 - ax;
    const dy = row + 0.5 - ay;
    // How much of the corners b and c is in the row's first pixel.
    const bRow = isSliver ? 1 / 3 : (dx * cy - dy * cx) / area;
    const cRow = isSliver ? 1 / 3 : (dy * bx - dx * by) / area;
    const start = spans.from[row]!;
    const end = spans.to[row]!;
    if (start < drawn.from[row]!) drawn.from[row] = start;
    if (end > drawn.to[row]!) drawn.to[row] = end;
    for (let column = start; column < end; column += 1) {
      const b = bRow + column * bStep;
      const c = cRow + column * cStep;
      const near = depth + b * bDepth + c * cDepth;
      const pixel = row * size + column;
      if (near <= depths[pixel]!) continue;
      depths[pixel] = near;
      grey[pixel] = light(nx + b * bnx + c * cnx, ny + b * bny + c * cny, nz + b * bnz + c * cnz);
    }
  }
}

/** What stands further off than this many pixels is held there, so that it fits a 32-bit depth. */
const FARTHEST = 1e30;

function nearnessOf({ positions }: Mesh, { toward }: Axes, { centre, metres }: Frame, size: number): Float64Array {
  const scale = size / metres;
  const nearness = new Float64Array(Math.floor(positions.length / 3));
  for (let vertex = 0; vertex < nearness.length; vertex += 1) {
    const x = positions[vertex * 3]! - centre[0];
    const y = positions[vertex * 3 + 1]! - centre[1];
    const z = positions[vertex * 3 + 2]! - centre[2];
    const near = (toward[0] * x + toward[1] * y + toward[2] * z) * scale;
    nearness[vertex] = Math.max(-FARTHEST, Math.min(FARTHEST, near));
  }
  return nearness;
}

/** Turns normals, in place, from the world's axes to the view's: right, up, toward. */
function turnNormals(normals: Float32Array, { right, up, toward }: Axes): Float32Array {
  for (let at = 0; at < normals.length; at += 3) {
    const x = normals[at]!;
    const y = normals[at + 1]!;
    const z = normals[at + 2]!;
    normals[at] = right[0] * x + right[1] * y + right[2] * z;
    normals[at + 1] = up[0] * x + up[1] * y + up[2] * z;
    normals[at + 2] = toward[0] * x + toward[1] * y + toward[2] * z;
  }
  return normals;
}

// Directions to the lights, as right, up, toward: unit vectors with whole sides (2-3-6-7 and 1-2-2-3).
const KEY = [-2 / 7, 6 / 7, 3 / 7] as const;
const FILL = [2 / 3, -1 / 3, 2 / 3] as const;

/** The grey of a surface whose normal points this way; the normal need not be of unit length. */
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

/** How much of the grey is left in an edge. */
const OUTLINE = 0.35;

/** Joins grey and alpha, darker where the surface ends, steps back or folds. */
function darkenEdges({ grey, depths, drawn, size }: Canvas): Uint8Array {
  const data = new Uint8Array(size * size * 2);
  for (let row = 0; row < size; row += 1) {
    const end = drawn.to[row]!;
    for (let column = drawn.from[row]!; column < end; column += 1) {
      const pixel = row * size + column;
      const depth = depths[pixel]!;
      if (depth === -Infinity) continue;
      const left = column > 0 ? depths[pixel - 1]! : -Infinity;
      const right = column + 1 < size ? depths[pixel + 1]! : -Infinity;
      const above = row > 0 ? depths[pixel - size]! : -Infinity;
      const below = row + 1 < size ? depths[pixel + size]! : -Infinity;
      const edge = Math.max(edgeBetween(depth, left, right), edgeBetween(depth, above, below));
      data[pixel * 2] = grey[pixel]! * (1 - (1 - OUTLINE) * edge);
      data[pixel * 2 + 1] = 255;
    }
  }
  return data;
}

/** How much of an edge there is, 0 to 1, in a pixel that stands out from its neighbours on both sides. */
function edgeBetween(depth: number, before: number, after: number): number {
  const bend = depth * 2 - before - after;
  if (bend === Infinity) return 1;
  // The facets of a round surface bend too: the more, the more it falls away from the viewer.
  const allowed = 0.5 + 0.4 * Math.abs(before - after);
  return bend > allowed ? Math.min(1, (bend - allowed) / 3) : 0;
}
