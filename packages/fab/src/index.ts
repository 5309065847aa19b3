// The fab loop: an asset is built, exported, rendered, judged, and repaired by a run of its own, until it passes or a person
// decides. A file that is only judged takes the same way, and ends with its verdict.
//
//   init → generate → export → render → critic → verdict → done | repair ⇢ generate (a new run) | escalate

import { defineLoop } from "@loopwright/core";
import { criticize } from "./phases/critic.ts";
import { done } from "./phases/done.ts";
import { escalate } from "./phases/escalate.ts";
import { exportAsset } from "./phases/export.ts";
import { generate } from "./phases/generate.ts";
import { init } from "./phases/init.ts";
import { renderAsset } from "./phases/render.ts";
import { repair } from "./phases/repair.ts";
import { giveVerdict } from "./phases/verdict.ts";
import { FabInput, FabState, initialState } from "./task.ts";

export { templateCode, templateNames } from "./builders/search.ts";
export { category } from "./critics/category/index.ts";
export type { Evidence, MeasuredCritic, Render } from "./critics/critic.ts";
export { measure } from "./critics/measured.ts";
export { evidenceOf } from "./evidence.ts";
export { loadGate } from "./gate/load.ts";
export { GateConfig } from "./gate/schema.ts";
export { buildVerdict } from "./verdict/build.ts";
export { decideVerdict } from "./verdict/decide.ts";
export { GateVerdict } from "./verdict/gate-verdict.ts";
export { judge } from "./verdict/standing.ts";
export { FabInput };

/** The loop. */
export const fab = defineLoop({
  name: "fab",
  version: 2,
  input: FabInput,
  state: FabState,
  initial: initialState,
  start: "init",
  iteration: "generate",
  phases: {
    init: { run: init, to: ["generate"] },
    generate: { run: generate, to: ["export"] },
    export: { run: exportAsset, to: ["render"] },
    render: { run: renderAsset, to: ["critic"] },
    critic: { run: criticize, to: ["verdict"] },
    verdict: { run: giveVerdict, to: ["done", "repair", "escalate"] },
    done: { run: done, to: [] },
    repair: { run: repair, to: [], handsOnTo: ["generate"] },
    escalate: { run: escalate, to: ["done", "escalate", "repair"] },
  },
});
