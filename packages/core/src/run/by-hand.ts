// What a person has made between two iterations: it becomes an iteration of its own, in the phase that the loop names for it.
//
// What was under way is left: an iteration that had begun keeps its number, and has no score.

import type { Loop } from "../define.ts";
import { UsageError } from "../errors.ts";
import { isFinal } from "../outcomes.ts";
import type { Artifact, Entry } from "../record/events.ts";
import { type RunRecord, waitingGateOf } from "../record/fold.ts";
import { hitToReason } from "../rules/ceilings.ts";
import type { ActiveRun } from "./active-run.ts";
import { save } from "./artifacts.ts";

/** A file as it was given. */
export interface GivenFile {
  name: string;
  bytes: Uint8Array;
}

/** Throws where no file can be taken in: by this loop, or by a run that stands so. */
export function requireOpen({ name, byHand }: Loop, record: RunRecord, file: GivenFile): void {
  const refuse = (why: string) => notTaken(file, why);
  const { run, ended, ending, iterations } = record;
  if (!byHand) throw refuse(`the loop '${name}' goes on without files; leave --with out`);
  if (ended && isFinal(ended.outcome)) throw refuse(`run ${run} has ended as ${ended.outcome}`);
  if (ending) throw refuse(`run ${run} was stopped while it ended; finish that first: \`loopwright resume ${run}\``);
  if (waitingGateOf(record))
    throw refuse(`run ${run} waits for an answer; give it first: \`loopwright explain ${run}\``);
  if (iterations === 0)
    throw refuse(`run ${run} has not begun its first iteration; go on without it first: \`loopwright resume ${run}\``);
}

function notTaken({ name }: GivenFile, why: string): UsageError {
  return new UsageError("FILE_NOT_TAKEN", `${name} is not taken in: ${why}`);
}

/** The entry into the phase. It takes the number of an iteration that was entered and not begun. */
export function enterByHand(run: ActiveRun): Entry {
  const { entry, effects, iterations, visits } = run.record;
  const isUnbegun = entry?.phase === run.loop.iteration && Object.keys(effects).length === 0;
  const iteration = isUnbegun ? iterations : iterations + 1;
  const hit = run.hit({}, iteration);
  if (hit) {
    const how = hit.ceiling === "iterations" ? `: --max-iterations ${iteration}` : "";
    throw new UsageError("CEILING", `nothing is taken in: ${hitToReason(hit)}, in the same command${how}`);
  }
  return { phase: run.loop.byHand!.phase, visit: visits + 1, iteration };
}

/** Puts the file among the run's; throws where the loop cannot mean it. */
export async function saveFile(run: ActiveRun, file: GivenFile, iteration: number): Promise<Artifact> {
  const { check, file: name } = run.loop.byHand!;
  try {
    await check(file.bytes, run.input as never);
  } catch (error) {
    throw error instanceof UsageError ? notTaken(file, error.message) : error;
  }
  return save(run, name, file.bytes, "iteration", iteration);
}
