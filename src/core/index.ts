// What the core offers: loops and everything they are written with. Engines are opened by a project (see ../index.ts).

export type { Ports } from "./active-run.ts";
export * from "./ceilings.ts";
export type * from "./context.ts";
export * from "./define.ts";
export { Engine, type ResumeOptions, type RunResult, type StartOptions } from "./engine.ts";
export * from "./errors.ts";
export type * from "./events.ts";
export * from "./fast-retry.ts";
export { openGateOf, type RunRecord, type RunSummary, summarise } from "./fold.ts";
export type * from "./gates.ts";
export { digestOf, type Json, sha256 } from "./json.ts";
export { loadRecord } from "./load.ts";
export * from "./outcomes.ts";
export { type Append, append, type Patch } from "./patch.ts";
export type * from "./ports.ts";
export { randomStream } from "./random.ts";
export * from "./stop.ts";
export * from "./stuck.ts";
export * from "./verdicts.ts";
