// Trials in warm workers: what is asked of them, and what their answers come to.

import { WorkerDied } from "@loopwright/sandbox";
import type { TestReport } from "../cell.ts";
import type { WorkerPlace } from "./job.ts";
import { type BaselineTest, baselineLimits, coverageLimits, patienceMs, versionLimits } from "./limits.ts";
import { type CoveredRange, rangesToLines } from "./lines.ts";
import { shareOut } from "./share.ts";
import { type Lessons, Slot } from "./slot.ts";
import type { TestCoverage, TrialOptions, TrialOutcome, Trials, TrialTests, Version } from "./types.ts";
import { ownLines } from "./whole.ts";

export interface WarmOptions extends WorkerPlace {
  workers: number;
}

/** What a worker tells of the program as it stands. */
export interface Baseline {
  tests: BaselineTest[];
  /** Seconds of CPU to load the program. */
  load: number;
  /** Why not all of it was run: the program does not load, or dies, or takes too long at that. */
  end?: string;
  /** What the tests load from elsewhere, and what each is a part of: other workers are told. */
  modules?: unknown[];
  chains?: unknown[];
}

/** What each test executes: lines, or ranges of the scripts' texts. */
interface Traced {
  tests: { name: string; lines?: Record<string, number[]>; ranges?: Record<string, CoveredRange[]> }[];
  sources?: Record<string, string>;
  /** What loading the program executed. */
  loaded?: Record<string, number[]>;
}

const BASELINE_PATIENCE_MS = 600_000;
/** Tests whose lines are asked for at a time, where each is run alone. */
const TESTS_AT_A_TIME = 4;

export class WarmTrials implements Trials {
  readonly way = "warm";
  readonly #options: WarmOptions;
  readonly #lessons: Lessons = {};
  readonly #slots: Slot[];
  #baseline: Baseline = { tests: [], load: 0 };
  #turn: Promise<unknown> = Promise.resolve();
  #isEnded = false;

  constructor(options: WarmOptions) {
    this.#options = options;
    const count = Math.max(1, options.workers);
    this.#slots = Array.from({ length: count }, (_, index) => new Slot(options, index, this.#lessons));
  }

  /** Runs the program as it stands, in the first worker; a patient one cuts no test before it has taken long. */
  async begin({ isPatient = false } = {}): Promise<Baseline> {
    const question = { do: "baseline", limits: baselineLimits(this.#memory, isPatient) };
    try {
      this.#baseline = await this.#slots[0]!.ask<Baseline>(question, BASELINE_PATIENCE_MS);
    } catch (error) {
      if (!(error instanceof WorkerDied) || error.reason === "stopped") throw error;
      this.#baseline = { tests: [], load: 0, end: error.reason };
    }
    const { modules = [], chains = [] } = this.#baseline;
    this.#lessons.learn = { modules, chains };
    return this.#baseline;
  }

  /** Takes from the runner the names of tests that could not be loaded. */
  know(report: TestReport): void {
    if (this.#baseline.end === undefined) return;
    const known = new Set(this.#baseline.tests.map(({ name }) => name));
    const rest = report.tests.filter(({ name }) => !known.has(name));
    const failed = rest.map(({ name }): BaselineTest => ({ name, state: "failed", cpu: 0, ms: 0 }));
    this.#baseline = { ...this.#baseline, tests: [...this.#baseline.tests, ...failed] };
  }

  coverage({ signal }: { signal: AbortSignal }): Promise<TestCoverage[]> {
    return this.#inTurn(signal, async () => {
      const wanted = this.#baseline.tests.filter(({ state }) => state === "passed" || state === "failed");
      const found = await this.#trace(wanted.map(({ name }) => name));
      return wanted.map(({ name, state, ms }) => ({
        test: name,
        state: state === "passed" ? "passed" : "failed",
        ms,
        lines: ownLines(found(name)),
      }));
    });
  }

  tryAll(versions: readonly Version[], { tests, signal, onOutcome }: TrialOptions): Promise<TrialOutcome[]> {
    return this.#inTurn(signal, async () => {
      const { limits, plan } = this.#planFor(tests);
      this.#lessons.plan = { plan };
      return shareOut(versions, this.#slots.length, async (version, slot, index) => {
        const outcome = await this.#slots[slot]!.try(version, patienceMs(limits));
        onOutcome?.(index, outcome);
        return outcome;
      });
    });
  }

  /** Ends the workers; the copies stay. */
  async end(): Promise<void> {
    this.#isEnded = true;
    await this.#stopAll();
    await this.#turn;
    await this.#stopAll();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end();
    this.#options.copies[Symbol.dispose]();
  }

  get #memory(): number {
    return this.#options.limits.memoryBytes;
  }

  async #stopAll(): Promise<void> {
    await Promise.all(this.#slots.map((slot) => slot.stop()));
  }

  /** One call after another; aborting one ends the workers at once, and the next has new ones. */
  async #inTurn<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const before = this.#turn;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#turn = promise;
    await before;
    const halt = () => void this.#stopAll();
    signal.addEventListener("abort", halt, { once: true });
    try {
      signal.throwIfAborted();
      if (this.#isEnded) throw new WorkerDied("stopped", "the trials have ended");
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      this.#options.signal.throwIfAborted();
      throw error;
    } finally {
      signal.removeEventListener("abort", halt);
      resolve();
    }
  }

  /** The lines that each test executes; those of loading where no more is known of it. */
  async #trace(names: readonly string[]): Promise<(name: string) => Record<string, number[]>> {
    const { tests, load } = this.#baseline;
    const limits = coverageLimits(tests, load, this.#memory);
    const size = this.#options.program.runsEachAlone ? TESTS_AT_A_TIME : Math.max(1, names.length);
    const parts = Array.from({ length: Math.ceil(names.length / size) }, (_, index) =>
      names.slice(index * size, (index + 1) * size),
    );
    const all = await shareOut(parts, this.#slots.length, (part, slot) =>
      this.#slots[slot]!.ask<Traced>({ do: "coverage", limits, names: part }, BASELINE_PATIENCE_MS),
    );
    const found = new Map(all.flatMap((traced) => traced.tests.map((test) => [test.name, linesOf(test, traced)])));
    const loaded = all[0]?.loaded ?? {};
    return (name) => found.get(name) ?? loaded;
  }

  /** What a worker is told of the tests: the limits they are held to, and the states in which they are right. */
  #planFor({ failing, passing }: TrialTests) {
    const { tests, load, end } = this.#baseline;
    const limits = versionLimits(tests, load, this.#memory);
    const expected = tests.filter(({ state }) => state === "skipped" || state === "xfailed");
    const right = Object.fromEntries(expected.map(({ name, state }) => [name, [state]]));
    // Of a program that does not load, nobody knows which tests are skipped.
    const rest = end === undefined ? ["passed"] : ["passed", "skipped", "xfailed"];
    return { limits, plan: { failing, passing, limits, right, rest } };
  }
}

function linesOf({ lines, ranges = {} }: Traced["tests"][number], { sources = {} }: Traced): Record<string, number[]> {
  if (lines) return lines;
  const found = Object.entries(ranges).map(([path, each]) => [path, rangesToLines(sources[path] ?? "", each)] as const);
  return Object.fromEntries(found);
}
