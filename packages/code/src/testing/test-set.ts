// The run's test set: how it comes to be, how it may be replaced, and which of its tests have ever passed. Every change is tried in
// the workspace first.
//
// Tests that a model proposes may not shrink: not in what the runner collects and does not skip, parametrised cases and classes
// included; not by an added skip or expected failure; not by a dropped assertion. What cannot be shown not to shrink is refused.

import { type FileBlock, judge, runTests, type TestResult, type TestState, testErrorLine } from "@loopwright/workspace";
import { warn } from "../notes.ts";
import type { CodeContext, CodeState, PassedTest, Report, TestFile } from "../task.ts";
import { putTests, wholeTests, workcellOf } from "../workspace.ts";
import { fileOf, isOwn, runSuiteFor } from "./test-files.ts";

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

/** Replaces the run's own tests by proposed ones, under the name that they have; where these would shrink, says why they are refused,
 * unless a person has said since what is wrong with the others. */
export async function replaceTests(state: CodeState, ctx: CodeContext, proposed: FileBlock) {
  const current = state.test_file;
  if (!current || proposed.content.trim() === current.content.trim()) return {};
  const candidate = { ...current, content: proposed.content };
  const trial = await runTrial(state, ctx, "try-tests", candidate);
  const isTheirs = (name: string) => !state.baseline || (fileOf(name) === current.path && isOwn(name, state));
  const own = (report: Report) => ({ ...report, tests: report.tests.filter(({ name }) => isTheirs(name)) });
  const had = state.known_tests.filter(isTheirs).length;
  const { compareTestFiles } = await import("./compare.ts");
  const losses = state.said === "" ? await compareTestFiles([wholeTests(current)], [wholeTests(candidate)]) : [];
  const least = state.said === "" ? Math.max(had, state.baseline ? 0 : state.original_test_count) : 1;
  const before = state.said === "" ? own(state.test_report ?? neverRun) : neverRun;
  const refusal = refuseTests(before, own(trial.report), losses, least);
  if (refusal !== undefined) {
    const refused = `the proposed tests were refused, and those that are there stay: ${refusal}`;
    await warn(ctx, "TESTS_REFUSED", refused);
    return { refused };
  }
  const names = testsRun(own(trial.report));
  const others = (known: readonly string[]) => [...known.filter((name) => !isTheirs(name)), ...names];
  const anew = beginAnew(trial, ctx.iteration, others(state.known_tests));
  const targets = state.targets && { targets: others(state.targets), unseen: undefined };
  return { replaced: { test_file: candidate, approaches: [], original_test_count: names.length, ...targets, ...anew } };
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

function runTrial(state: CodeState, ctx: CodeContext, key: string, test_file: TestFile | undefined) {
  return workcellOf(ctx, state).effect(key, {
    input: { test_file: test_file ?? null },
    run: async (cell, { signal }) => {
      await putTests(cell, test_file);
      const snapshot = await cell.snapshot();
      if (!state.baseline) return { snapshot, report: await runTests(cell, { signal }) };
      const report = await runSuiteFor(cell, state, { signal, isWhole: false });
      await cell.restore(snapshot);
      return { snapshot, report };
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
