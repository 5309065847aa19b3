// How `--dry-run` reaches the first prompt: the start is built and measured as ever, its scenes in a folder that goes afterwards.

import { join } from "node:path";
import type { SetUpFirstPrompt } from "@loopwright/core";
import type { HullTask } from "./task.ts";

export const firstPrompt: SetUpFirstPrompt = ({ input, settings }, folder) => {
  const { builder, evaluator, workcell } = input as unknown as HullTask;
  if (builder !== "model" && evaluator === "measure") return { reason: "no model takes part" };
  const kept = (settings ?? {}) as { sandbox?: "bwrap" | "none" };
  if (workcell === "blender" && kept.sandbox === "none")
    return { reason: "without a sandbox Blender would be started with your rights" };
  const where = workcell === "blender" ? " in a sandboxed Blender" : "";
  return { settings: { ...kept, state: join(folder, "scenes") }, does: `built and measured the start${where}` };
};
