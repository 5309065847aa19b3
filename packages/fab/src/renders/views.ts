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

/** What each of them shows, in words. */
export const viewWords: Readonly<Record<string, string>> = {
  front_3q: "from the front left",
  rear_3q: "from behind, on the right",
  side_left: "the left side",
  front: "the front",
  top: "from above",
  close_wheel_front: "a close look at the front left, low down",
};

export interface Profile {
  engine: "workbench" | "cycles";
  samples: number;
  width: number;
  height: number;
  /** Pictures of the turntable. */
  frames: number;
  /** The most for all pictures together. */
  limitMs: number;
}

export const profilesByName: Readonly<Record<ProfileName, Profile>> = {
  draft: { engine: "workbench", samples: 1, width: 384, height: 256, frames: 4, limitMs: 120_000 },
  standard: { engine: "cycles", samples: 16, width: 768, height: 512, frames: 12, limitMs: 900_000 },
  final: { engine: "cycles", samples: 128, width: 768, height: 512, frames: 12, limitMs: 3_600_000 },
};

export interface NamedView extends Camera {
  name: string;
}

/** What views are placed by: where the asset's front looks, and its box. */
export interface Placed {
  front: number;
  min: Vector;
  max: Vector;
}
type Vector = readonly [number, number, number];

/** The canonical views of an asset, and its turntable. */
export function viewsFrom(asset: Placed, frames: number): NamedView[] {
  const turned = (name: string, camera: Camera) => ({
    ...camera,
    name,
    azimuth: (camera.azimuth + asset.front + 360) % 360,
  });
  return [
    ...Object.entries(canonicalViews).map(([name, camera]) =>
      turned(name, name.startsWith("close_") ? { ...camera, ...closeUp(asset) } : camera),
    ),
    ...turntable(frames).map((camera, at) => turned(`turntable_${String(at).padStart(2, "0")}`, camera)),
  ];
}

/** How far ahead of the middle a front wheel is, and how high, as parts of length and height. */
const [AHEAD, UP] = [0.3, 0.22];

/** A look at the front left corner, low down, from a body's length away. */
function closeUp({ front, min, max }: Placed): Pick<Camera, "target" | "distance"> {
  const angle = (front * Math.PI) / 180;
  const [ahead, left] = [Math.cos(angle), Math.sin(angle)];
  const sides = [0, 1, 2].map((axis) => max[axis]! - min[axis]!) as [number, number, number];
  const length = Math.abs(ahead) * sides[0] + Math.abs(left) * sides[1];
  const width = Math.abs(left) * sides[0] + Math.abs(ahead) * sides[1];
  const middle = [0, 1].map((axis) => (max[axis]! + min[axis]!) / 2) as [number, number];
  return {
    target: [
      middle[0] + AHEAD * length * ahead - (width / 2) * left,
      middle[1] + AHEAD * length * left + (width / 2) * ahead,
      min[2] + UP * sides[2],
    ],
    distance: Math.max(length, width, sides[2]) * 0.75 || 1,
  };
}
