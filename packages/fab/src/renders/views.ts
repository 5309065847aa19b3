// The canonical views: where pictures of an asset are taken from, round its own front.

import { type Camera, turntable } from "@loopwright/mesh";
import type { ProfileName } from "../task.ts";

/** Degrees round the asset's front, to its left, and upwards. */
export const canonicalViews = {
  front_3q: { azimuth: 45, elevation: 15 },
  rear_3q: { azimuth: 225, elevation: 15 },
  side_left: { azimuth: 90, elevation: 5 },
  front: { azimuth: 0, elevation: 10 },
  top: { azimuth: 0, elevation: 75 },
  close_wheel_front: { azimuth: 60, elevation: 10 },
} as const satisfies Record<string, Camera>;

export interface Profile {
  engine: "workbench" | "cycles";
  samples: number;
  width: number;
  height: number;
  /** Pictures of the turntable. */
  frames: number;
}

export const profilesByName: Readonly<Record<ProfileName, Profile>> = {
  draft: { engine: "workbench", samples: 1, width: 384, height: 256, frames: 4 },
  standard: { engine: "cycles", samples: 16, width: 768, height: 512, frames: 12 },
  final: { engine: "cycles", samples: 128, width: 768, height: 512, frames: 12 },
};

export interface NamedView extends Camera {
  name: string;
}

/** The canonical views and the turntable of an asset whose front looks that way. */
export function viewsFrom(front: number, frames: number): NamedView[] {
  const turned = (name: string, camera: Camera) => ({ ...camera, name, azimuth: (camera.azimuth + front + 360) % 360 });
  return [
    ...Object.entries(canonicalViews).map(([name, camera]) => turned(name, camera)),
    ...turntable(frames).map((camera, at) => turned(`turntable_${String(at).padStart(2, "0")}`, camera)),
  ];
}
