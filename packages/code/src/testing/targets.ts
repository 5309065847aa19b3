// Target tests: what must pass in the end, fixed before the first edit. The list may only grow.

import { ExecutionError } from "@loopwright/core";
import { isOneCommand, runSuite, runTests } from "@loopwright/workspace";
import type { ChangeAnswer } from "../asking/answers.ts";
import type { CodeContext, CodeState, Report, TestFile } from "../task.ts";
import { putTests, workcellOf } from "../workspace.ts";
import { isFoundBy, isOf, TEST_NAME_FORM } from "./test-files.ts";

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
  const { tests: test_file } = answer;
  const { passing, failing, flaky, blocked } = state.baseline!;
  const named = failing.filter((name) => answer.target_tests.some((each) => isMeant(name, each)));
  if (!test_file && named.length === 0) throw noTarget(failing);
  const { snapshot, report, isThere } = await workcellOf(ctx, state).effect("try-targets", {
    input: { test_file: test_file ?? null },
    run: async (cell, { signal }) => {
      const isThere = test_file !== undefined && (await cell.listFiles()).includes(test_file.filename);
      if (!isThere) await putTests(cell, test_file);
      const snapshot = await cell.snapshot();
      const { report } = await runSuite(cell, { signal });
      await cell.restore(snapshot);
      return { snapshot, report, isThere };
    },
  });
  if (isThere) throw takenName(test_file!);
  if (test_file && !isFoundBy(report.runner, test_file)) throw notFound(test_file);
  const known = new Set([...passing, ...failing, ...flaky, ...blocked.map(({ name }) => name)]);
  // A command that is one test is made to fail by what is new.
  const isNew = (name: string) => !known.has(name) || (name === report.runner && passing.includes(name));
  const own = report.tests.filter(({ name, state: each }) => isNew(name) && (each === "passed" || each === "failed"));
  if (test_file && !own.some(({ state: each }) => each === "failed")) {
    if (own.length > 0 || !isOneCommand(report)) throw passesAlready(test_file);
    if (!named.includes(report.runner)) throw cannotTell(test_file, report.runner);
  }
  const targets = [...new Set([...named, ...own.map(({ name }) => name)])];
  return { targets, ...(test_file && { test_file }), snapshot, report };
}

/** The tests of given files, by what a run of them tells; a file of which nothing can be told yet stands for all of its own. */
export function givenTargets({ tests }: Report, files: readonly string[]): string[] {
  const names = tests.filter(({ state }) => state === "passed" || state === "failed").map(({ name }) => name);
  return [...names, ...files.filter((path) => !names.some((name) => isOf(name, path)))];
}

/** Models leave out cases and folders: `test_x.py::test_a` means `tests/test_x.py::test_a[1]` too. */
function isMeant(name: string, said: string): boolean {
  const plain = said.trim();
  const bare = name.replace(/\[.*\]$/s, "");
  return (
    (plain !== "" && [name, bare].some((each) => each === plain || each.endsWith(`/${plain}`))) || isOf(name, plain)
  );
}

function noTarget(failing: readonly string[]): ExecutionError {
  const some = failing.length > 0 ? "name tests of those that fail now, or " : "no test fails now, so ";
  return new ExecutionError(
    "NO_TARGET",
    `there is nothing to aim at: ${some}write a test file that fails as the program is`,
  );
}

function takenName({ filename }: TestFile): ExecutionError {
  const message = `there is a test file ${filename} already, and it stays as it is: give the new tests a name of their own`;
  return new ExecutionError("TEST_NAME_TAKEN", message);
}

function passesAlready({ filename }: TestFile): ExecutionError {
  const message = `nothing in ${filename} fails on the program as it is, so it shows nothing of what the task asks for: write a test that fails now, for the task's own reason`;
  return new ExecutionError("TESTS_PASS_ALREADY", message);
}

function notFound({ filename }: TestFile): ExecutionError {
  const message = `${filename} has no name that what runs the tests finds: give it ${TEST_NAME_FORM}`;
  return new ExecutionError("TESTS_NOT_FOUND", message);
}

function cannotTell({ filename }: TestFile, command: string): ExecutionError {
  const message = `'${command}' is one test, by its exit code, and it did not pass before either, so nothing can be told of ${filename}: name '${command}' in target_tests where the task is to make it pass`;
  return new ExecutionError("TESTS_CANNOT_TELL", message);
}
