// One look at the workcell's scene: its pictures and its export, saved, with what they are called.

import type { Artifact, EffectContext, Json } from "@loopwright/core";
import { viewNames } from "@loopwright/mesh";
import type { ModelingCell } from "../modeling.ts";
import { frameOf, type HullState, type HullTask } from "../task.ts";

/** What is recorded of a scene. */
export interface Scene {
  result: Json;
  scene_snapshot: Json;
  workcell_snapshot: string;
  current_renders: HullState["current_renders"];
  current_glb: Artifact;
  current_blend?: Artifact;
}

/** Runs code, where there is any, and takes everything down that the evaluator and the next iteration need. */
export async function runAndRecord(
  cell: ModelingCell,
  effect: Pick<EffectContext, "save">,
  code: string,
  task: Pick<HullTask, "frame" | "render_size">,
): Promise<Scene> {
  const result = code === "" ? null : await cell.execute(code);
  const pictures = await cell.render(frameOf(task), task.render_size);
  const current_renders: Partial<Record<(typeof viewNames)[number], Artifact>> = {};
  for (const view of viewNames) {
    current_renders[view] = await effect.save(`renders/${view}.png`, pictures[view]);
  }
  const current_glb = await effect.save("scene.glb", await cell.exportGlb());
  const scene_snapshot = await cell.scene();
  const seen = { result, scene_snapshot, workcell_snapshot: await cell.snapshot(), current_renders, current_glb };
  const blend = await cell.exportBlend?.();
  return blend ? { ...seen, current_blend: await effect.save("scene.blend", blend) } : seen;
}
