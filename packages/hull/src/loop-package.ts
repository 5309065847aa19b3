// Everything that the hull loop brings along. The loop itself is loaded when a run needs it.

import { defineLoopPackage } from "@loopwright/core/look";
import { commands } from "./commands/table.ts";
import type { HullConfiguration } from "./configuration.ts";
import { promptsFolder } from "./folders.ts";
import { assetWords } from "./game-asset/words.ts";
import { editSteps } from "./steps.ts";
import { template } from "./template.ts";

export default defineLoopPackage<typeof HullConfiguration>({
  loop: async () => (await import("./index.ts")).hull,
  configuration: async () => (await import("./configuration.ts")).HullConfiguration,
  workcells: async (configuration) => (await import("./cells.ts")).hullCells(configuration),
  prompts: promptsFolder,
  roles: { builder: {}, evaluator: {} },
  commands,
  templates: { hull: template },
  notes: { "game-asset": assetWords },
  steps: editSteps,
  firstPrompt: async (run, folder) => (await import("./first-prompt.ts")).firstPrompt(run, folder),
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
    run: async (context) => (await import("./commands/demo.ts")).runDemo(context),
  },
});
