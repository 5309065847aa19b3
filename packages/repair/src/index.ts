// The repair loop: small edits of a program that fails its tests are tried until they pass. No model is asked.
//
//   locate → search → test → finalize
//              ▲  │ ▲    │
//              └──┘ └────┘ held-out tests refuse the repair
//      the next batch

import { defineLoop } from "@loopwright/core";
import { finalize, finish } from "./phases/finalize.ts";
import { locate } from "./phases/locate.ts";
import { search } from "./phases/search.ts";
import { test } from "./phases/test.ts";
import { initialState, RepairState, RepairTask } from "./task.ts";

export { demoFolder } from "./demo.ts";
export { type RepairState, RepairTask, startOptions } from "./task.ts";

/** The loop. */
export const repair = defineLoop({
  name: "repair",
  version: 1,
  input: RepairTask,
  state: RepairState,
  initial: initialState,
  start: "locate",
  iteration: "search",
  phases: {
    locate: { run: locate, to: ["search", "finalize"] },
    search: { run: search, to: ["search", "test", "finalize"] },
    test: { run: test, to: ["search", "finalize"] },
    finalize: { run: finalize, to: ["search", "locate"] },
  },
  finish,
});
