// The crash test of a loop: a run is killed before and after every one of its commits, in a world made anew each time, and
// must come to the same end as the one that nobody killed.

import assert from "node:assert/strict";
import type { Loop } from "../define.ts";
import type { RunResult, StartOptions } from "../journal/control.ts";
import type { Ports } from "../run/active-run.ts";
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
  const whole = await begin(test);
  const starts: number[] = [];
  let events = 0;
  // Those of one commit are written together or not at all.
  await whole.isKilled((_event, at) => {
    events += 1;
    if (at === 0) starts.push(events);
    return undefined;
  });
  const end = await whole.end();
  if (test.inOneRun) {
    const life = await begin(test);
    let deaths = 0;
    while (await life.isKilled(dieSoon(deaths))) {
      deaths += 1;
      assert.ok(deaths < 10 * starts.length, "the run makes no progress");
    }
    await life.compare(end, `killed ${deaths} times`);
    return { points: deaths, end };
  }
  const chain = await whole.survivor.chain(await runOf(whole.survivor));
  // Before the first commit there is no run.
  const points = starts.flatMap((nth) => (["before", "after"] as const).map((side) => ({ nth, side }))).slice(1);
  for (const { nth, side } of points) {
    const place = `killed ${side} event ${nth} (${chain[nth - 1]?.type})`;
    const life = await begin(test);
    let count = 0;
    assert.ok(await life.isKilled(() => (++count === nth ? side : undefined)), `${place}: it did not die`);
    await life.compare(end, place);
  }
  return { points: points.length, end };
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

async function begin<Input, State, W extends object>(test: CrashTest<Input, State, W>) {
  return new Life(test, (await test.world?.()) ?? ({} as W));
}

/** A run in its world, through all its deaths. */
class Life<Input, State, W extends object> {
  readonly survivor: TestEngine;
  readonly #test: CrashTest<Input, State, W>;
  readonly #world: W;
  readonly #checks: (() => void)[] = [];

  constructor(test: CrashTest<Input, State, W>, world: W) {
    this.#test = test;
    this.#world = world;
    this.survivor = memoryEngine((world as World).ports as object);
  }

  /** Starts or resumes the run in a process that dies by its fate; whether it came to that. */
  async isKilled(fate: Fate): Promise<boolean> {
    const { loop, input, options, between } = this.#test;
    const { engine } = doomed(this.survivor, fate, (this.#world as World).ports);
    const given = typeof input === "function" ? (input as (world: W) => Input)(this.#world) : input;
    const [known] = await this.survivor.journal.runs();
    if (known !== undefined && (await this.#lastOf(known)).isOver) return false;
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
    const [left] = await this.survivor.journal.runs();
    if (between && left !== undefined) this.#checks.push(await between(this.#world, this.survivor, left));
    return true;
  }

  /** The last of the runs that took over from one another, and whether it has ended. */
  async #lastOf(run: string): Promise<{ run: string; isOver: boolean }> {
    const { ended, run: last } = (await this.survivor.engine.chain(run)).at(-1)!;
    return { run: last, isOver: ended !== undefined && !ended.by };
  }

  /** How the run ends when nobody kills it any more. */
  async end(): Promise<RunEnd<State>> {
    const { engine, chain } = this.survivor;
    const first = await runOf(this.survivor);
    // A run that has ended is not resumed: where its end is not final, it would go on.
    if (!(await this.#lastOf(first)).isOver) await engine.resume(this.#test.loop, first);
    const { run } = await this.#lastOf(first);
    const { iterations, score, state, ended } = await engine.state(run);
    const { outcome, reason } = ended ?? { outcome: "waiting" as const, reason: "" };
    const saved = (await chain(run)).flatMap((event) => (event.type === "artifact-saved" ? [event.artifact] : []));
    const files = Object.fromEntries(saved.map(({ path, digest }) => [path, digest]));
    const seen = await this.#test.observe?.(this.#world, this.survivor, run);
    return { outcome, reason, iterations, score, state: state as State, files, seen };
  }

  async compare(end: RunEnd<State>, place: string): Promise<void> {
    const { comparable = (each) => each } = this.#test;
    const [other, whole] = [comparable(await this.end()), comparable(end)] as Record<string, unknown>[];
    for (const part of Object.keys(whole!))
      assert.deepStrictEqual(other![part], whole![part], `${place}: ${part} is not what it is unkilled`);
    for (const check of this.#checks) check();
  }
}
