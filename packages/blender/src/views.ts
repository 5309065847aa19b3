// Pictures of a mesh for a model's eye: made here, from the GLB, never by the Blender that ran the code.
//
// Angles are Blender's own: azimuth 0 looks from -Y (its front view), 90 from +X (its right view); elevation is upwards.

import { boundsOf, type Mesh, type Picture, pictureToPng, shade, silhouette } from "@loopwright/mesh";

export interface Camera {
  azimuth: number;
  elevation: number;
  /** From the middle of the model, in its units; far enough to see all of it where it is left out. */
  distance?: number | undefined;
  /** Millimetres on a sensor of 36; 50 where it is left out. */
  lens?: number | undefined;
}

export const views = {
  front: { azimuth: 0, elevation: 0 },
  right: { azimuth: 90, elevation: 0 },
  back: { azimuth: 180, elevation: 0 },
  left: { azimuth: 270, elevation: 0 },
  top: { azimuth: 0, elevation: 90 },
  bottom: { azimuth: 0, elevation: -90 },
  iso: { azimuth: 40, elevation: 30 },
} as const satisfies Record<string, Camera>;

export type View = keyof typeof views;
export const styles = ["shaded", "silhouette"] as const;
export type Style = (typeof styles)[number];

const BACKGROUND = 235;
const MARGIN = 1.08;

/** A PNG of the mesh from a camera. */
export function picture(mesh: Mesh, camera: Camera, size: number, style: Style): Uint8Array {
  const { min, max } = boundsOf(mesh);
  const centre = [0, 1, 2].map((axis) => (min[axis]! + max[axis]!) / 2) as [number, number, number];
  const metres = Math.max(Math.hypot(...[0, 1, 2].map((axis) => max[axis]! - min[axis]!)) * MARGIN, 1e-6);
  const turned = turn(mesh, camera, centre);
  const frame = { centre: [0, 0, 0] as const, metres };
  if (style === "silhouette") {
    const { data } = silhouette(turned, "front", frame, size);
    return pictureToPng({ width: size, height: size, channels: 1, data: data.map((is) => (is ? 20 : BACKGROUND)) });
  }
  return pictureToPng(flatten(shade(turned, "front", frame, size)));
}

/** The mesh as the camera sees it: x toward it, y to its right, z up. */
function turn({ positions, triangles }: Mesh, { azimuth, elevation }: Camera, centre: readonly number[]): Mesh {
  const [a, e] = [((azimuth - 90) * Math.PI) / 180, (elevation * Math.PI) / 180];
  const [toward, right, up] = [
    [Math.cos(e) * Math.cos(a), Math.cos(e) * Math.sin(a), Math.sin(e)],
    [-Math.sin(a), Math.cos(a), 0],
    [-Math.sin(e) * Math.cos(a), -Math.sin(e) * Math.sin(a), Math.cos(e)],
  ] as const;
  const turned = new Float32Array(positions.length);
  for (let at = 0; at + 2 < positions.length; at += 3) {
    const place = [positions[at]! - centre[0]!, positions[at + 1]! - centre[1]!, positions[at + 2]! - centre[2]!];
    for (const [axis, direction] of [toward, right, up].entries())
      turned[at + axis] = direction[0] * place[0]! + direction[1] * place[1]! + direction[2] * place[2]!;
  }
  return { positions: turned, triangles };
}

/** Grey and alpha on a light ground: some clients show what is transparent as black. */
function flatten({ width, height, data }: Picture): Picture {
  const grey = new Uint8Array(width * height);
  for (let pixel = 0; pixel < grey.length; pixel++) {
    const alpha = data[pixel * 2 + 1]! / 255;
    grey[pixel] = Math.round(data[pixel * 2]! * alpha + BACKGROUND * (1 - alpha));
  }
  return { width, height, channels: 1, data: grey };
}
