// Trials by whole runs of the runner, on a fresh copy for each version: slow, and right for whatever the runner is.

import type { TestReport } from "../cell.ts";
import { placeFile, readPlain } from "../folder/files.ts";
import { isRunnerFile } from "../folder/protected.ts";
import { walk } from "../folder/walk.ts";
import { runTestFiles, type TestRun } from "../runners/run.ts";
import { isTestFile } from "../tests/names.ts";
import { type Copies, runOn } from "./copies.ts";
import { shareOut } from "./share.ts";
import type { TestCoverage, TrialOptions, TrialOutcome, Trials, TrialTests, Version } from "./types.ts";

export interface WholeOptions extends TestRun {
  copies: Copies;
  workers: number;
  /** What the runner said of the program as it stands. */
  report: TestReport;
}

const SOURCE = /\.(?:py|[cm]?[jt]sx?)$/;
const LEAST_WALL_MS = 10_000;
const TIMES = 20;

export class WholeTrials implements Trials {
  readonly way = "whole";
  readonly #options: WholeOptions;
  readonly #stop = new AbortController();
  readonly #running = new Set<Promise<unknown>>();

  constructor(options: WholeOptions) {
    this.#options = options;
  }

  /** Each test may have executed anything: every line of every source file. */
  async coverage({ signal }: { signal: AbortSignal }): Promise<TestCoverage[]> {
    signal.throwIfAborted();
    const { copies, report } = this.#options;
    const entries = await walk(copies.pristine);
    const sources = entries.filter(({ kind, path }) => kind === "file" && SOURCE.test(path));
    const textOf = (path: string) => readPlain(copies.pristine, path)?.toString("utf8") ?? "";
    const every = sources.map(({ path }) => [path, numbersOf(textOf(path))] as const);
    const lines = ownLines(Object.fromEntries(every));
    const tests = report.tests.flatMap(({ name, state }): TestCoverage[] =>
      state === "passed" || state === "failed" ? [{ test: name, state, ms: report.ms, lines }] : [],
    );
    return tests;
  }

  async tryAll(versions: readonly Version[], { tests, signal, onOutcome }: TrialOptions): Promise<TrialOutcome[]> {
    const both = AbortSignal.any([signal, this.#options.signal, this.#stop.signal]);
    const all = shareOut(versions, Math.max(1, this.#options.workers), async (version, slot, index) => {
      const outcome = await this.#tryOne(version, `whole-${slot}`, tests, both);
      onOutcome?.(index, outcome);
      return outcome;
    });
    this.#running.add(all);
    return all.finally(() => this.#running.delete(all));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await Promise.allSettled(this.#running);
    this.#options.copies[Symbol.dispose]();
  }

  async #tryOne(version: Version, name: string, tests: TrialTests, signal: AbortSignal): Promise<TrialOutcome> {
    signal.throwIfAborted();
    const { copies, limits, report } = this.#options;
    const folder = await copies.take(name);
    for (const { path, content } of version) placeFile(folder, path, Buffer.from(content));
    const wallMs = Math.min(limits.wallMs, Math.max(LEAST_WALL_MS, TIMES * report.ms));
    const run = runOn(this.#options, copies, folder);
    return reportToOutcome(await runTestFiles({ ...run, limits: { ...limits, wallMs }, signal }), tests);
  }
}

/** What a report of a version comes to. */
export function reportToOutcome(report: TestReport, { failing, passing }: TrialTests): TrialOutcome {
  if (report.fault !== undefined) {
    return { fixed: [], passes: false, stopped: /were stopped/.test(report.fault) ? "limit" : "unloadable" };
  }
  const passed = new Set(report.tests.filter(({ state }) => state === "passed").map(({ name }) => name));
  const fixed = failing.filter((name) => passed.has(name));
  const broke = fixed.length > 0 ? passing.find((name) => !passed.has(name)) : undefined;
  const passes = fixed.length === failing.length && passing.every((name) => passed.has(name));
  return { fixed, passes, ...(broke === undefined ? {} : { broke }) };
}

/** Lines of the program's own files: neither tests nor what configures their runner. */
export function ownLines(lines: Readonly<Record<string, readonly number[]>>): Record<string, readonly number[]> {
  return Object.fromEntries(Object.entries(lines).filter(([path]) => !isTestFile(path) && !isRunnerFile(path)));
}

function numbersOf(text: string): number[] {
  return text.split("\n").map((_, index) => index + 1);
}
