// Opening trials: warm workers where the runner has them and they tell the same as it does, else the runner itself.

import { availableParallelism } from "node:os";
import type { TestReport } from "../cell.ts";
import { collectAlone } from "../runners/collect.ts";
import { runTestFiles, type TestRun } from "../runners/run.ts";
import { Copies, runOn } from "./copies.ts";
import { programFor } from "./programs.ts";
import type { Trials } from "./types.ts";
import { type Baseline, WarmTrials } from "./warm.ts";
import { WholeTrials } from "./whole.ts";

/** What trials are opened with: the test run as it would be, and where copies of its workspace may be kept. */
export interface TrialsOptions extends TestRun {
  state: string;
  /** Paths of the workspace that are no part of it. */
  ignore: readonly string[];
  /** What is seen where it lies instead of being copied: by path, the folder or file. */
  shared: Readonly<Record<string, string>>;
  /** How many run at a time: the cores, where left out. */
  workers?: number;
}

/** How long the runner may take where the program seemed to a warm worker never to end. */
const PATIENCE_MS = 5_000;

/** Opens trials on copies of a workspace. */
export async function openTrials(options: TrialsOptions): Promise<Trials> {
  options.signal.throwIfAborted();
  const copies = await Copies.make(options);
  const report = startReport(options, copies);
  let warm: WarmTrials | undefined;
  try {
    const all = { ...options, copies, workers: options.workers ?? availableParallelism() };
    const program = programFor(options.runner);
    if (program) {
      warm = new WarmTrials({ ...all, program });
      if (await isBelieved(warm, report)) return warm;
      await warm.end();
    }
    return new WholeTrials({ ...all, report: await report.settled() });
  } catch (error) {
    await warm?.end();
    await report.giveUp();
    copies[Symbol.dispose]();
    throw error;
  }
}

/** Runs the program as it stands in a warm worker too, and compares. */
async function isBelieved(warm: WarmTrials, report: RunningReport): Promise<boolean> {
  let baseline = await warm.begin();
  if (isEndless(baseline)) setTimeout(() => report.giveUp(), PATIENCE_MS).unref();
  const settled = await report.settled();
  // The runner has ended, so that everything does.
  if (isEndless(baseline) && settled.fault === undefined) baseline = await warm.begin({ isPatient: true });
  if (!isFaithful(baseline, settled)) return false;
  warm.know(settled);
  return true;
}

function isEndless({ tests, end }: Baseline): boolean {
  return end === "limit" || tests.some(({ cut }) => cut);
}

/** What the runner itself says of the program as it stands, on a copy of its own. */
interface RunningReport {
  /** The report; where it was given up, the tests by name, and that as its fault. */
  settled(): Promise<TestReport>;
  giveUp(): Promise<unknown>;
}

function startReport(options: TrialsOptions, copies: Copies): RunningReport {
  const stop = new AbortController();
  const run = (async () => {
    const folder = await copies.take("report");
    return runTestFiles(runOn({ ...options, signal: AbortSignal.any([options.signal, stop.signal]) }, copies, folder));
  })();
  run.catch(() => {});
  return {
    async settled() {
      try {
        return await run;
      } catch (error) {
        options.signal.throwIfAborted();
        if (!stop.signal.aborted) throw error;
        const fault = "the tests do not end";
        const tests = await collectAlone(options, fault);
        return { runner: options.runner.name, tests, failureLines: fault, fault, ms: PATIENCE_MS };
      }
    },
    giveUp() {
      stop.abort();
      return run.catch(() => {});
    },
  };
}

/** Whether a warm worker tells the same of the program as its runner does. */
export function isFaithful({ tests, end }: Baseline, report: TestReport): boolean {
  if (report.fault !== undefined) return (end !== undefined && report.tests.length > 0) || tests.some(({ cut }) => cut);
  if (end !== undefined || tests.length !== report.tests.length) return false;
  const passed = new Map(tests.map(({ name, state }) => [name, state === "passed"]));
  return report.tests.every(({ name, state }) => passed.get(name) === (state === "passed"));
}
