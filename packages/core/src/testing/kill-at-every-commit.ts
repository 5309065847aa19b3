// The crash test of a loop: a run is killed before and after every one of its commits, in a world made anew each time, and
// must come to the same end as the one that nobody killed.

import assert from "node:assert/strict";
import type { Loop } from "../define.ts";
import { lastScore } from "../record/fold.ts";
import type { Ports } from "../run/active-run.ts";
import type { RunResult, StartOptions } from "../run/engine.ts";
import { Crash, doomed, type Fate } from "./crash.ts";
import { memoryEngine, runOf, type TestEngine } from "./engine.ts";

/** Where a run lives: what it reaches outside. A test's own has whatever it wants to look at afterwards. */
export interface World {
  ports?: Partial<Ports>;
}

/** What is run, in which world, and what must be the same in the end. */
export interface CrashTest<Input, State, W extends object> {
  loop: Loop<Input, State>;
  input: Input | ((world: W) => Input);
  options?: StartOptions;
  /** Makes a world; one for each run. */
  world?: () => W | Promise<W>;
  /** All deaths in one run, one process after another: for worlds that take long to make. */
  inOneRun?: boolean;
  /** What of the world must be the same in the end, beside outcome, iterations, score, state and files. */
  observe?: (world: W, test: TestEngine, run: string) => unknown;
  /** An end without what is never the same twice, such as a time. */
  comparable?: (end: RunEnd<State>) => unknown;
  /** Called between death and resume; what it gives back is called after the end, and throws where something is wrong. */
  between?: (world: W, test: TestEngine, run: string) => Promise<() => void> | (() => void);
}

/** What two runs are compared by. */
export interface RunEnd<State> extends Pick<RunResult<State>, "outcome" | "reason" | "iterations" | "score" | "state"> {
  /** The digests of the files that were saved, by path. */
  files: Record<string, string>;
  /** What `observe` gave back. */
  seen: unknown;
}

/** Kills a run at every commit and compares how each ends; gives back how many deaths that were, and the end. */
export async function killAtEveryCommit<Input, State, W extends object = World>(test: CrashTest<Input, State, W>) {
  const whole = await live(test);
  const { fate, starts } = commitStarts();
  await isKilled(test, whole, fate);
  const end = await endOf(test, whole);
  if (test.inOneRun) return { points: await killInTurn(test, end, starts.length), end };
  const events = await whole.survivor.chain(await runOf(whole.survivor));
  // Before the first commit there is no run.
  const points = starts.flatMap((nth) => (["before", "after"] as const).map((side) => ({ nth, side }))).slice(1);
  for (const { nth, side } of points) {
    const place = `killed ${side} event ${nth} (${events[nth - 1]?.type})`;
    const life = await live(test);
    let count = 0;
    assert.ok(await isKilled(test, life, () => (++count === nth ? side : undefined)), `${place}: it did not die`);
    await compare(test, life, end, place);
  }
  return { points: points.length, end };
}

/** Kills the processes of one run, each at its first new commit; gives back how many. */
async function killInTurn<Input, State, W extends object>(
  test: CrashTest<Input, State, W>,
  end: RunEnd<State>,
  commits: number,
): Promise<number> {
  const life = await live(test);
  let deaths = 0;
  while (await isKilled(test, life, dieSoon(deaths))) {
    deaths += 1;
    assert.ok(deaths < 10 * commits, "the run makes no progress");
  }
  await compare(test, life, end, `killed ${deaths} times`);
  return deaths;
}

/** Before a commit, then after it, then as soon as the run has been taken up. */
function dieSoon(deaths: number): Fate {
  return (event) => {
    const { type } = event;
    const isTakenUp =
      type === "run-resumed" || type === "effect-charged" || (type === "effect-started" && event.tries > 1);
    if (deaths % 3 < 2 && isTakenUp) return undefined;
    return deaths % 3 === 0 ? "before" : "after";
  };
}

