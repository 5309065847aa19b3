// The judge of 3D assets as a loop: an asset is read, looked at, and gets its verdict.

import { defineLoop } from "@loopwright/core";
import { criticize } from "./phases/critic.ts";
import { importAsset } from "./phases/import.ts";
import { renderAsset } from "./phases/render.ts";
import { giveVerdict } from "./phases/verdict.ts";
import { vote } from "./phases/vote.ts";
import { initialState, JudgeInput, JudgeState } from "./task.ts";

export { category } from "./critics/category/index.ts";
export type { Evidence, MeasuredCritic, Render } from "./critics/critic.ts";
export { evidenceOf, measure } from "./evidence/evidence.ts";
export { loadGate } from "./gate/load.ts";
export { GateConfig } from "./gate/schema.ts";
export { templateCode, templateNames } from "./templates.ts";
export { buildVerdict } from "./verdict/build.ts";
export { decideVerdict } from "./verdict/decide.ts";
export { GateVerdict } from "./verdict/gate-verdict.ts";
export { judge } from "./verdict/standing.ts";
export { JudgeInput };

export const fab = defineLoop({
  name: "fab",
  version: 1,
  input: JudgeInput,
  state: JudgeState,
  initial: initialState,
  start: "import",
  iteration: "import",
  phases: {
    import: { run: importAsset, to: ["render", "verdict"] },
    render: { run: renderAsset, to: ["critic"] },
    critic: { run: criticize, to: ["vote", "verdict"] },
    vote: { run: vote, to: ["verdict"] },
    verdict: { run: giveVerdict, to: [] },
  },
});
