// Opening trials: warm workers where the runner has them and they tell the same as it does, else the runner itself.

import { availableParallelism } from "node:os";
import type { TestReport } from "./cell.ts";
import { runTestFiles, type TestRun } from "./runners-run.ts";
import { Copies, runOn } from "./trials-copies.ts";
import { programFor } from "./trials-programs.ts";
import type { Trials } from "./trials-types.ts";
import { type Baseline, WarmTrials } from "./trials-warm.ts";
import { WholeTrials } from "./trials-whole.ts";

/** What trials are opened with: the test run as it would be, and where copies of its workspace may be kept. */
export interface TrialsOptions extends TestRun {
  state: string;
  /** Paths of the workspace that are no part of it, and those that tests may not see. */
  ignore: readonly string[];
  hidden: readonly string[];
  /** How many run at a time: the cores, where left out. */
  workers?: number;
}

/** How long the runner may take where warm workers had to cut a test. */
const PATIENCE_MS = 5_000;

/** Opens trials on copies of a workspace. */
export async function openTrials(options: TrialsOptions): Promise<Trials> {
  const { signal } = options;
  signal.throwIfAborted();
  const workers = options.workers ?? availableParallelism();
  const copies = await Copies.make(options);
  const giveUp = new AbortController();
  let warm: WarmTrials | undefined;
  try {
    const program = programFor(options.runner);
    const reported = reportOf({ ...options, signal: AbortSignal.any([signal, giveUp.signal]) }, copies);
    reported.catch(() => {});
    if (program) {
      warm = new WarmTrials({ ...options, copies, workers, program });
      const baseline = await warm.begin();
      if (baseline.tests.some(({ cut }) => cut)) setTimeout(() => giveUp.abort(), PATIENCE_MS).unref();
      const report = await reported.catch(() => undefined);
      signal.throwIfAborted();
      if (isFaithful(baseline, report)) return warm.with(report);
      await warm.end();
    }
    return new WholeTrials({ ...options, copies, workers, report: await reported });
  } catch (error) {
    giveUp.abort();
    await warm?.end();
    copies[Symbol.dispose]();
    throw error;
  }
}

/** What the runner itself says of the program as it stands, on a copy of its own. */
async function reportOf(options: TrialsOptions, copies: Copies): Promise<TestReport> {
  const folder = await copies.take("report");
  return runTestFiles(runOn(options, copies, folder));
}

/** Whether a warm worker tells the same of the program as its runner does. */
export function isFaithful({ tests, end }: Baseline, report: TestReport | undefined): boolean {
  if (!report) return tests.some(({ cut }) => cut);
  if (report.fault !== undefined) return end !== undefined && report.tests.length > 0;
  if (end !== undefined || tests.length !== report.tests.length) return false;
  const passed = new Map(tests.map(({ name, state }) => [name, state === "passed"]));
  return report.tests.every(({ name, state }) => passed.get(name) === (state === "passed"));
}
