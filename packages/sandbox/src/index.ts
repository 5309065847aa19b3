// The sandbox that generated programs run in. It knows nothing of loops.

export { WORKSPACE } from "./bwrap/arguments.ts";
export * from "./folder.ts";
export { findProgram, openSandbox } from "./sandbox.ts";
export type * from "./types.ts";
