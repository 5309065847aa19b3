// Everything that the repair loop brings along. The loop itself is loaded when a run needs it.

import { defineLoopPackage } from "@loopwright/core";
import {
  appliedWords,
  branchFlag,
  sandboxFlag,
  type WorkspaceConfiguration,
  workspaceCells,
  workspaceSteps,
} from "@loopwright/workspace/settings";
import type { z } from "zod";

export default defineLoopPackage<z.ZodType<WorkspaceConfiguration>>({
  loop: async () => (await import("./index.ts")).repair,
  configuration: async () => (await import("./configuration.ts")).RepairConfiguration,
  workcells: (configuration) => workspaceCells("repair", configuration),
  commands: [
    {
      name: "repair",
      summary: "repair a program that fails its tests, by search: no model is asked",
      details:
        "Small edits of the program (Python, TypeScript, JavaScript) are tried in a sandbox, the likeliest first, until its tests\n" +
        "pass. --held-out tests are not searched by, and decide; without them every third test is held out. Where no repair is\n" +
        "found the program is left as it was, with a note of what was tried.",
      flags: [
        { name: "workspace", value: "DIR", help: "the program's folder (this one)" },
        { name: "tests", value: "PATH", isRepeatable: true, help: "the tests; else those that the runner finds" },
        {
          name: "held-out",
          value: "PATH",
          isRepeatable: true,
          help: "tests that decide, and that the search does not see",
        },
        branchFlag,
        sandboxFlag,
      ],
      examples: ["loopwright repair --workspace . --tests tests", "loopwright repair --held-out checks"],
      drivesRuns: true,
      run: async (context) => (await import("./commands/repair.ts")).runRepair(context),
    },
  ],
  notes: {
    "iteration-began": () => undefined,
    "stuck-detected": ({ count, tried, most_fixed }) =>
      `stuck: ${count} batches running have fixed no more tests (${Number(tried).toLocaleString("en")} candidates tried, ${most_fixed} tests fixed at most)`,
    applied: appliedWords,
    "repair-taken": ({ diff }) => ({ words: "this repair was taken:", diff }),
  },
  steps: workspaceSteps,
  firstPrompt: () => ({ reason: "no model takes part" }),
  passesAt: () => 1,
  demo: {
    summary: "Repairs a small program that fails its tests, by search, and shows the diff",
    details: "It needs bubblewrap, or -c repair.sandbox=none, with which its program runs with your rights.",
    run: async (context) => (await import("./commands/demo.ts")).runDemo(context),
  },
});
