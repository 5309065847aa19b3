// Trials in warm workers: how versions are shared out among them, and how one that dies is started anew.
//
// A version that a worker dies of is tried once more, alone in a fresh worker, before it is said to have been its fault:
// what an earlier version left cannot count against it.

import { WORKSPACE } from "./bwrap-arguments.ts";
import type { TestReport } from "./cell.ts";
import { seenAt, type TestRun } from "./runners-run.ts";
import type { RunnerRun } from "./runners-types.ts";
import { type Copies, runOn } from "./trials-copies.ts";
import { type BaselineTest, baselineLimits, coverageLimits, patienceMs, versionLimits } from "./trials-limits.ts";
import { type CoveredRange, rangesToLines } from "./trials-lines.ts";
import type { WorkerProgram } from "./trials-programs.ts";
import { shareOut } from "./trials-share.ts";
import type { TestCoverage, TrialOptions, TrialOutcome, Trials, TrialTests, Version } from "./trials-types.ts";
import { ownLines } from "./trials-whole.ts";
import { Worker, WorkerDied } from "./trials-worker.ts";

export interface WarmOptions extends TestRun {
  copies: Copies;
  workers: number;
  program: WorkerProgram;
}

/** What a worker tells of the program as it stands. */
export interface Baseline {
  tests: BaselineTest[];
  /** Seconds of CPU to load the program. */
  load: number;
  /** Why not all of it was run: the program does not load, or dies, or takes too long at that. */
  end?: string;
  /** What loading it executed, where it did not get further. */
  loaded?: Record<string, number[]>;
  /** What the tests load from elsewhere. */
  modules?: unknown[];
  /** Of each test what it is a part of, where the worker wants that told again. */
  chains?: unknown[];
}

/** What each test executes: lines, or ranges of the scripts' texts. */
interface Traced {
  tests: { name: string; lines?: Record<string, number[]>; ranges?: Record<string, CoveredRange[]> }[];
  sources?: Record<string, string>;
  loaded?: Record<string, number[]>;
}

const [GUARDS, PRISTINE, TEMPORARY] = ["/loopwright/guards", "/loopwright/pristine", "/loopwright/temporary"];
const BASELINE_PATIENCE_MS = 300_000;
/** Enough for a Node with a thread, and for a program's own; a fork bomb is sooner at its end. */
const MOST_PROCESSES = 96;
const FOREVER_MS = 7 * 86_400_000;

