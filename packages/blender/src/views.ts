// Pictures of a mesh for a model's eye: made here, from the GLB, never by the Blender that ran the code.
//
// Angles are Blender's own: azimuth 0 looks from -Y (its front view), 90 from +X (its right view); elevation is upwards.

import { type Mesh, maskToPicture, onGround, pictureToPng, renderViews } from "@loopwright/mesh";

export interface Camera {
  azimuth: number;
  elevation: number;
  /** From the middle of the model, in its units; far enough to see all of it where it is left out. */
  distance?: number | undefined;
  /** Millimeters on a sensor of 36. Without lens and distance the view is parallel. */
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
export const styles = ["shaded", "clay", "silhouette", "depth", "normals"] as const;
export type Style = (typeof styles)[number];

/** From Blender's angles to those of a model that looks to +x. */
const FRONT = -90;

/** A PNG of the mesh from each camera, all at one scale. */
export function pictures(mesh: Mesh, cameras: readonly Camera[], size: number, style: Style): Uint8Array[] {
  const from = cameras.map(({ azimuth, elevation, distance, lens }) => ({
    azimuth: azimuth + FRONT,
    elevation,
    ...(distance === undefined ? {} : { distance }),
    ...(lens === undefined ? {} : { lens }),
  }));
  const seen = renderViews(mesh, from, { size, isOneScale: cameras.length > 1 });
  return seen.map((view) =>
    pictureToPng(onGround(style === "silhouette" ? maskToPicture(view.silhouette()) : view[style]())),
  );
}
