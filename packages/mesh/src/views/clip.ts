// What stands beside or behind the eye is cut off: in perspective it has no place in the picture.

import type { Mesh } from "../mesh.ts";
import { nearnessOf, type Projection } from "./projection.ts";

/** The part of the way from the eye to the center in which nothing is seen. */
const NEAREST = 1e-3;

interface Clipped {
  readonly shown: Mesh;
  readonly normals: Float32Array;
  /** Of each triangle, the one that it is a piece of; left out where nothing was cut off. */
  readonly origins: Uint32Array | undefined;
}

/** The triangles before the eye, cut where they reach past it, with a normal for each corner. */
export function clipAtEye(mesh: Mesh, normals: Float32Array, projection: Projection): Clipped {
  const { positions, triangles } = mesh;
  if (projection.distance === undefined) return { shown: mesh, normals, origins: undefined };
  const nearness = nearnessOf(positions, projection);
  const limit = projection.distance * projection.scale * (1 - NEAREST);
  if (!nearness.some((near) => near > limit)) return { shown: mesh, normals, origins: undefined };

  const kept = { positions: [] as number[], normals: [] as number[], origins: [] as number[] };
  const keep = ({ position, normal }: Corner) => {
    kept.positions.push(...position);
    kept.normals.push(...normal);
  };
  for (let first = 0; first + 2 < triangles.length; first += 3) {
    const corners = [first, first + 1, first + 2].map((corner): Corner => {
      const at = triangles[corner]! * 3;
      const near = nearness[triangles[corner]!] ?? Number.NaN;
      return {
        near,
        position: [...positions.subarray(at, at + 3)],
        normal: [...normals.subarray(corner * 3, corner * 3 + 3)],
      };
    });
    if (corners.some(({ near }) => Number.isNaN(near))) continue;
    const [start, ...rest] = cutCorners(corners, limit);
    for (let at = 0; at + 1 < rest.length; at += 1) {
      for (const corner of [start!, rest[at]!, rest[at + 1]!]) keep(corner);
      kept.origins.push(first / 3);
    }
  }
  const shown = {
    positions: Float32Array.from(kept.positions),
    triangles: Uint32Array.from({ length: kept.origins.length * 3 }, (_, corner) => corner),
  };
  return { shown, normals: Float32Array.from(kept.normals), origins: Uint32Array.from(kept.origins) };
}

interface Corner {
  readonly near: number;
  readonly position: readonly number[];
  readonly normal: readonly number[];
}

/** The corners of what is left of a triangle: none, three or four, in order. */
function cutCorners(corners: readonly Corner[], limit: number): Corner[] {
  return corners.flatMap((corner, at) => {
    const next = corners[(at + 1) % 3]!;
    const kept = corner.near <= limit ? [corner] : [];
    return corner.near <= limit === next.near <= limit ? kept : [...kept, between(corner, next, limit)];
  });
}

/** The corner on the way from one to the other that is as near as the limit. */
function between(one: Corner, other: Corner, limit: number): Corner {
  const share = (limit - one.near) / (other.near - one.near);
  const mix = (from: readonly number[], to: readonly number[]) =>
    from.map((value, at) => value + share * (to[at]! - value));
  return { near: limit, position: mix(one.position, other.position), normal: mix(one.normal, other.normal) };
}