export class WarmTrials implements Trials {
  readonly way = "warm";
  readonly #options: WarmOptions;
  readonly #stop = new AbortController();
  readonly #slots: (Worker | undefined)[];
  #baseline: Baseline = { tests: [], load: 0 };
  #plan: object | undefined;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: WarmOptions) {
    this.#options = options;
    this.#slots = Array.from({ length: Math.max(1, options.workers) });
  }

  /** Starts the first worker, and runs the program as it stands. */
  async begin(): Promise<Baseline> {
    const question = { do: "baseline", limits: baselineLimits(this.#options.limits.memoryBytes) };
    try {
      const worker = await this.#ready(0);
      this.#baseline = await worker.ask<Baseline>(question, BASELINE_PATIENCE_MS);
      worker.tell(this.#lesson);
    } catch (error) {
      if (!(error instanceof WorkerDied)) throw error;
      this.#baseline = { tests: [], load: 0, end: error.reason };
    }
    return this.#baseline;
  }

  /** Goes on with what the runner said, which knows the names of tests that could not be loaded. */
  with(report: TestReport | undefined): this {
    if (this.#baseline.end === undefined || !report) return this;
    const known = new Set(this.#baseline.tests.map(({ name }) => name));
    const rest = report.tests.filter(({ name }) => !known.has(name));
    const failed = rest.map(({ name }): BaselineTest => ({ name, state: "failed", cpu: 0, ms: 0 }));
    this.#baseline = { ...this.#baseline, tests: [...this.#baseline.tests, ...failed] };
    return this;
  }

  coverage({ signal }: { signal: AbortSignal }): Promise<TestCoverage[]> {
    return this.#inTurn(signal, async () => {
      const { tests, load } = this.#baseline;
      const wanted = tests.filter(({ state }) => state === "passed" || state === "failed");
      const limits = coverageLimits(tests, load, this.#options.limits.memoryBytes);
      const question = { do: "coverage", limits, names: wanted.map(({ name }) => name) };
      const traced = await (await this.#ready(0)).ask<Traced>(question, BASELINE_PATIENCE_MS);
      const found = new Map(traced.tests.map((test) => [test.name, linesOf(test, traced)]));
      return wanted.map(({ name, state, ms }) => {
        const lines = ownLines(found.get(name) ?? traced.loaded ?? {});
        return { test: name, state: state === "passed" ? "passed" : "failed", ms, lines };
      });
    });
  }

  tryAll(versions: readonly Version[], { tests, signal, onOutcome }: TrialOptions): Promise<TrialOutcome[]> {
    return this.#inTurn(signal, async () => {
      this.#plan = this.#planFor(tests);
      for (const worker of this.#slots) worker?.tell({ do: "plan", plan: this.#plan });
      return shareOut(versions, this.#slots.length, async (version, slot, index) => {
        const outcome = await this.#tryOne(version, slot);
        onOutcome?.(index, outcome);
        return outcome;
      });
    });
  }

  /** Ends the workers; the copies stay. */
  async end(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#slots.map((worker) => worker?.stop()));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end();
    await this.#turn.catch(() => {});
    await Promise.all(this.#slots.map((worker) => worker?.stop()));
    this.#options.copies[Symbol.dispose]();
  }

  /** One after another; aborting ends the workers at once, and the next call has new ones. */
  async #inTurn<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const before = this.#turn;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#turn = promise;
    await before;
    const halt = () => void Promise.all(this.#slots.map((worker) => worker?.stop()));
    signal.addEventListener("abort", halt, { once: true });
    try {
      signal.throwIfAborted();
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    } finally {
      signal.removeEventListener("abort", halt);
      resolve();
    }
  }

  async #tryOne(version: Version, slot: number): Promise<TrialOutcome> {
    const files = version.map(({ path, content }) => [path, content]);
    const { tests, load } = this.#baseline;
    const patience = patienceMs(versionLimits(tests, load, this.#options.limits.memoryBytes));
    for (;;) {
      const worker = await this.#ready(slot);
      const isFresh = worker.answered === 0;
      try {
        return await worker.ask<TrialOutcome>({ do: "try", files }, patience);
      } catch (error) {
        this.#options.signal.throwIfAborted();
        this.#stop.signal.throwIfAborted();
        if (!(error instanceof WorkerDied)) throw error;
        if (error.reason === "stopped") throw error;
        if (isFresh) return { fixed: [], passes: false, stopped: error.reason };
      }
    }
  }

  /** What a worker need not find out by itself. */
  get #lesson(): object {
    const { modules = [], chains = [] } = this.#baseline;
    return { do: "learn", modules, chains };
  }

  #planFor({ failing, passing }: TrialTests): object {
    const { tests, load } = this.#baseline;
    const limits = versionLimits(tests, load, this.#options.limits.memoryBytes);
    const expected = tests.filter(({ state }) => state === "skipped" || state === "xfailed");
    const right = Object.fromEntries(expected.map(({ name, state }) => [name, state]));
    return { failing, passing, limits, right };
  }

  /** A slot's worker, started anew where it has died. */
  async #ready(slot: number): Promise<Worker> {
    const present = this.#slots[slot];
    if (present?.isAlive) return present;
    await present?.stop();
    const { sandbox, signal } = this.#options;
    const both = AbortSignal.any([signal, this.#stop.signal]);
    const worker = await Worker.start({ sandbox, signal: both, job: (hello) => this.#job(slot, hello) });
    this.#slots[slot] = worker;
    if (this.#baseline.modules) worker.tell(this.#lesson);
    if (this.#plan) worker.tell({ do: "plan", plan: this.#plan });
    return worker;
  }

  async #job(slot: number, hello: string) {
    const { sandbox, copies, program, limits } = this.#options;
    const folder = await copies.take(`copy-${slot}`);
    const test = runOn(this.#options, copies, folder);
    const guards = copies.programs(`programs-${slot}`, program.programs);
    const isBare = sandbox.kind === "none";
    const own = copies.folder(`temporary-${slot}`);
    const run: RunnerRun = {
      files: test.files,
      workspace: seenAt(sandbox, WORKSPACE, folder),
      guards: seenAt(sandbox, GUARDS, guards),
      reports: "",
      nonce: "",
      folder,
      configuration: [...Object.keys(test.configuration), ...test.packageFolders],
      loadsPlugins: test.loadsPlugins,
    };
    const temporary = isBare ? [own] : ["/tmp", "/dev/shm"];
    const facts = {
      hello,
      workspace: run.workspace,
      pristine: seenAt(sandbox, PRISTINE, copies.pristine),
      temporary,
      left: copies.left,
      isolated: !isBare,
    };
    return {
      command: program.command(run, facts),
      workspace: folder,
      readOnly: test.readOnly,
      mounts: { ...test.mounts, [GUARDS]: guards, [PRISTINE]: copies.pristine },
      writable: isBare ? { [TEMPORARY]: own } : {},
      env: { ...program.env, ...(isBare ? { TMPDIR: own, HOME: own } : {}) },
      limits: {
        ...limits,
        wallMs: FOREVER_MS,
        cpuMs: FOREVER_MS,
        processes: Math.min(limits.processes, MOST_PROCESSES),
      },
    };
  }
}

function linesOf({ lines, ranges = {} }: Traced["tests"][number], { sources = {} }: Traced): Record<string, number[]> {
  const found = Object.entries(ranges).map(([path, each]) => [path, rangesToLines(sources[path] ?? "", each)] as const);
  return lines ?? Object.fromEntries(found);
}
