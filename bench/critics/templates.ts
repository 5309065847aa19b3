// Assets by the templates, each seed another one, from one sandboxed Blender.

import { Blender } from "@loopwright/blender";
import { templateCode, templateNames } from "@loopwright/fab";
import type { Model } from "@loopwright/mesh";

export interface Built {
  readonly name: string;
  readonly kind: "car" | "chair";
  readonly seed: number;
  readonly model: Model;
  readonly bytes: Uint8Array;
}

/** One asset for each template and seed. */
export async function buildTemplates(seeds: readonly number[]): Promise<Built[]> {
  const blender = await Blender.start({ hasSpare: false });
  try {
    const built: Built[] = [];
    for (const name of templateNames)
      for (const seed of seeds) {
        await blender.reset();
        await blender.execute(templateCode(name, { seed }));
        const { mesh: model, bytes } = await blender.exported();
        built.push({ name, kind: name.startsWith("car") ? "car" : "chair", seed, model, bytes });
      }
    return built;
  } finally {
    await blender.stop();
  }
}
