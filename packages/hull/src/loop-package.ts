// Everything that the hull loop brings along. The loop itself is loaded when a run needs it.

import type { SetUpFirstPrompt } from "@loopwright/core";
import { defineLoopPackage } from "@loopwright/core/look";
import { command, editSteps, template } from "./commands/table.ts";
import type { HullConfiguration } from "./configuration.ts";
import { assetWords, progressWords, promptsFolder } from "./folders.ts";
import type { HullTask } from "./task/task.ts";

/** How `--dry-run` reaches the first prompt: the start is built and measured as ever. */
const firstPrompt: SetUpFirstPrompt = ({ input, settings }) => {
  const { builder, evaluator, workcell } = input as unknown as HullTask;
  if (builder !== "model" && evaluator === "measure") return { reason: "no model takes part" };
  const kept = (settings ?? {}) as { sandbox?: "bwrap" | "none" };
  if (workcell === "blender" && kept.sandbox === "none")
    return { reason: "without a sandbox Blender would be started with your rights" };
  const where = workcell === "blender" ? " in a sandboxed Blender" : "";
  return { settings: kept, does: `built and measured the start${where}` };
};

export default defineLoopPackage<typeof HullConfiguration>({
  loop: async () => (await import("./index.ts")).hull,
  configuration: async () => (await import("./configuration.ts")).HullConfiguration,
  attempts: async () => (await import("./attempts.ts")).attempts,
  workcells: async (configuration) => (await import("./workcell/cells.ts")).hullCells(configuration),
  prompts: promptsFolder,
  roles: { builder: {}, evaluator: {} },
  commands: [command],
  templates: { hull: template },
  notes: { "game-asset": assetWords, progress: progressWords },
  steps: editSteps,
  fromIssue: async (_issue, context) => (await import("./commands/hull.ts")).newRun(context),
  firstPrompt,
  passesAt: ({ score_threshold }) => score_threshold,
  legends: {
    "compare.png": [
      { color: "#9ea3a8", means: "as it should be" },
      { color: "#d55e00", means: "the hull, where nothing should be" },
      { color: "#0072b2", means: "missing of the reference" },
    ],
  },
  demo: {
    summary: "Fits a parametric boat hull to three reference silhouettes",
    details:
      "Each iteration proposes a hull, carries it out, renders it, and judges the renders against the references, until the score passes. Its builder is a search, not a model; nothing but Node is needed.",
    run: async (context) => (await import("./commands/hull.ts")).runDemo(context),
  },
});
