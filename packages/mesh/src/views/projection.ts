// Where the places of a mesh fall in a picture, in parallel or in perspective; and the four named views, which are parallel.
//
// front  from ahead, looking aft: port (+y) is on the right, up is +z
// side   from starboard: the bow (+x) is on the right, up is +z
// top    from above: the bow (+x) is on the right, port (+y) is up
// iso    a three-quarter view from ahead, to starboard and above: the bow is on the right

import { UsageError } from "@loopwright/core";
import type { Mesh } from "../mesh.ts";
import { requireSize } from "../picture.ts";

/** The four usual views. */
export const viewNames = ["front", "side", "top", "iso"] as const;

/** One of the four usual views. */
export type ViewName = (typeof viewNames)[number];

/** What a square picture shows: its middle, and how many meters it is across. */
export interface Frame {
  readonly center: readonly [number, number, number];
  readonly meters: number;
}

export type Vector = readonly [number, number, number];

/** Where a view's picture points in the world: to its right, up, and out of it to the viewer. */
export interface Axes {
  readonly right: Vector;
  readonly up: Vector;
  readonly toward: Vector;
}

/** How a place becomes a pixel. */
export interface Projection {
  readonly axes: Axes;
  /** What is in the middle of the picture. */
  readonly center: Vector;
  /** Pixels a meter, at the center. */
  readonly scale: number;
  /** Meters from the eye to the center; left out, every line of sight is parallel. */
  readonly distance?: number;
  readonly width: number;
  readonly height: number;
}

// The angles of iso are those of right triangles with whole sides (3-4-5 and 8-15-17), so that no sine is rounded.
const axes: Readonly<Record<ViewName, Axes>> = {
  front: { right: [0, 1, 0], up: [0, 0, 1], toward: [1, 0, 0] },
  side: { right: [1, 0, 0], up: [0, 0, 1], toward: [0, -1, 0] },
  top: { right: [1, 0, 0], up: [0, 1, 0], toward: [0, 0, 1] },
  iso: { right: [4 / 5, 3 / 5, 0], up: [-24 / 85, 32 / 85, 15 / 17], toward: [9 / 17, -12 / 17, 8 / 17] },
};

/** Where a picture is taken from, in degrees; a camera has them. */
export interface Angles {
  readonly azimuth: number;
  readonly elevation: number;
}

/** The axes of a view; right × up is toward. */
export function axesOf(view: ViewName | Angles): Axes {
  return typeof view === "string" ? axes[view] : axesToward(view);
}

const degrees = 180 / Math.PI;

/** The axes of a camera; those of right angles are exact. */
export function axesToward({ azimuth, elevation }: Angles): Axes {
  const [sinAround, cosAround] = sineAndCosine(azimuth);
  const [sinUp, cosUp] = sineAndCosine(elevation);
  return {
    right: [-sinAround, cosAround, 0],
    up: [-sinUp * cosAround, -sinUp * sinAround, cosUp],
    toward: [cosUp * cosAround, cosUp * sinAround, sinUp],
  };
}

function sineAndCosine(angle: number): [number, number] {
  const turns = angle / 90;
  if (!Number.isInteger(turns)) return [Math.sin(angle / degrees), Math.cos(angle / degrees)];
  const quarter = ((turns % 4) + 4) % 4;
  return [[0, 1, 0, -1][quarter]!, [1, 0, -1, 0][quarter]!];
}

/** A view of a frame, as a square picture. */
export function frameToProjection(view: ViewName | Angles, frame: Frame, size: number): Projection {
  if (!(frame.meters > 0) || !Number.isFinite(frame.meters) || !frame.center.every(Number.isFinite))
    throw new UsageError(
      "FRAME_INVALID",
      `a frame of ${frame.meters} m around (${frame.center.join(", ")}) shows nothing: use finite numbers and more than 0 m`,
    );
  requireSize(size);
  return { axes: axesOf(view), center: frame.center, scale: size / frame.meters, width: size, height: size };
}

/**
 * Where each vertex falls in a picture: x to the right and y down in pixels, from its top left corner.
 * A vertex that is no place becomes NaN in both, whichever of its coordinates the view looks along.
 */
export function project(positions: Float32Array, projection: Projection): Float64Array {
  const { center, scale, width, height } = projection;
  const [rx, ry, rz] = projection.axes.right;
  const [ux, uy, uz] = projection.axes.up;
  const [cx, cy, cz] = center;
  const middle = width / 2;
  const level = height / 2;
  const points = new Float64Array(Math.floor(positions.length / 3) * 2);
  for (let from = 0, into = 0; into < points.length; from += 3, into += 2) {
    const x = positions[from]! - cx;
    const y = positions[from + 1]! - cy;
    const z = positions[from + 2]! - cz;
    const across = (rx * x + ry * y + rz * z) * scale;
    const above = (ux * x + uy * y + uz * z) * scale;
    const zeroOrNaN = (across + above) * 0;
    points[into] = middle + across + zeroOrNaN;
    points[into + 1] = level - above + zeroOrNaN;
  }
  return points;
}

/** What stands further off than this many pixels is held there, so that it fits a 32-bit depth. */
const FARTHEST = 1e30;

/** How far each vertex stands before the center, toward the viewer, in pixels. */
export function nearnessOf(positions: Float32Array, { axes, center, scale }: Projection): Float64Array {
  const { toward } = axes;
  const nearness = new Float64Array(Math.floor(positions.length / 3));
  for (let vertex = 0; vertex < nearness.length; vertex += 1) {
    const x = positions[vertex * 3]! - center[0];
    const y = positions[vertex * 3 + 1]! - center[1];
    const z = positions[vertex * 3 + 2]! - center[2];
    const near = (toward[0] * x + toward[1] * y + toward[2] * z) * scale;
    nearness[vertex] = Math.max(-FARTHEST, Math.min(FARTHEST, near));
  }
  return nearness;
}

/**
 * Moves points that were projected in parallel to where they fall in perspective, and turns each nearness into how much
 * larger things are there than at the center: of all that tells how near a place is, this runs evenly over a triangle.
 */
export function foreshorten(points: Float64Array, nearness: Float64Array, projection: Projection): void {
  if (projection.distance === undefined) return;
  const eye = projection.distance * projection.scale;
  const [middle, level] = [projection.width / 2, projection.height / 2];
  for (let vertex = 0; vertex < nearness.length; vertex += 1) {
    const larger = eye / (eye - nearness[vertex]!);
    nearness[vertex] = larger;
    points[vertex * 2] = middle + (points[vertex * 2]! - middle) * larger;
    points[vertex * 2 + 1] = level + (points[vertex * 2 + 1]! - level) * larger;
  }
}

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
