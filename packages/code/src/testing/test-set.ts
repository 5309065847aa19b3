// The run's test set: how it comes to be, how it may be replaced, and which of its tests have ever passed. Every change is tried in
// the workspace first.
//
// Tests that a model proposes may not shrink: not in what the runner collects and does not skip, parametrised cases and classes
// included; not by an added skip or expected failure; not by a dropped assertion. What cannot be shown not to shrink is refused.

import { type FileBlock, judge, runTests, type TestResult, type TestState, testErrorLine } from "@loopwright/workspace";
import { warn } from "../notes.ts";
import type { CodeContext, CodeState, PassedTest, Report } from "../task.ts";
import { putTests, workcellOf } from "../workspace.ts";

type Known = Pick<CodeState, "original_test_count" | "known_tests">;

/** What is known of a test set after a run of it: every test that ran once must run again. */
export function learnTests(before: Known, report: Report): Known {
  const known_tests = [...new Set([...before.known_tests, ...testsRun(report)])];
  return { known_tests, original_test_count: Math.max(before.original_test_count, collectedTests(report) ?? 0) };
}

const nothingKnown: Known = { original_test_count: 0, known_tests: [] };

/** Writes the first tests, and counts what is collected of them before any implementer has a hand in it. */
export async function writeFirstTests(state: CodeState, ctx: CodeContext, test_file: FileBlock) {
  const { snapshot, report } = await runTrial(state, ctx, "write-tests", test_file);
  return { snapshot, test_file, ...learnTests(nothingKnown, report) };
}

/** Counts what is collected of tests that are given. */
export async function collectGivenTests(state: CodeState, ctx: CodeContext) {
  const { snapshot, report } = await runTrial(state, ctx, "collect", undefined);
  return { snapshot, ...learnTests(nothingKnown, report) };
}

/** Replaces the tests by proposed ones, under the name that they have; undefined where these would shrink. */
export async function replaceTests(state: CodeState, ctx: CodeContext, proposed: FileBlock) {
  const current = state.test_file!;
  const candidate = { ...current, content: proposed.content };
  if (candidate.content === current.content) return undefined;
  const trial = await runTrial(state, ctx, "try-tests", candidate);
  const { compareTestFiles } = await import("./compare.ts");
  const losses = await compareTestFiles([current], [candidate]);
  const refusal = refuseTests(state.test_report ?? neverRun, trial.report, losses, state.original_test_count);
  if (refusal === undefined) {
    const { known_tests, original_test_count } = learnTests(nothingKnown, trial.report);
    const anew = beginAnew(trial, ctx.iteration, known_tests);
    return { test_file: candidate, approaches: [], original_test_count, ...anew };
  }
  await warn(ctx, "TESTS_REFUSED", `the proposed tests were refused, and those that are there stay: ${refusal}`);
  return undefined;
}

const neverRun: Report = { runner: "", tests: [], failureLines: "", fault: "they were never run" };

/** Scores under other tests compare with nothing: what is best, known and passed begins anew with a run of them. */
export function beginAnew({ snapshot, report }: Trial, iteration: number, known_tests: string[]) {
  const { verdict, passed } = judge(report, known_tests);
  return {
    ...{ snapshot, known_tests, test_report: report, hidden_results: [], regressions: [] },
    passed_tests: rememberPassed([], passed, iteration),
    best: { iteration, score: verdict.score, passed: passed.length, snapshot, report },
  };
}

type Trial = Awaited<ReturnType<typeof runTrial>>;

function runTrial(state: CodeState, ctx: CodeContext, key: string, test_file: FileBlock | undefined) {
  return workcellOf(ctx, state).effect(key, {
    input: { test_file: test_file ?? null },
    run: async (cell, { signal }) => {
      await putTests(cell, test_file);
      const snapshot = await cell.snapshot();
      return { snapshot, report: await runTests(cell, { signal }) };
    },
  });
}

/** How many tests the runner collected and did not skip; undefined where nothing could be collected. */
export function collectedTests({ fault, tests }: Report): number | undefined {
  if (fault !== undefined && tests.length === 0) return undefined;
  return testsRun({ tests }).length;
}

/** The names of tests that were run, and not skipped. */
export function testsRun({ tests }: Pick<Report, "tests">): string[] {
  return tests.flatMap(({ name, state }) => (state === "passed" || state === "failed" ? [name] : []));
}

/** Why proposed tests are refused; undefined where they may be written. `losses` is what their text has less of, and
 * `least` the count of tests that was had before. */
export function refuseTests(
  before: Report,
  after: Report,
  losses: readonly string[],
  least: number,
): string | undefined {
  const has = collectedTests(after);
  if (has === undefined) return `they could not be collected: ${testErrorLine(after.fault ?? "no reason is known")}`;
  const had = Math.max(collectedTests(before) ?? 0, least);
  if (has === 0 || has < had) return `${has} tests would run, and ${had} did before`;
  const fromRuns = collectedTests(before) === undefined ? [] : compareTests(before.tests, after.tests);
  return [...fromRuns, ...losses][0];
}

/** What two runs collected: fewer tests that run, or more that are skipped or expected to fail, are losses, in sentences. */
export function compareTests(before: readonly TestResult[], after: readonly TestResult[]): string[] {
  const [old, now] = [before, after].map(countStates) as [StateCounts, StateCounts];
  return [
    ...(now.running < old.running ? [`${now.running} tests would run, and ${old.running} did before`] : []),
    ...(now.skipped > old.skipped ? [`${now.skipped - old.skipped} more tests would be skipped`] : []),
    ...(now.xfailed > old.xfailed ? [`${now.xfailed - old.xfailed} more tests would be expected to fail`] : []),
  ];
}

type StateCounts = ReturnType<typeof countStates>;

function countStates(tests: readonly TestResult[]) {
  const count = (...states: TestState[]) => tests.filter(({ state }) => states.includes(state)).length;
  return { running: count("passed", "failed"), skipped: count("skipped"), xfailed: count("xfailed") };
}

/** The tests that have ever passed, each with the last iteration in which it did. */
export function rememberPassed(
  before: readonly PassedTest[],
  passed: readonly string[],
  iteration: number,
): PassedTest[] {
  const now = new Set(passed);
  const others = before.filter(({ name }) => !now.has(name));
  return [...others, ...passed.map((name) => ({ name, iteration }))];
}

/** Those of them that fail now. */
export function findRegressions(before: readonly PassedTest[], failing: readonly string[]): PassedTest[] {
  const now = new Set(failing);
  return before.filter(({ name }) => now.has(name));
}
