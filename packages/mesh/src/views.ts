// The four views of a mesh: orthographic, onto a square picture.
//
// front  from ahead, looking aft: port (+y) is on the right, up is +z
// side   from starboard: the bow (+x) is on the right, up is +z
// top    from above: the bow (+x) is on the right, port (+y) is up
// iso    a three-quarter view from ahead, to starboard and above: the bow is on the right

import { UsageError } from "@loopwright/core";

export const viewNames = ["front", "side", "top", "iso"] as const;

export type ViewName = (typeof viewNames)[number];

/** What a square picture shows: its middle, and how many metres it is across. */
export interface Frame {
  readonly centre: readonly [number, number, number];
  readonly metres: number;
}

type Vector = readonly [number, number, number];

/** Where a view's picture points in the world: to its right, up, and out of it to the viewer. */
export interface Axes {
  readonly right: Vector;
  readonly up: Vector;
  readonly toward: Vector;
}

// The angles of iso are those of right triangles with whole sides (3-4-5 and 8-15-17), so that no sine is rounded.
const axes: Readonly<Record<ViewName, Axes>> = {
  front: { right: [0, 1, 0], up: [0, 0, 1], toward: [1, 0, 0] },
  side: { right: [1, 0, 0], up: [0, 0, 1], toward: [0, -1, 0] },
  top: { right: [1, 0, 0], up: [0, 1, 0], toward: [0, 0, 1] },
  iso: { right: [4 / 5, 3 / 5, 0], up: [-24 / 85, 32 / 85, 15 / 17], toward: [9 / 17, -12 / 17, 8 / 17] },
};

/** The axes of a view; right × up is toward. */
export function axesOf(view: ViewName): Axes {
  return axes[view];
}

/** The most pixels that a side of a picture may have. */
export const LARGEST_SIDE = 8192;

/** Throws unless a picture of this frame and size can be made. */
export function requireFrame(frame: Frame, size: number): void {
  if (!(frame.metres > 0) || !Number.isFinite(frame.metres) || !frame.centre.every(Number.isFinite))
    throw new UsageError(
      "FRAME_INVALID",
      `a frame of ${frame.metres} m around (${frame.centre.join(", ")}) shows nothing: use finite numbers and more than 0 m`,
    );
  requireSize(size);
}

/** Throws unless a square picture can have this many pixels a side. */
export function requireSize(size: number): void {
  if (!Number.isInteger(size) || size < 1 || size > LARGEST_SIDE)
    throw new UsageError("PICTURE_SIZE", `a picture of ${size} pixels a side cannot be made: use 1 to ${LARGEST_SIDE}`);
}

/**
 * Writes where each vertex falls in a square picture: x to the right and y down in pixels, from its top left corner.
 * A vertex that is no place becomes NaN in both, whichever of its coordinates the view looks along.
 */
export function project(positions: Float32Array, view: ViewName, frame: Frame, size: number, to: Float64Array): void {
  const { right, up } = axes[view];
  const [rx, ry, rz] = right;
  const [ux, uy, uz] = up;
  const [cx, cy, cz] = frame.centre;
  const scale = size / frame.metres;
  const middle = size / 2;
  for (let from = 0, into = 0; from + 2 < positions.length; from += 3, into += 2) {
    const x = positions[from]! - cx;
    const y = positions[from + 1]! - cy;
    const z = positions[from + 2]! - cz;
    const across = (rx * x + ry * y + rz * z) * scale;
    const above = (ux * x + uy * y + uz * z) * scale;
    const zeroOrNaN = (across + above) * 0;
    to[into] = middle + across + zeroOrNaN;
    to[into + 1] = middle - above + zeroOrNaN;
  }
}
