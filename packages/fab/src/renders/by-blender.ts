// Beauty and clay pictures by a clean Blender, in a profile. What goes wrong is a code, or a reason why there are none.

import { type GlbPictures, renderGlb } from "@loopwright/blender";
import { type Finding, InfrastructureError, LoopwrightError } from "@loopwright/core";
import { found } from "../playbook/found.ts";
import type { NamedView, Profile } from "./views.ts";

export const renderStyles = ["beauty", "clay"] as const;
export type RenderStyle = (typeof renderStyles)[number];

/** All taken; or the code that the asset gets; or why there can be none here. */
export type Rendered = { isDone: true } | { problem: Finding } | { missing: string };

export interface Order {
  views: readonly NamedView[];
  profile: Profile;
  onPicture(name: { view: string; style: RenderStyle }, png: Uint8Array): Promise<void>;
  signal: AbortSignal;
  limits?: GlbPictures["limits"];
}

/** Blender is asked twice: one that ends by itself may have had other reasons than the file. */
const TRIES = 2;

export async function renderByBlender(glb: Uint8Array, order: Order): Promise<Rendered> {
  for (let tries = 1; ; tries += 1) {
    const outcome = await renderOnce(glb, order);
    const isCrash = "problem" in outcome && outcome.problem.code === "BLENDER_CRASH";
    if (!isCrash || tries === TRIES) return outcome;
  }
}

async function renderOnce(glb: Uint8Array, { views, profile, onPicture, signal, ...rest }: Order): Promise<Rendered> {
  const { engine, samples, width, height, limitMs } = profile;
  const shots = views.flatMap((view) => renderStyles.map((style) => ({ ...view, style })));
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
    if (error instanceof LoopwrightError) return { missing: error.message.split("\n", 1)[0]! };
    throw error;
  }
}

function lostTo({ message, data }: InfrastructureError): Finding {
  const words = message.split("\n", 1)[0]!;
  if (data.isMemory === true) return found("RENDER_OOM", words);
  return found(data.reason === "limit" ? "RENDER_TIMEOUT" : "BLENDER_CRASH", `at the ${data.at}: ${words}`);
}
