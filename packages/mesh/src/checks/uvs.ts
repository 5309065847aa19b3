// Materials and texture places: what textured parts need to look as they were meant.

import type { Mesh, Part, Texture } from "../mesh.ts";
import { makeSpans, scanTriangle } from "../views/scan.ts";

/** How far outside a place may be for rounding, and how far where a texture repeats. */
const ROUNDING = 1e-3;
const ABSURD = 1000;

export function measureUvs(mesh: Mesh) {
  const { parts = [], materials = [] } = mesh;
  const textured = parts.flatMap((part) => {
    const texture = part.material === undefined ? undefined : materials[part.material]?.texture;
    return texture && part.count > 0 ? [{ part, texture }] : [];
  });
  const placed = textured.filter(({ part }) => hasUvs(mesh, part));
  let uvsOutOfRange = 0;
  const byTexture = new Map<Texture, Part[]>();
  for (const { part, texture } of placed) {
    const outside = verticesOutside(mesh, part, texture.isRepeated ? ABSURD : ROUNDING);
    uvsOutOfRange += outside;
    const isInside = verticesOutside(mesh, part, ROUNDING) === 0;
    if (isInside) byTexture.set(texture, [...(byTexture.get(texture) ?? []), part]);
  }
  return {
    /** Of the parts that the file names: those whose material has a texture and that have no places in it. */
    objectsWithoutUvs: textured.length - placed.length,
    /** Vertices, of textured parts, whose places lie outside of a texture that does not repeat, or are absurd. */
    uvsOutOfRange,
    /** The part, 0 to 1, of what textures show that they show in more than one place. */
    uvOverlap: [...byTexture.values()].reduce((most, those) => Math.max(most, overlapOf(mesh, those)), 0),
    /** Textures that are named and not there. */
    missingTextures: materials.filter(({ texture }) => texture?.missing !== undefined).length,
  };
}

function hasUvs({ uvs, triangles }: Mesh, { first, count }: Part): boolean {
  if (!uvs) return false;
  for (let corner = first * 3; corner < (first + count) * 3; corner += 1)
    if (!Number.isNaN(uvs[triangles[corner]! * 2] ?? Number.NaN)) return true;
  return false;
}

function verticesOutside({ uvs, triangles }: Mesh, { first, count }: Part, far: number): number {
  const outside = new Set<number>();
  for (let corner = first * 3; corner < (first + count) * 3; corner += 1) {
    const vertex = triangles[corner]!;
    const [u, v] = [uvs![vertex * 2]!, uvs![vertex * 2 + 1]!];
    if (!(u >= -far && u <= 1 + far && v >= -far && v <= 1 + far)) outside.add(vertex);
  }
  return outside.size;
}

/** Texture places are looked at on a grid of so many pixels a side. */
const SIDE = 256;
/** When so many pixels have been looked at, the rest is taken for sound. */
const MOST_PIXELS = 100_000_000;

function overlapOf({ uvs, triangles }: Mesh, parts: readonly Part[]): number {
  const counts = new Uint8Array(SIDE * SIDE);
  const spans = makeSpans(SIDE);
  let looked = 0;
  for (const { first, count } of parts) {
    for (let face = first; face < first + count && looked < MOST_PIXELS; face += 1) {
      const [a, b, c] = [triangles[face * 3]! * 2, triangles[face * 3 + 1]! * 2, triangles[face * 3 + 2]! * 2];
      const [ax, ay, bx, by] = [uvs![a]! * SIDE, uvs![a + 1]! * SIDE, uvs![b]! * SIDE, uvs![b + 1]! * SIDE];
      if (!scanTriangle(ax, ay, bx, by, uvs![c]! * SIDE, uvs![c + 1]! * SIDE, SIDE, SIDE, spans)) continue;
      for (let row = spans.first; row < spans.end; row += 1) {
        looked += spans.to[row]! - spans.from[row]! + 1;
        for (let column = spans.from[row]!; column < spans.to[row]!; column += 1)
          if (counts[row * SIDE + column]! < 255) counts[row * SIDE + column]! += 1;
      }
    }
  }
  let [used, twice] = [0, 0];
  for (const count of counts) {
    if (count > 0) used += 1;
    if (count > 1) twice += 1;
  }
  return used === 0 ? 0 : twice / used;
}

/** How a mesh lies in its texture. */
export interface UnwrapFigures {
  /** Triangles with a corner that has no place in a texture, or one that is no number. */
  readonly unplaced: number;
  /** Triangles with a corner outside of the texture. */
  readonly outside: number;
  /** The part, 0 to 1, of the surface whose triangles have no area in the texture. */
  readonly flatShare: number;
  /** Pairs of triangles of which one lies over the other. */
  readonly overlapping: number;
  /** False where so much lies in one place that not every pair was looked at. */
  readonly isComplete: boolean;
}

/** Places are rounded; a texture of 4,096 pixels has none that is smaller than 25 of these. */
const NEAR = 1e-5;
const LEAST_AREA = 1e-12;
const MOST_WORK = 50_000_000;

