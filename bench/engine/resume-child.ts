// Drives the run that is to be resumed, in a process that can be killed: resume-child.ts <journal> <iterations> [run]
//
// It tells its parent each phase that it begins, beyond the first so many.

import { ceilings, engineOn } from "./ports.ts";
import { resumeLoop } from "./resume-loop.ts";

/** What it says to its parent. */
export interface Progress {
  phase: number;
}

/** Phases before this one are not worth a message. */
const TOLD_FROM = 9_000;

const [path, iterations, run] = process.argv.slice(2) as [string, string, string?];
const loop = resumeLoop((phase) => {
  if (phase >= TOLD_FROM) process.send!({ phase } satisfies Progress);
});
const engine = await engineOn(path);
if (run) await engine.resume(loop, run);
else await engine.start(loop, {}, { ceilings: ceilings(Number(iterations)) });
await engine.close();
process.disconnect!();
