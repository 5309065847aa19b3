// What the core offers: loops and everything they are written with, the project that runs them, and what reads a run.

import "./node-version.ts";

export type * from "./attempts.ts";
export * from "./command.ts";
export type * from "./context.ts";
export * from "./define.ts";
export * from "./errors.ts";
export type * from "./gates.ts";
export * from "./journal/control.ts";
export { lifeOf, thisProcess } from "./journal/leases.ts";
export { FileStore, RunFolders } from "./journal/run-folder.ts";
export { type Schema, SqliteConnection } from "./journal/sqlite/connection.ts";
export { SqliteJournal } from "./journal/sqlite.ts";
export type { Verification } from "./journal/verify.ts";
export * from "./judging/critics.ts";
export * from "./loop-package.ts";
export * from "./outcomes.ts";
export { leadsOut, readPlainFile, whileLocked } from "./plain-file.ts";
export type * from "./ports.ts";
export * from "./project.ts";
export * from "./read.ts";
export { brokenLink, type GoneValue, isGone } from "./record/chain.ts";
export type * from "./record/events.ts";
export {
  emptyRecord,
  FAST_RETRY,
  lastScore,
  type RunRecord,
  slot,
  waitingGateOf,
} from "./record/fold.ts";
export { canonicalJson, digestOf, type Json, plainJson, randomStream, sha256 } from "./record/json.ts";
export { type RunSummary, summarize } from "./record/load.ts";
export { type Append, append, checkValue, type Patch } from "./record/patch.ts";
export { type Redact, redactTexts, SECRET_MARK } from "./record/redact.ts";
export * from "./rules/ceilings.ts";
export * from "./rules/fast-retry.ts";
export * from "./rules/stuck.ts";
export type { DraftMessages, Ports, SavePlace } from "./run/active-run.ts";
export type { GivenFile } from "./run/resume.ts";
export { WorkcellPool } from "./run/workcells.ts";
