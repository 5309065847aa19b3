// Target tests: what must pass in the end, fixed before the first edit. The list may only grow.
//
// Given tests that a person has corrected count from the next iteration on, so also where a run is resumed. What was best, known and
// passed under the old ones begins anew, and an approach that failed by nothing but what was wrong with them is no failed approach.

import { ExecutionError } from "@loopwright/core";
import { type FileBlock, isOneCommand, judge, runSuite, runTests } from "@loopwright/workspace";
import type { ChangeAnswer } from "../asking/answers.ts";
import type { CodeContext, CodeState, Report } from "../task.ts";
import { putTests, workcellOf } from "../workspace.ts";
import { isFoundBy, isMeant, isOf, TEST_NAME_FORM } from "./test-files.ts";
import { beginAnew, testsRun } from "./test-set.ts";

/** What a run aims at: tests by name, the new test file where there is one, and what the tests say before any edit. */
export interface Aim {
  targets: string[];
  test_file?: FileBlock;
  snapshot: string;
  report: Report;
}

/** Aims at the tests that were given: what they are is told by a run of them alone. */
export async function aimAtGiven(ctx: CodeContext, state: CodeState): Promise<Aim> {
  const given = (state.given_tests ?? ctx.input.tests ?? []).map(({ path }) => path);
  return workcellOf(ctx, state).effect("try-targets", {
    run: async (cell, { signal }) => {
      const snapshot = await cell.snapshot();
      const targets = givenTargets(await runTests(cell, { signal }), given);
      await cell.restore(snapshot);
      const { report } = await runSuite(cell, { signal });
      await cell.restore(snapshot);
      return { targets, snapshot, report };
    },
  });
}

/** Aims at failing tests that an answer names, and at those of its new file; throws where nothing of it fails now. */
export async function aimAt(ctx: CodeContext, state: CodeState, answer: ChangeAnswer): Promise<Aim> {
  const { tests: test_file } = answer;
  const { passing, failing, flaky, blocked } = state.baseline!;
  const named = failing.filter((name) => answer.target_tests.some((each) => isMeant(name, each)));
  if (!test_file && named.length === 0) {
    const some = failing.length > 0 ? "name tests of those that fail now, or " : "no test fails now, so ";
    throw new ExecutionError(
      "NO_TARGET",
      `there is nothing to aim at: ${some}write a test file that fails as the program is`,
    );
  }
  const { snapshot, report, isThere } = await workcellOf(ctx, state).effect("try-targets", {
    input: { test_file: test_file ?? null },
    run: async (cell, { signal }) => {
      const isThere = test_file !== undefined && (await cell.listFiles()).includes(test_file.path);
      if (!isThere) await putTests(cell, test_file);
      const snapshot = await cell.snapshot();
      const { report } = await runSuite(cell, { signal });
      await cell.restore(snapshot);
      return { snapshot, report, isThere };
    },
  });
  const known = new Set([...passing, ...failing, ...flaky, ...blocked.map(({ name }) => name)]);
  // A command that is one test is made to fail by what is new.
  const isNew = (name: string) => !known.has(name) || (name === report.runner && passing.includes(name));
  const own = report.tests.filter(({ name, state: each }) => isNew(name) && (each === "passed" || each === "failed"));
  if (test_file) refuseFile(test_file, { isThere, report, own, named });
  const targets = [...new Set([...named, ...own.map(({ name }) => name)])];
  return { targets, ...(test_file && { test_file }), snapshot, report };
}

/** Throws where a new test file is none to aim at: its name, or that nothing of it fails now. */
function refuseFile(
  test_file: FileBlock,
  { isThere, report, own, named }: { isThere: boolean; report: Report; own: Report["tests"]; named: readonly string[] },
): void {
  const { path } = test_file;
  const { runner } = report;
  if (isThere)
    throw new ExecutionError(
      "TEST_NAME_TAKEN",
      `there is a test file ${path} already, and it stays as it is: give the new tests a name of their own`,
    );
  if (!isFoundBy(runner, test_file))
    throw new ExecutionError(
      "TESTS_NOT_FOUND",
      `${path} has no name that what runs the tests finds: give it ${TEST_NAME_FORM}`,
    );
  if (own.some(({ state }) => state === "failed")) return;
  if (own.length > 0 || !isOneCommand(report))
    throw new ExecutionError(
      "TESTS_PASS_ALREADY",
      `nothing in ${path} fails on the program as it is, so it shows nothing of what the task asks for: write a test that fails now, for the task's own reason`,
    );
  if (!named.includes(runner))
    throw new ExecutionError(
      "TESTS_CANNOT_TELL",
      `'${runner}' is one test, by its exit code, and it did not pass before either, so nothing can be told of ${path}: name '${runner}' in target_tests where the task is to make it pass`,
    );
}

/** The tests of given files, by what a run of them tells; a file of which nothing can be told yet stands for all of its own. */
export function givenTargets(report: Report, files: readonly string[]): string[] {
  const names = testsRun(report);
  return [...names, ...files.filter((path) => !names.some((name) => isOf(name, path)))];
}

/** What a correction comes to: what it changes in the state, and whether everything passes as it stands. */
export interface Correction {
  patch: Partial<CodeState>;
  passes: boolean;
}

/** Reads given tests again; undefined where they are what they were. */
export async function takeCorrected(state: CodeState, ctx: CodeContext): Promise<Correction | undefined> {
  const before = state.given_tests ?? ctx.input.tests;
  if (!before) return undefined;
  const taken = await workcellOf(ctx, state).effect("given-tests", {
    run: async (cell, { signal }) => {
      const given_tests = await cell.takeTests(before);
      if (!given_tests) return null;
      const snapshot = await cell.snapshot();
      const own = await runTests(cell, { signal });
      await cell.restore(snapshot);
      if (!state.baseline) return { given_tests, snapshot, own, report: own };
      const { report } = await runSuite(cell, { signal });
      await cell.restore(snapshot);
      return { given_tests, snapshot, own, report };
    },
  });
  if (!taken) return undefined;
  const { given_tests, snapshot, own, report } = taken;
  const { correctedTests } = await import("./compare.ts");
  const isCorrected = await correctedTests(before, given_tests);
  const targets = givenTargets(
    own,
    given_tests.map(({ path }) => path),
  );
  const isGiven = (name: string) => [...before, ...given_tests].some(({ path }) => isOf(name, path));
  const others = state.baseline ? state.known_tests.filter((name) => !isGiven(name)) : [];
  const known_tests = [...new Set([...others, ...targets])];
  const isVindicated = ({ failed }: CodeState["approaches"][number]) => failed?.every(isCorrected) === true;
  const vindicated = state.approaches.filter(isVindicated);
  await ctx.tell("tests-corrected", {
    files: given_tests.filter(({ content }) => !before.some((old) => old.content === content)).map(({ path }) => path),
    vindicated: vindicated.map((each) => each.iteration),
  });
  return {
    passes: judge(report, known_tests).verdict.verdict === "pass",
    patch: {
      ...beginAnew({ snapshot, report }, ctx.iteration - 1, known_tests),
      ...{ given_tests, original_test_count: targets.length, history: [] },
      ...(state.targets && { targets, unseen: undefined }),
      approaches: state.approaches.filter((each) => !vindicated.includes(each)),
    },
  };
}
