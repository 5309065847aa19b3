// Target tests: what must pass in the end, fixed before the first edit. The list may only grow.
//
// Given tests that a person has corrected count from the next iteration on, so also where a run is resumed. What was best, known and
// passed under the old ones begins anew, and an approach that failed by nothing but what was wrong with them is no failed approach.

import { ExecutionError } from "@loopwright/core";
import {
  isOneCommand,
  judge,
  nameSome,
  type ProjectCell,
  readTestSource,
  runSuite,
  runTests,
} from "@loopwright/workspace";
import type { ChangeAnswer } from "../asking/answers.ts";
import { plainName } from "../showing/program.ts";
import type { CodeContext, CodeState, Report, TestFile } from "../task.ts";
import { putTests, wholeTests, workcellOf } from "../workspace.ts";
import { isFoundBy, isMeant, isOf, isOwn, TEST_NAME_FORM } from "./test-files.ts";
import { beginAnew, testsRun } from "./test-set.ts";

/** What a run aims at: tests by name, the new test file where there is one, and what the tests say before any edit. */
export interface Aim {
  targets: string[];
  test_file?: TestFile;
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
  const { tests } = answer;
  const { passing, failing } = state.baseline!;
  const named = failing.filter((name) => answer.target_tests.some((each) => isMeant(name, each)));
  if (!tests && named.length === 0) {
    const some = failing.length > 0 ? "name tests of those that fail now, or " : "no test fails now, so ";
    throw new ExecutionError(
      "NO_TARGET",
      `there is nothing to aim at: ${some}write a test file that fails as the program is`,
    );
  }
  const { snapshot, report, ...placed } = await workcellOf(ctx, state).effect("try-targets", {
    input: { tests: tests ?? null },
    run: async (cell, { signal }) => {
      const placed = tests ? await placeTests(cell, tests) : {};
      await putTests(cell, placed.test_file);
      const snapshot = await cell.snapshot();
      const { report } = await runSuite(cell, { signal });
      await cell.restore(snapshot);
      return { snapshot, report, ...placed };
    },
  });
  const { test_file, problem } = placed;
  if (problem !== undefined) throw new ExecutionError("TESTS_NOT_ADDED", problem);
  // A command that is one test is made to fail by what is new.
  const isNew = (name: string) => isOwn(name, state) || (name === report.runner && passing.includes(name));
  const own = report.tests.filter(({ name, state: each }) => isNew(name) && (each === "passed" || each === "failed"));
  if (test_file) refuseFile(test_file, { report, own, named, passing });
  const targets = [...new Set([...named, ...own.map(({ name }) => name)])];
  return { targets, ...(test_file && { test_file }), snapshot, report };
}

/** New tests as they are written: a file of their own, or added to one that is there, which keeps what it has. */
async function placeTests(
  cell: ProjectCell,
  { path, content, after }: ChangeAnswer["tests"] & {},
): Promise<{ test_file?: TestFile; problem?: string }> {
  const [there] = await cell.readFiles([path]);
  if (!there)
    return (await cell.listFiles()).includes(path)
      ? { problem: `${path} is no text that can be added to: give the new tests a file of their own` }
      : { test_file: { path, content } };
  const [old, added] = await Promise.all([there.content, content].map((text) => readTestSource(path, text)));
  const again = added!.names.filter((name) => old!.names.includes(name));
  if (again.length > 0)
    return {
      problem: `there is a test file ${path} already, which has ${nameSome(again)}: give only what is added to it, under names that it has not`,
    };
  const lines = there.content.trimEnd().split("\n");
  const { testSpans } = await import("../showing/excerpts.ts");
  const spans = after === undefined ? [] : await testSpans(path, there.content, new Set([plainName(after)]));
  const end = spans.at(-1)?.to ?? lines.length;
  const rest = lines.slice(end).join("\n");
  const around: TestFile["around"] = [`${lines.slice(0, end).join("\n")}\n\n`, rest === "" ? "" : `${rest}\n`];
  return { test_file: { path, content: `${content.trimEnd()}\n`, around } };
}

interface TriedTests {
  report: Report;
  own: Report["tests"];
  named: readonly string[];
  passing: readonly string[];
}

/** Throws where new tests are none to aim at: their file's name, that they break others, or that nothing of them fails now. */
function refuseFile(test_file: TestFile, { report, own, named, passing }: TriedTests): void {
  const { path } = test_file;
  const { runner } = report;
  const lost = passing.filter(
    (name) => isOf(name, path) && !report.tests.some((each) => each.name === name && each.state === "passed"),
  );
  if (lost.length > 0)
    throw new ExecutionError(
      "TESTS_BREAK_OTHERS",
      `with what is added to ${path}, ${nameSome(lost)} no longer passes: mind where it stands and how it is indented, or give it a file of its own`,
    );
  if (!isFoundBy(runner, wholeTests(test_file)))
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
