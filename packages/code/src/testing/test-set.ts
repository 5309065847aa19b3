// The run's test set: how it comes to be, and how it may be replaced. Every change is tried in the workspace first.

import { compareTestFiles, type FileBlock, judge } from "@loopwright/workspace";
import { warn } from "../notes.ts";
import type { CodeContext, CodeState, Report, TestFile } from "../task.ts";
import { tryTests, workcellOf } from "../workspace.ts";
import { collectedTests, refuseTests } from "./acceptance.ts";
import { rememberPassed } from "./regressions.ts";

type Known = Pick<CodeState, "original_test_count" | "known_tests">;

/** What is known of a test set after a run of it: every test that ran once must run again. */
export function learnTests(before: Known, report: Report): Known {
  const ran = report.tests.filter(({ state }) => state === "passed" || state === "failed").map(({ name }) => name);
  const known_tests = [...new Set([...before.known_tests, ...ran])];
  return { known_tests, original_test_count: Math.max(before.original_test_count, collectedTests(report) ?? 0) };
}

const nothingKnown: Known = { original_test_count: 0, known_tests: [] };

/** Writes the first tests, and counts what is collected of them before any implementer has a hand in it. */
export async function writeFirstTests(state: CodeState, ctx: CodeContext, test_file: TestFile) {
  const { snapshot, report } = await runTrial(state, ctx, "write-tests", test_file);
  return { snapshot, test_file, ...learnTests(nothingKnown, report) };
}

/** Counts what is collected of tests that are given. */
export async function collectGivenTests(state: CodeState, ctx: CodeContext) {
  const { snapshot, report } = await runTrial(state, ctx, "collect", undefined);
  return { snapshot, ...learnTests(nothingKnown, report) };
}

/** Replaces the tests by proposed ones, under the name that they have; undefined where these would shrink. */
export async function replaceTests(state: CodeState, ctx: CodeContext, proposed: TestFile) {
  const current = state.test_file!;
  const candidate = { filename: current.filename, content: proposed.content };
  if (candidate.content === current.content) return undefined;
  const trial = await runTrial(state, ctx, "try-tests", candidate);
  const losses = await compareTestFiles([toBlock(current)], [toBlock(candidate)]);
  const refusal = refuseTests(state.test_report ?? neverRun, trial.report, losses, state.original_test_count);
  if (refusal === undefined) return { test_file: candidate, ...afterReplacing(trial, ctx.iteration) };
  await warn(ctx, "TESTS_REFUSED", `the proposed tests were refused, and those that are there stay: ${refusal}`);
  return undefined;
}

const neverRun: Report = { runner: "", tests: [], failureLines: "", fault: "they were never run" };

function toBlock({ filename, content }: TestFile): FileBlock {
  return { path: filename, content };
}

/** Scores under other tests compare with nothing: what is best, known and passed begins anew with the trial. */
function afterReplacing({ snapshot, report }: Trial, iteration: number) {
  const { verdict, passed } = judge(report, []);
  return {
    snapshot,
    test_report: report,
    ...learnTests(nothingKnown, report),
    hidden_results: [],
    approaches: [],
    passed_tests: rememberPassed([], passed, iteration),
    regressions: [],
    best: { iteration, score: verdict.score, passed: passed.length, snapshot, report },
  };
}

interface Trial {
  snapshot: string;
  report: Report;
}

function runTrial(state: CodeState, ctx: CodeContext, key: string, test_file: TestFile | undefined): Promise<Trial> {
  return workcellOf(ctx, state).effect(key, {
    input: { test_file: test_file ?? null },
    run: (cell, { signal }) => tryTests(cell, test_file, signal),
  });
}
