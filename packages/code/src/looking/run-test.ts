// RUN: tests of the program as it is now, by the runner that judges, in the sandbox and under its limits. It only reports.

import { plainPath, shownPath } from "@loopwright/git";
import { isTestFile, type ProjectCell, type Report, runSuite, withoutCase } from "@loopwright/workspace";
import type { CodeState } from "../task.ts";
import { runSuiteFor } from "../testing/suite.ts";
import { fileOf, isOf } from "../testing/test-files.ts";
import { putTests } from "../workspace.ts";
import type { Look } from "./requests.ts";
import { type Answered, LONGEST } from "./seen.ts";

/** Runs tests of the program as it is, and leaves nothing of the run. */
export async function runTest(
  cell: ProjectCell,
  { test }: Extract<Look, { kind: "run" }>,
  state: CodeState,
  signal: AbortSignal,
): Promise<Answered> {
  const here = state.snapshot ?? (await cell.snapshot());
  const files = await cell.listFiles();
  const chosen = chooseTest(test, files, state);
  if (!chosen) return noTest(test, files);
  await putTests(cell, state.test_file);
  const report = chosen.file
    ? (await runSuite(cell, { signal, files: [chosen.file] })).report
    : await runSuiteFor(cell, state, { signal, isWhole: false });
  await cell.restore(here);
  return describeRun(report, chosen);
}

interface Chosen {
  /** The file that is run, and the test of it that is asked for; neither where it is all of them. */
  file?: string;
  only?: string;
}

function chooseTest(said: string, files: readonly string[], state: CodeState): Chosen | undefined {
  if (/^(?:all|tests?|suite|\.)$/i.test(said)) return {};
  const { passing = [], failing = [], flaky = [] } = state.baseline ?? {};
  const names = [...(state.targets ?? []), ...passing, ...failing, ...flaky];
  const path = plainPath(fileOf(said)).path ?? "";
  const isTest = isTestFile(path) || names.some((name) => fileOf(name) === path);
  if (files.includes(path) && isTest) return { file: path, ...(fileOf(said) !== said && { only: said }) };
  const [full] = names.filter((name) => [name, withoutCase(name)].some((each) => endsWith(each, said)));
  return full !== undefined && files.includes(fileOf(full)) ? { file: fileOf(full), only: full } : undefined;
}

function endsWith(name: string, said: string): boolean {
  return ["/", "::", " > "].some((mark) => name.endsWith(`${mark}${said}`));
}

function noTest(said: string, files: readonly string[]): Answered {
  const tests = files.filter(isTestFile);
  const some = tests.slice(0, 20).map(shownPath).join(", ");
  const known = tests.length > 0 ? ` Test files are ${some}${tests.length > 20 ? ", …" : ""}.` : "";
  return { text: `There is no test ${shownPath(said)}.${known}`, words: `run ${shownPath(said)} (not there)` };
}

/** What a run says, of the test that was asked for where it can be told apart. */
function describeRun({ tests, fault }: Report, { file, only }: Chosen): Answered {
  const named = only === undefined ? [] : tests.filter(({ name }) => isMeant(name, only));
  const own = named.length > 0 ? named : tests;
  const failed = own.filter(({ state }) => state === "failed");
  const counts = `${own.filter(({ state }) => state === "passed").length} passed, ${failed.length} failed`;
  const said = failed.map(({ name, failure = "" }) => `FAILED ${name}\n${failure}`);
  const all = [counts, ...(fault === undefined ? [] : [fault]), ...said].join("\n");
  const text = all.length <= LONGEST ? all : cutMiddle(all);
  return { text, words: `run ${only ?? file ?? "all"} (${fault === undefined ? counts : "could not be run"})` };
}

function isMeant(name: string, only: string): boolean {
  const bare = withoutCase(name);
  return isOf(name, only) || bare === only || endsWith(bare, only) || endsWith(only, bare);
}

function cutMiddle(text: string): string {
  const half = LONGEST / 2;
  const left = text.length - 2 * half;
  return `${text.slice(0, half)}\n[… ${left} characters are not shown …]\n${text.slice(-half)}`;
}
