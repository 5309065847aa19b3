// A test run as loops remember it, and the ways to get one. What it says names no folder outside the workspace.

import { z } from "zod";
import type { Loaded, ProjectCell, TestOptions, TestReport } from "../cell.ts";

const State = z.enum(["passed", "failed", "skipped", "xfailed"]);

export const Results = z.array(z.object({ name: z.string(), state: State, failure: z.string().optional() }));

/** What of a test run is remembered. */
export const Report = z.object({
  runner: z.string(),
  tests: Results,
  failureLines: z.string(),
  fault: z.string().optional(),
  /** Failing tests that decide nothing, and are not among the others: those that failed before the first edit, and further ones. */
  left_out: z.object({ failed_before: z.number(), others: z.number() }).optional(),
});
export type Report = z.infer<typeof Report>;

/** The result of one held-out test: its name is nobody's business. */
export const HiddenResult = z.enum(["passed", "failed"]);
export type HiddenResult = z.infer<typeof HiddenResult>;

const digest = z.string().optional();

/** What an iteration has shown, as the stuck detection sees it and a loop remembers it. */
export const Observation = z.object({
  iteration: z.number(),
  score: z.number().optional(),
  artifact: digest,
  sequence: digest,
  failing: digest,
  findings: digest,
});
export type Observation = z.infer<typeof Observation>;

/** Whether a report is of a command that is one test: nothing more can be told of what ran. */
export function isOneCommand({ runner, tests }: Report): boolean {
  return tests.length === 1 && tests[0]!.name === runner;
}

/** The tests' word on the workspace as it stands. */
export async function runTests(
  cell: ProjectCell,
  options: { heldOut?: boolean; signal: AbortSignal },
): Promise<Report> {
  return toReport(await cell.runTests(options), cell.folder);
}

/** A run of the repository's own suite, or of some of its files: what it says, what it loaded, and how long it took. */
export async function runSuite(
  cell: ProjectCell,
  { signal, files = true }: { signal: AbortSignal; files?: TestOptions["suite"] & {} },
): Promise<{ report: Report; loaded: Loaded; ms: number }> {
  const told = await cell.runTests({ suite: files, signal });
  return { report: toReport(told, cell.folder), loaded: told.loaded ?? {}, ms: told.ms };
}

/** The results of held-out tests in their order. A run of them that could not be had is one that failed. */
export async function runHeldOut(cell: ProjectCell, signal: AbortSignal): Promise<HiddenResult[]> {
  const { tests, fault } = await cell.runTests({ heldOut: true, signal });
  const results = tests.flatMap(({ state }) => (state === "passed" || state === "failed" ? [state] : []));
  return fault !== undefined || results.length === 0 ? [...results, "failed"] : results;
}

/** A report without its duration, which is another each time. */
function toReport({ runner, tests, failureLines, fault }: TestReport, folder: string): Report {
  return {
    runner,
    tests: tests.map(({ failure, ...test }) =>
      failure === undefined ? test : { ...test, failure: withoutFolder(failure, folder) },
    ),
    failureLines: withoutFolder(failureLines, folder),
    ...(fault !== undefined && { fault: withoutFolder(fault, folder) }),
  };
}

/** A text that calls the workspace by a name that tells no one anything. */
export function withoutFolder(text: string, folder: string): string {
  return folder === "" ? text : text.replaceAll(folder, "/workspace");
}
