// Cameras: where a picture of a mesh is taken from, and what that comes to.

import { UsageError } from "@loopwright/core";
import { boundsOf, type Mesh } from "../mesh.ts";
import { cornerNormals } from "../normals.ts";
import { requireSize } from "../picture.ts";
import { type Axes, axesToward, type Projection, type Vector, type ViewName } from "./projection.ts";
import { View } from "./view.ts";

/** Where a picture is taken from. */
export interface Camera {
  /** Degrees around the object: 0 stands before it (at +x), 90 at its left (+y), 180 behind it. */
  readonly azimuth: number;
  /** Degrees above it: 0 is level with what it looks at, 90 looks straight down. */
  readonly elevation: number;
  /** Meters from what it looks at; left out, the whole object fills the picture. */
  readonly distance?: number;
  /** The focal length in millimeters of a camera 36 mm wide. Without lens and distance the view is parallel. */
  readonly lens?: number;
  /** What it looks at; left out, the middle of the object. */
  readonly target?: Vector;
}

const degrees = 180 / Math.PI;

/** The views that have a name. */
export const cameras: Readonly<Record<ViewName, Camera>> = {
  front: { azimuth: 0, elevation: 0 },
  side: { azimuth: 270, elevation: 0 },
  top: { azimuth: 270, elevation: 90 },
  iso: { azimuth: 360 - Math.atan2(4, 3) * degrees, elevation: Math.atan2(8, 15) * degrees },
};

/** Cameras all round, in even steps; each has what `camera` says beside its azimuth. */
export function turntable(frames: number, camera: Partial<Camera> = {}): Camera[] {
  if (!Number.isInteger(frames) || frames < 1 || frames > MOST_FRAMES)
    throw new UsageError("CAMERA_INVALID", `a turntable of ${frames} frames cannot be made: use 1 to ${MOST_FRAMES}`);
  const { azimuth = 0, elevation = 15, ...rest } = camera;
  return Array.from({ length: frames }, (_, frame) => ({
    ...rest,
    azimuth: (azimuth + (360 * frame) / frames) % 360,
    elevation,
  }));
}

const MOST_FRAMES = 360;

/** How large pictures are, and whether all have one scale. */
export interface ViewOptions {
  /** Pixels of a side, or width and height. */
  readonly size?: number | { readonly width: number; readonly height: number };
  /** One scale for all pictures, so that a turntable does not swell and shrink; otherwise each is filled. */
  readonly isOneScale?: boolean;
}

/** What each camera sees of a mesh. */
export function renderViews(mesh: Mesh, from: readonly Camera[], options: ViewOptions = {}): View[] {
  const { size = 512, isOneScale = false } = options;
  const { width, height } = typeof size === "number" ? { width: size, height: size } : size;
  requireSize(width);
  requireSize(height);
  const seen = from.map((camera) => cameraToProjection(camera, mesh, width, height));
  const normals = cornerNormals(mesh);
  return (isOneScale ? sameScale(seen) : seen).map((projection) => new View(mesh, normals, projection));
}

/** How a camera sees a mesh. */
export function cameraToProjection(camera: Camera, mesh: Mesh, width: number, height: number): Projection {
  requireCamera(camera);
  const axes = axesToward(camera);
  const center = camera.target ?? middleOf(mesh);
  const [halfWidth, halfHeight] = [(width / 2) * (1 - MARGIN), (height / 2) * (1 - MARGIN)];
  if (camera.lens === undefined && camera.distance === undefined) {
    const across = farthest(mesh, center, axes, (x, y) => Math.max(Math.abs(x) / halfWidth, Math.abs(y) / halfHeight));
    // A single place is shown as if it were a meter across.
    return { axes, center, scale: across > 0 ? 1 / across : Math.min(width, height), width, height };
  }
  const focal = ((camera.lens ?? USUAL_LENS) / SENSOR) * Math.max(width, height);
  const wholeAt = (x: number, y: number, near: number) =>
    near + focal * Math.max(Math.abs(x) / halfWidth, Math.abs(y) / halfHeight);
  const distance = camera.distance ?? (Math.max(0, farthest(mesh, center, axes, wholeAt)) || 1);
  return { axes, center, scale: focal / distance, distance, width, height };
}

/** The part of a picture's side that stays free around the object. */
const MARGIN = 0.06;
/** Millimeters: the width of a camera's sensor, and the lens where only the distance is given. */
const SENSOR = 36;
const USUAL_LENS = 50;

function requireCamera({ azimuth, elevation, distance = 1, lens = USUAL_LENS, target = [0, 0, 0] }: Camera): void {
  const refuse = (what: string) => new UsageError("CAMERA_INVALID", `a camera cannot have ${what}`);
  if (!Number.isFinite(azimuth)) throw refuse(`an azimuth of ${azimuth}: use degrees`);
  if (!(Math.abs(elevation) <= 90)) throw refuse(`an elevation of ${elevation}: use degrees from -90 to 90`);
  if (!(distance > 0 && distance <= 1e9)) throw refuse(`a distance of ${distance}: use meters, more than 0`);
  if (!(lens >= 1 && lens <= 10_000)) throw refuse(`a lens of ${lens}: use millimeters from 1 to 10000`);
  if (target.length !== 3 || !target.every(Number.isFinite)) throw refuse(`a target of ${target}: use x, y and z`);
}

function middleOf(mesh: Mesh): Vector {
  const { min, max } = boundsOf(mesh);
  return [(min[0] + max[0]) / 2, (min[1] + max[1]) / 2, (min[2] + max[2]) / 2];
}

/** The most that a measure comes to over the places of a mesh, each as a view has it: right, up and toward, from its center. */
function farthest(
  { positions, triangles }: Mesh,
  center: Vector,
  { right, up, toward }: Axes,
  measure: (right: number, up: number, toward: number) => number,
): number {
  let most = -Infinity;
  for (const vertex of triangles) {
    const x = positions[vertex * 3]! - center[0];
    const y = positions[vertex * 3 + 1]! - center[1];
    const z = positions[vertex * 3 + 2]! - center[2];
    const found = measure(
      right[0] * x + right[1] * y + right[2] * z,
      up[0] * x + up[1] * y + up[2] * z,
      toward[0] * x + toward[1] * y + toward[2] * z,
    );
    if (found > most && found < Infinity) most = found;
  }
  return most;
}

/** The views at the smallest scale that one of them has; in perspective, from as far off as the farthest. */
function sameScale(projections: readonly Projection[]): Projection[] {
  const smallest = Math.min(...projections.map(({ scale }) => scale));
  return projections.map((projection) => {
    const { distance, scale } = projection;
    if (distance === undefined) return { ...projection, scale: smallest };
    return { ...projection, scale: smallest, distance: (distance * scale) / smallest };
  });
}
