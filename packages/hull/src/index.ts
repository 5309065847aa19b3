// The hull loop: a hull is refined toward three reference silhouettes.
//
//   setup → build → execute → evaluate → build, or finalize
//                     adopt ↗ a person's edit

import { defineLoop } from "@loopwright/core";
import { startLoft } from "./loft/cell.ts";
import { adopt, checkBlend } from "./phases/adopt.ts";
import { evaluate } from "./phases/evaluate.ts";
import { build, execute } from "./phases/execute.ts";
import { finalize, finish } from "./phases/finalize.ts";
import { setUp } from "./phases/set-up.ts";
import { HullState, HullTask, initialState } from "./task/task.ts";

export { type HullState, HullTask, startOptions } from "./task/task.ts";
export { demoTask, loadTask } from "./task/task-file.ts";
export { hullCells } from "./workcell/cells.ts";

/** The workcells that the loop can run in. */
export const workcells = { loft: startLoft };

/** The loop. */
export const hull = defineLoop({
  name: "hull",
  version: 1,
  input: HullTask,
  state: HullState,
  initial: initialState,
  start: "setup",
  iteration: "build",
  byHand: { phase: "adopt", file: "by-hand.blend", check: checkBlend },
  phases: {
    setup: { run: setUp, to: ["build"] },
    build: { run: build, to: ["execute"] },
    execute: { run: execute, to: ["evaluate"] },
    adopt: { run: adopt, to: ["evaluate"] },
    evaluate: { run: evaluate, to: ["build", "finalize"] },
    finalize: { run: finalize, to: ["build"] },
  },
  finish,
});
