// Target tests: what must pass in the end, fixed before the first edit. The list may only grow.

import { ExecutionError } from "@loopwright/core";
import { runSuite } from "@loopwright/workspace";
import type { ChangeAnswer } from "../asking/answers.ts";
import type { CodeContext, CodeState, Report, TestFile } from "../task.ts";
import { putTests, workcellOf } from "../workspace.ts";
import { isOf } from "./test-files.ts";

/** What a run aims at: tests by name, the new test file where there is one, and what the tests say before any edit. */
export interface Aim {
  targets: string[];
  test_file?: TestFile;
  snapshot: string;
  report: Report;
}

/** Aims at the tests that were given. */
export async function aimAtGiven(ctx: CodeContext, state: CodeState): Promise<Aim> {
  const { snapshot, report } = await tryOn(ctx, state, undefined);
  const given = ctx.input.tests!.map(({ path }) => path);
  const targets = namesOf(report).filter((name) => given.some((path) => isOf(name, path)));
  return { targets, snapshot, report };
}

/** Aims at failing tests that an answer names, and at those of its new file; throws where nothing of it fails now. */
export async function aimAt(ctx: CodeContext, state: CodeState, answer: ChangeAnswer): Promise<Aim> {
  const { failing } = state.baseline!;
  const named = failing.filter((name) => answer.target_tests.some((each) => isMeant(name, each)));
  const { tests } = answer;
  if (!tests && named.length === 0) throw noTarget(failing);
  const { snapshot, report } = await tryOn(ctx, state, tests);
  const own = tests ? report.tests.filter(({ name }) => isOf(name, tests.filename)) : [];
  if (tests && !own.some(({ state: each }) => each === "failed")) throw passesAlready(tests);
  const targets = [...new Set([...named, ...own.map(({ name }) => name)])];
  return { targets, ...(tests && { test_file: tests }), snapshot, report };
}

function tryOn(ctx: CodeContext, state: CodeState, test_file: TestFile | undefined) {
  return workcellOf(ctx, state).effect("try-targets", {
    input: { test_file: test_file ?? null },
    run: async (cell, { signal }) => {
      await putTests(cell, test_file);
      const snapshot = await cell.snapshot();
      const { report } = await runSuite(cell, { signal });
      await cell.restore(snapshot);
      return { snapshot, report };
    },
  });
}

function namesOf({ tests }: Report): string[] {
  return tests.filter(({ state }) => state === "passed" || state === "failed").map(({ name }) => name);
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

function passesAlready({ filename }: TestFile): ExecutionError {
  const message = `nothing in ${filename} fails on the program as it is, so it shows nothing of what the task asks for: write a test that fails now, for the task's own reason`;
  return new ExecutionError("TESTS_PASS_ALREADY", message);
}