/** Figures of a mesh's unwrapping. Triangles that share an edge or touch do not overlap. */
export function measureUnwrap(mesh: Mesh): UnwrapFigures {
  const total = mesh.triangles.length / 3;
  const corners = new Float64Array(total * 6);
  const placed: number[] = [];
  let [unplaced, outside, flat, surface] = [0, 0, 0, 0];
  for (let face = 0; face < total; face += 1) {
    const area = areaOf(mesh, face);
    surface += area;
    for (let corner = 0; corner < 3; corner += 1) {
      const vertex = mesh.triangles[face * 3 + corner]!;
      corners[face * 6 + corner * 2] = mesh.uvs?.[vertex * 2] ?? Number.NaN;
      corners[face * 6 + corner * 2 + 1] = mesh.uvs?.[vertex * 2 + 1] ?? Number.NaN;
    }
    const own = corners.subarray(face * 6, face * 6 + 6);
    if (!own.every(Number.isFinite)) unplaced += 1;
    else if (own.some((at) => at < -NEAR || at > 1 + NEAR)) outside += 1;
    else if (Math.abs(crossOf(own)) < LEAST_AREA) flat += area;
    else placed.push(face);
  }
  return { unplaced, outside, flatShare: surface > 0 ? flat / surface : 0, ...countOverlaps(corners, placed) };
}

/** Triangles are sorted into squares, and compared with those in the same one. */
function countOverlaps(corners: Float64Array, faces: readonly number[]) {
  const side = Math.min(1024, Math.max(1, Math.ceil(Math.sqrt(faces.length))));
  const cell = (at: number) => Math.min(side - 1, Math.max(0, Math.floor(at * side)));
  const cells = new Map<number, number[]>();
  let [work, overlapping] = [0, 0];
  for (const face of faces) {
    const [left, low, right, high] = boxOf(corners, face).map(cell) as [number, number, number, number];
    for (let row = low; row <= high; row += 1)
      for (let column = left; column <= right; column += 1) {
        const key = row * side + column;
        const here = cells.get(key);
        work += 1 + (here?.length ?? 0);
        if (work > MOST_WORK) return { overlapping, isComplete: false };
        for (const other of here ?? []) {
          // A pair that shares several squares counts in the first.
          const box = boxOf(corners, other);
          if (Math.max(left, cell(box[0])) !== column || Math.max(low, cell(box[1])) !== row) continue;
          if (overlap(corners, face, other)) overlapping += 1;
        }
        if (here) here.push(face);
        else cells.set(key, [face]);
      }
  }
  return { overlapping, isComplete: true };
}

/** Whether two triangles have more than an edge in common: no edge of either parts them. */
function overlap(corners: Float64Array, a: number, b: number): boolean {
  return !isParted(corners, a, b) && !isParted(corners, b, a);
}

/** Whether the other triangle lies beyond one of this one's edges. */
function isParted(corners: Float64Array, face: number, other: number): boolean {
  const sign = Math.sign(crossOf(corners.subarray(face * 6, face * 6 + 6)));
  for (let edge = 0; edge < 3; edge += 1) {
    const [from, to] = [face * 6 + edge * 2, face * 6 + ((edge + 1) % 3) * 2];
    const [x, y] = [corners[to]! - corners[from]!, corners[to + 1]! - corners[from + 1]!];
    const length = Math.hypot(x, y);
    let furthest = -Infinity;
    for (let corner = other * 6; corner < other * 6 + 6; corner += 2) {
      const inwards =
        sign * (x * (corners[corner + 1]! - corners[from + 1]!) - y * (corners[corner]! - corners[from]!));
      furthest = Math.max(furthest, inwards);
    }
    if (furthest <= NEAR * length) return true;
  }
  return false;
}

function crossOf([ax, ay, bx, by, cx, cy]: Float64Array): number {
  return (bx! - ax!) * (cy! - ay!) - (by! - ay!) * (cx! - ax!);
}

function boxOf(corners: Float64Array, face: number): [number, number, number, number] {
  const at = face * 6;
  const [ax, ay, bx, by] = [corners[at]!, corners[at + 1]!, corners[at + 2]!, corners[at + 3]!];
  const [cx, cy] = [corners[at + 4]!, corners[at + 5]!];
  return [Math.min(ax, bx, cx), Math.min(ay, by, cy), Math.max(ax, bx, cx), Math.max(ay, by, cy)];
}

function areaOf({ positions, triangles }: Mesh, face: number): number {
  const [a, b, c] = [0, 1, 2].map((corner) => triangles[face * 3 + corner]! * 3) as [number, number, number];
  const edge = (to: number) => [0, 1, 2].map((axis) => positions[to + axis]! - positions[a + axis]!);
  const [[ux, uy, uz], [vx, vy, vz]] = [edge(b), edge(c)];
  const area = Math.hypot(uy! * vz! - uz! * vy!, uz! * vx! - ux! * vz!, ux! * vy! - uy! * vx!) / 2;
  return Number.isFinite(area) ? area : 0;
}
