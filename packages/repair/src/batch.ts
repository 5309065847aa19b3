// One batch of candidates, tried in the workcell's warm workers.

import type { EffectContext } from "@loopwright/core";
import { isRunnerFile, isTestFile, type ProjectCell, type TrialOutcome } from "@loopwright/workspace";
import type { Candidate, Program } from "./candidates/candidate.ts";
import { applyEdits, listPairs, listSingles } from "./candidates/index.ts";
import type { Improved, Plausible, SearchState } from "./search-state.ts";
import type { RepairTask } from "./task.ts";
import { trialsOf } from "./trials.ts";

/** How many candidates an iteration tries. */
export const BATCH = 250;
const PROGRESS_MS = 200;

export interface Batch {
  tried: number;
  /** How many candidates its stage has. */
  size: number;
  ended: SearchState["ended"];
  improved: Improved[];
  plausible: Omit<Plausible, "stage">[];
}

/** Tries the next candidates of the stage. */
export async function tryBatch(
  cell: ProjectCell,
  search: SearchState,
  task: RepairTask,
  { signal, progress, save }: EffectContext,
): Promise<Batch> {
  const program = await readProgram(cell, search, task);
  const all = await listStage(program, search);
  const candidates = all.slice(search.cursor, search.cursor + BATCH);
  const versions = candidates.map(({ edits }) => applyEdits(program.files, edits));
  const trials = await trialsOf(cell, search.base);
  const startedAt = performance.now();
  let [done, shownAt] = [0, 0];
  const outcomes = await trials.tryAll(versions, {
    tests: { failing: search.failing, passing: search.passing },
    signal,
    onOutcome: () => {
      const now = performance.now();
      done += 1;
      if (now - shownAt < PROGRESS_MS) return;
      shownAt = now;
      const candidatesPerS = Math.round(done / ((now - startedAt) / 1000));
      progress({ candidates: done, of: versions.length, per_s: candidatesPerS });
    },
  });
  await save("tried.txt", candidates.map((each, at) => `${outcomeWord(outcomes[at]!)}  ${each.title}\n`).join(""));
  return summarize(search, candidates, outcomes, all.length);
}

/** The candidate at a place of its stage, with the program that it changes. */
export async function candidateAt(
  cell: ProjectCell,
  search: SearchState,
  task: RepairTask,
  { stage, index }: Pick<Plausible, "stage" | "index">,
): Promise<{ program: Program; candidate: Candidate }> {
  const program = await readProgram(cell, search, task);
  const candidate = (await listStage(program, { ...search, stage }))[index]!;
  return { program, candidate };
}

/** The program's own files, and the tests that are wholly visible. */
async function readProgram(cell: ProjectCell, { suspects, held_out }: SearchState, task: RepairTask): Promise<Program> {
  const paths = new Set(suspects.map(({ path }) => path));
  const files = (await cell.readFiles([...paths])).filter(({ path }) => !isTestFile(path) && !isRunnerFile(path));
  return { files, suspects, tests: held_out.length > 0 ? [] : (task.tests ?? []) };
}

let singles: { key: string; list: Promise<Candidate[]> } | undefined;
let pairs: { key: string; list: Promise<Candidate[]> } | undefined;

/** The stage's candidates. They are the same whenever they are listed, so the last lists are kept for the next batch. */
async function listStage(program: Program, { stage, improved }: SearchState): Promise<Candidate[]> {
  const key = JSON.stringify(program);
  if (singles?.key !== key) singles = { key, list: listSingles(program) };
  const single = await singles.list;
  if (stage === "singles") return single;
  const pairKey = key + JSON.stringify(improved);
  if (pairs?.key !== pairKey) pairs = { key: pairKey, list: listPairs(program, single, improved) };
  return pairs.list;
}

function summarize(
  { cursor }: SearchState,
  candidates: readonly Candidate[],
  outcomes: readonly TrialOutcome[],
  size: number,
): Batch {
  const all = outcomes.map((outcome, at) => ({ ...outcome, index: cursor + at, candidate: candidates[at]! }));
  const countEnded = (reason: string) => outcomes.filter(({ stopped }) => stopped === reason).length;
  const isImproving = ({ fixed, broke, passes }: TrialOutcome) => !passes && broke === undefined && fixed.length > 0;
  return {
    tried: outcomes.length,
    size,
    ended: { limit: countEnded("limit"), died: countEnded("died"), unloadable: countEnded("unloadable") },
    improved: all.filter(isImproving).map(({ index, fixed }) => ({ index, fixed: [...fixed] })),
    plausible: all
      .filter(({ passes }) => passes)
      .map(({ index, candidate: { cost, title } }) => ({ index, cost, title })),
  };
}

function outcomeWord({ passes, stopped, broke, fixed }: TrialOutcome): string {
  if (passes) return "passes ";
  if (stopped !== undefined) return { limit: "too long", died: "died   ", unloadable: "no load" }[stopped];
  if (fixed.length > 0) return broke === undefined ? `fixes ${fixed.length}` : "breaks ";
  return "fails  ";
}