interface Life<W> {
  world: W;
  survivor: TestEngine;
  /** What is called after the end. */
  checks: (() => void)[];
}

async function live<W extends object>({ world }: Pick<CrashTest<never, never, W>, "world">): Promise<Life<W>> {
  const made = (await world?.()) ?? ({} as W);
  return { world: made, survivor: memoryEngine((made as World).ports as object), checks: [] };
}

/** Starts or resumes the run in a process that dies by its fate; whether it came to that. */
async function isKilled<Input, State, W extends object>(
  { loop, input, options, between }: CrashTest<Input, State, W>,
  { world, survivor, checks }: Life<W>,
  fate: Fate,
): Promise<boolean> {
  const { engine } = doomed(survivor, fate, (world as World).ports);
  const given = typeof input === "function" ? (input as (world: W) => Input)(world) : input;
  const [known] = await survivor.journal.runs();
  if (known !== undefined && (await lastOf(survivor, known)).isOver) return false;
  try {
    if (known === undefined) await engine.start(loop, given, { seed: 1, ...options });
    else await engine.resume(loop, known);
    return false;
  } catch (error) {
    if (!(error instanceof Crash)) throw error;
  } finally {
    // What a killed process leaves is gone with it; here it would stay.
    await engine.close().catch(() => {});
  }
  const [left] = await survivor.journal.runs();
  if (between && left !== undefined) checks.push(await between(world, survivor, left));
  return true;
}

/** The last of the runs that took over from one another, and whether it has ended. */
async function lastOf(survivor: TestEngine, run: string): Promise<{ run: string; isOver: boolean }> {
  const { ended } = await survivor.record(run);
  if (!ended?.by) return { run, isOver: ended !== undefined };
  const isThere = (await survivor.journal.runs()).includes(ended.by.run);
  return isThere ? lastOf(survivor, ended.by.run) : { run, isOver: false };
}

async function compare<Input, State, W extends object>(
  test: CrashTest<Input, State, W>,
  life: Life<W>,
  end: RunEnd<State>,
  place: string,
): Promise<void> {
  const { comparable = (each) => each } = test;
  const [other, whole] = [comparable(await endOf(test, life)), comparable(end)] as Record<string, unknown>[];
  for (const part of Object.keys(whole!))
    assert.deepStrictEqual(other![part], whole![part], `${place}: ${part} is not what it is unkilled`);
  for (const check of life.checks) check();
}

async function endOf<Input, State, W extends object>(
  { loop, observe }: CrashTest<Input, State, W>,
  { world, survivor }: Life<W>,
): Promise<RunEnd<State>> {
  const first = await runOf(survivor);
  // A run that has ended is not resumed: where its end is not final, it would go on.
  if (!(await lastOf(survivor, first)).isOver) await survivor.engine.resume(loop, first);
  const { run } = await lastOf(survivor, first);
  const [record, { state }] = [await survivor.record(run), await survivor.engine.state(run)];
  const { outcome, reason } = record.ended ?? { outcome: "waiting" as const, reason: "" };
  const { iterations } = record;
  const score = lastScore(record);
  const files: Record<string, string> = {};
  for (const event of await survivor.chain(run)) {
    if (event.type === "artifact-saved") files[event.artifact.path] = event.artifact.digest;
  }
  return {
    outcome,
    reason,
    iterations,
    score,
    state: state as State,
    files,
    seen: await observe?.(world, survivor, run),
  };
}

/** Notes which events begin a commit: those of one commit are written together or not at all. */
function commitStarts(): { fate: Fate; starts: number[] } {
  const starts: number[] = [];
  let [count, isOpen] = [0, false];
  const fate: Fate = () => {
    count += 1;
    if (!isOpen) starts.push(count);
    isOpen = true;
    queueMicrotask(() => {
      isOpen = false;
    });
    return undefined;
  };
  return { fate, starts };
}
