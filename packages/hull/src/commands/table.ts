// The commands of the hull loop, as data.

import type { Command } from "@loopwright/core";
import type { HullConfiguration } from "../configuration.ts";

const hull: Command<HullConfiguration> = {
  name: "hull",
  summary: "refine a 3D model toward its reference pictures, in Blender, by a model or by search",
  details:
    "Reads a task (YAML: what is wanted, its references, its threshold) and refines a model: built, rendered, judged, and built\n" +
    "again. Code that a model wrote runs in a sandboxed Blender. `loopwright init <folder> --loop hull` writes a task that runs.\n" +
    "To lend a hand, `loopwright pause` it, edit the scene that this names, and `loopwright resume RUN --with FILE.blend`.",
  flags: [
    { name: "task", value: "FILE", help: "the task (task.yaml)" },
    {
      name: "workcell",
      value: "KIND",
      kind: ["loft", "blender"],
      help: "where it is built: blender, or loft, which needs no other program (blender)",
    },
    {
      name: "builder",
      value: "KIND",
      kind: ["model", "search"],
      help: "who builds it (model where one is configured, else search)",
    },
    {
      name: "evaluator",
      value: "KIND",
      kind: ["measure", "model", "both"],
      help: "who judges it: measure, a model that sees the pictures, or both (measure)",
    },
    {
      name: "game-asset",
      help: "make the best into a game asset at the end: three levels of detail, unwrapped, and an FBX",
    },
    {
      name: "sandbox",
      value: "KIND",
      kind: ["bwrap", "none"],
      help: "bwrap, or none: code that a model wrote then runs with your rights",
    },
  ],
  examples: [
    "loopwright hull --task task.yaml",
    "loopwright hull --task task.yaml --game-asset",
    "loopwright hull --workcell loft --builder search",
  ],
  drivesRuns: true,
  run: async (context) => (await import("./hull.ts")).runHull(context),
};

export const commands = [hull];
