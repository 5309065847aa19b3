// Materials and texture places: what textured parts need to look as they were meant.

import type { Mesh, Part, Texture } from "../mesh.ts";
import { makeSpans, scanTriangle } from "../views/scan.ts";

export interface UvFigures {
  /** Parts whose material has a texture and that have no places in it. */
  readonly partsWithoutUvs: number;
  /** Vertices, of textured parts, whose places lie outside of a texture that does not repeat, or are absurd. */
  readonly uvsOutOfRange: number;
  /** The part, 0 to 1, of what textures show that they show in more than one place. */
  readonly uvOverlap: number;
  /** Textures that are named and not there. */
  readonly missingTextures: number;
}

/** How far outside a place may be for rounding, and how far where a texture repeats. */
const ROUNDING = 1e-3;
const ABSURD = 1000;

export function measureUvs(mesh: Mesh): UvFigures {
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
    partsWithoutUvs: textured.length - placed.length,
    uvsOutOfRange,
    uvOverlap: [...byTexture.values()].reduce((most, those) => Math.max(most, overlapOf(mesh, those)), 0),
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
