// The commands of fab, as data.

import type { Command } from "@loopwright/core";

const fab: Command = {
  name: "fab",
  summary: "judge a 3D asset at a gate: scores, findings, and what to repair",
  details:
    "Reads a binary glTF from anywhere, has the critics look that the gate names, and decides: pass, fail, or a person must\n" +
    "look. Checks are measured and ask no model; a gate may have models look too. The verdict is also a file, gate_verdict.json, in the\n" +
    "run's folder. Exit 0 for a pass, 7 for a fail, 5 where a person must look. docs/judging-assets.md says how to write a gate.",
  arguments: [
    { name: "action", help: "what to do", offers: ["judge"] },
    { name: "file", help: "the asset, a binary glTF (.glb)" },
  ],
  flags: [
    { name: "gate", value: "ID", help: "the gate: one that is shipped, one in gates/ of the project, or a .yaml file" },
    { name: "prompt", value: "TEXT", help: "what was asked for; without it alignment is left out" },
    {
      name: "profile",
      value: "P",
      kind: ["draft", "standard", "final"],
      help: "how good the pictures by Blender are (standard)",
    },
  ],
  examples: [
    "loopwright fab judge car.glb --gate car_realism_v001",
    'loopwright fab judge car.glb --gate car_realism_v001 --prompt "a red sedan" --profile draft',
  ],
  drivesRuns: true,
  run: async (context) => (await import("./judge.ts")).runJudge(context),
};

export const commands = [fab];
