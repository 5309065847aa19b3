// Pictures of an asset, from the canonical views round its own front: by our own rasterizer, the same everywhere and all that a model
// is shown; and beauty and clay by a clean Blender, in a profile.

import { type GlbPictures, renderGlb } from "@loopwright/blender";
import { type Finding, InfrastructureError, LoopwrightError } from "@loopwright/core";
import { type Camera, type Model, onGround, pictureToPng, renderViews, turntable } from "@loopwright/mesh";
import type { Render } from "./critics/critic.ts";
import { found } from "./playbook.ts";
import type { ProfileName } from "./task.ts";

/** Degrees round the asset's front, to its left, and upwards. */
const canonicalViews = {
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

interface Profile {
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

interface NamedView extends Camera {
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

const SIZE = { width: 768, height: 512 };

/** Each canonical view, shaded in its materials' colors and in clay, on a light ground. */
export function rasterViews(model: Model, asset: Placed) {
  const views = viewsFrom(asset, 1).filter(({ name }) => !name.startsWith("turntable"));
  const seen = renderViews(model, views, { size: SIZE });
  return views.flatMap(({ name: view }, at) =>
    (["shaded", "clay"] as const).map((style) => ({ view, style, png: pictureToPng(onGround(seen[at]![style]())) })),
  );
}

/** All taken; or the code that the asset gets; or why there can be none here. */
type Rendered = { isDone: true } | { problem: Finding } | { missing: string };

interface Order {
  views: readonly NamedView[];
  profile: Profile;
  onPicture(name: { view: string; style: Render["style"] }, png: Uint8Array): Promise<void>;
  signal: AbortSignal;
  limits?: GlbPictures["limits"];
}

/** Blender is asked twice: one that ends by itself may have had other reasons than the file. One that does not start had none. */
const TRIES = 2;
const STARTS = 4;

export async function renderByBlender(glb: Uint8Array, order: Order): Promise<Rendered> {
  for (let tries = 1; ; tries += 1) {
    const outcome = await renderOnce(glb, order).catch((error: unknown) => {
      if (!(error instanceof InfrastructureError) || tries >= STARTS) throw error;
    });
    if (!outcome) continue;
    const isCrash = "problem" in outcome && outcome.problem.code === "BLENDER_CRASH";
    if (!isCrash || tries >= TRIES) return outcome;
  }
}

async function renderOnce(glb: Uint8Array, { views, profile, onPicture, signal, ...rest }: Order): Promise<Rendered> {
  const { engine, samples, width, height, limitMs } = profile;
  const shots = views.flatMap((view) => (["beauty", "clay"] as const).map((style) => ({ ...view, style })));
  const deadline = AbortSignal.timeout(limitMs);
  try {
    await renderGlb(glb, {
      pictures: shots.map(({ name, ...camera }) => ({
        ...{ ...camera, engine, samples, size: [width, height] },
        // A turntable must not swell and shrink.
        fit: name.startsWith("turntable_") ? "ball" : "box",
      })),
      onPicture: (png, index) => onPicture({ view: shots[index]!.name, style: shots[index]!.style }, png),
      signal: AbortSignal.any([signal, deadline]),
      ...rest,
    });
    return { isDone: true };
  } catch (error) {
    signal.throwIfAborted();
    if (deadline.aborted)
      return { problem: found("RENDER_TIMEOUT", `the pictures were not done within ${limitMs / 1000} s`) };
    if (error instanceof InfrastructureError && error.data.at !== undefined) return { problem: lostTo(error) };
    if (error instanceof LoopwrightError && !(error instanceof InfrastructureError))
      return { missing: error.message.split("\n", 1)[0]! };
    throw error;
  }
}

function lostTo({ message, data }: InfrastructureError): Finding {
  const words = message.split("\n", 1)[0]!;
  if (data.isMemory === true) return found("RENDER_OOM", words);
  return found(data.reason === "limit" ? "RENDER_TIMEOUT" : "BLENDER_CRASH", `at the ${data.at}: ${words}`);
}
