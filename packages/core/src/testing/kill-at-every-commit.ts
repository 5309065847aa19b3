// The crash test of a loop: a run is killed before and after every one of its commits, in a world made anew each time, and
// must come to the same end as the one that nobody killed.

import assert from "node:assert/strict";
import type { Loop } from "../define.ts";
import { readState } from "../read.ts";
import type { Ports } from "../run/active-run.ts";
import type { StartOptions } from "../run/engine.ts";
import { Crash, doomed, type Fate } from "./crash.ts";
import { memoryEngine, runOf, type TestEngine } from "./engine.ts";

/** Where a run lives: what it reaches outside. A test's own has whatever it wants to look at afterwards. */
export interface World {
  ports?: Partial<Ports>;
}

export interface CrashTest<Input, State, W extends object> {
  loop: Loop<Input, State>;
  input: Input | ((world: W) => Input);
  options?: StartOptions;
  /** Makes a world; one for each run. */
  world?: () => W | Promise<W>;
  /** What of the world must be the same in the end, beside outcome, iterations, state and files. */
  observe?: (world: W, test: TestEngine, run: string) => unknown;
  /** Called between death and resume; what it gives back is called after the end, and throws where something is wrong. */
  between?: (world: W, test: TestEngine, run: string) => Promise<() => void> | (() => void);
}

/** Kills a run at every commit and compares how each ends; gives back how many deaths that were, and the end. */
export async function killAtEveryCommit<Input, State, W extends object = World>(test: CrashTest<Input, State, W>) {
  const whole = await live(test);
  const { fate, starts } = commitStarts();
  const run = await begin(test, whole, fate);
  const end = await endOf(test, whole, run);
  const events = await whole.survivor.chain(run);
  // Before the first commit there is no run.
  const points = starts.flatMap((nth) => [
    ...(nth === 1 ? [] : [{ nth, side: "before" as const }]),
    { nth, side: "after" as const },
  ]);
  for (const { nth, side } of points) {
    const place = `killed ${side} event ${nth} (${events[nth - 1]?.type})`;
    const life = await live(test);
    let count = 0;
    await assert.rejects(
      begin(test, life, () => (++count === nth ? side : undefined)),
      (error) => error instanceof Crash,
      `${place}: it did not die`,
    );
    const left = await runOf(life.survivor);
    const check = await test.between?.(life.world, life.survivor, left);
    const other = await endOf(test, life, left);
    for (const part of Object.keys(end) as (keyof typeof end)[])
      assert.deepStrictEqual(other[part], end[part], `${place}: ${part} is not what it is unkilled`);
    check?.();
  }
  return { points: points.length, end };
}

interface Life<W> {
  world: W;
  survivor: TestEngine;
}

async function live<W extends object>({ world }: Pick<CrashTest<never, never, W>, "world">): Promise<Life<W>> {
  const made = (await world?.()) ?? ({} as W);
  return { world: made, survivor: memoryEngine((made as World).ports as object) };
}

/** Starts the run in a process that dies by its fate; the id of the run where it lives. */
async function begin<Input, State, W extends object>(
  { loop, input, options }: CrashTest<Input, State, W>,
  { world, survivor }: Life<W>,
  fate: Fate,
): Promise<string> {
  const { engine } = doomed(survivor, fate, (world as World).ports);
  const given = typeof input === "function" ? (input as (world: W) => Input)(world) : input;
  try {
    return (await engine.start(loop, given, { seed: 1, ...options })).run;
  } finally {
    // What a killed process leaves is gone with it; here it would stay.
    await engine.close().catch(() => {});
  }
}

async function endOf<Input, State, W extends object>(
  { loop, observe }: CrashTest<Input, State, W>,
  { world, survivor }: Life<W>,
  run: string,
) {
  // A run that has ended is not resumed: where its end is not final, it would go on.
  if (!(await survivor.record(run)).ended) await survivor.engine.resume(loop, run);
  const [record, { state }] = [await survivor.record(run), await readState(survivor, run)];
  const { outcome, reason } = record.ended ?? { outcome: "waiting", reason: "" };
  const { iterations } = record;
  const files: Record<string, string> = {};
  for (const event of await survivor.chain(run)) {
    if (event.type === "artifact-saved") files[event.artifact.path] = event.artifact.digest;
  }
  return { outcome, reason, iterations, state, files, seen: await observe?.(world, survivor, run) };
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
