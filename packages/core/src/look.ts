// What looking at runs needs: the index, without what drives, judges or releases them. Less is loaded for it.

import "./node-version.ts";

export { LoopwrightError, nearest, suggestion, suggestOrList, UsageError, usage } from "./errors.ts";
export type * from "./index.ts";
export { SqliteJournal } from "./journal/sqlite.ts";
export { defineLoopPackage } from "./loop-package.ts";
export { isFinal, outcomes, showScore, TERMINATED_EXIT, WAITING_EXIT } from "./outcomes.ts";
export { readPlainFile } from "./plain-file.ts";
export { nearestProject, Project, projectFolder, projectPorts } from "./project.ts";
export { Reader } from "./read.ts";
export { FAST_RETRY, lastScore, waitingGateOf } from "./record/fold.ts";
export { summarize } from "./record/load.ts";
export { addUsage, hitToReason, noUsage } from "./rules/ceilings.ts";
