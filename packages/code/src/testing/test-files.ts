// What the paths in a plan may be, and what a test file may be called. Pure.

import { plainPath } from "@loopwright/git";
import {
  type FileBlock,
  failureLines,
  isIgnored,
  isRunnerFile,
  isTestFile,
  isTestSource,
  type ProjectCell,
  type Report,
  runSuite,
  withoutCase,
} from "@loopwright/workspace";
import { RUNNER_NAMES } from "@loopwright/workspace/settings";
import type { Baseline, CodeState } from "../task.ts";

export { isTestFile };

/** What a test file must be called, in words that a model can act on. */
export const TEST_NAME_FORM =
  "a path inside the workspace that its runner finds: test_NAME.py for Python, NAME.test.ts or NAME.test.js otherwise";

/** What it may be called among a program's own, which have names of their own. */
export const ANY_TEST_NAME_FORM =
  "a path inside the workspace, in a folder of tests or with 'test' or 'spec' in its name, as the program's other tests have it";
const ANY_TEST_NAME = /(?:^|[/._-])(?:tests?|__tests__|specs?)(?:[/._-]|$)/i;

/** Whether a path may be a test's among a program's own. */
export function isAnyTestName(path: string): boolean {
  return isTestFile(path) || (ANY_TEST_NAME.test(path) && !isRunnerFile(path));
}

/** Whether what runs the tests finds a file by its name; what a command runs, only the command knows. */
export function isFoundBy(runner: string, { path, content }: FileBlock): boolean {
  const isKnown = RUNNER_NAMES.some((name) => name === runner);
  return !isKnown || isTestFile(path) || isTestSource(path, content);
}

/** A path of the workspace in its plain form; undefined for one that leads elsewhere or that the workspace leaves out. */
export function workspacePath(given: string): string | undefined {
  const { path } = plainPath(given);
  return path === undefined || isIgnored(path) ? undefined : path;
}

/** Whether a test, by its name, is one of a file's. */
export function isOf(name: string, path: string): boolean {
  return name === path || name.startsWith(`${path}::`) || name.startsWith(`${path} > `);
}

/** Models leave out cases, folders and files: `test_a` and `test_x.py::test_a` mean `tests/test_x.py::test_a[1]` too. */
export function isMeant(name: string, said: string): boolean {
  const plain = said.trim();
  const bare = name.replace(/\[.*\]$/s, "");
  const isEnd = (each: string) => each === plain || ["/", "::", " > "].some((mark) => each.endsWith(mark + plain));
  return (plain !== "" && [name, bare].some(isEnd)) || isOf(name, plain);
}

/** Whether a test, by its name, was not there before the first edit. */
export function isOwn(name: string, { baseline }: Pick<CodeState, "baseline">): boolean {
  const { passing = [], failing = [], flaky = [], blocked = [] } = baseline ?? {};
  return ![...passing, ...failing, ...flaky].includes(name) && !blocked.some((each) => each.name === name);
}

/** The file of a test, by its name. */
export function fileOf(name: string): string {
  return name.split(/::| > /, 1)[0]!;
}

/** A suite that takes longer is run whole only before a run is done. */
const SLOW_MS = 60_000;

/** Whether an iteration runs less than the whole suite. */
export function isSlow({ ms }: Baseline): boolean {
  return ms > SLOW_MS;
}

/** Runs the suite, or where it is slow the files of the targets and those that load what was changed. */
export async function runSuiteFor(
  cell: ProjectCell,
  state: Counting,
  { signal, isWhole }: { signal: AbortSignal; isWhole: boolean },
): Promise<Report> {
  const files = isWhole ? true : await suiteFiles(cell, state);
  const { report } = await runSuite(cell, { signal, files });
  return onlyCounted(report, state, files);
}

/** What an iteration runs: all, or where that is slow the files of targets, and those that have loaded what was changed since. */
export async function suiteFiles(
  cell: ProjectCell,
  { baseline, targets = [] }: Pick<CodeState, "baseline" | "targets">,
): Promise<true | string[]> {
  if (!isSlow(baseline!)) return true;
  const { loaded } = baseline!;
  const changed = (await cell.changes()).flatMap(({ path }) => [path, ...(loaded[path] ?? [])]);
  const own = targets.map(fileOf);
  return [...new Set([...own, ...changed])];
}

type Counting = Pick<CodeState, "baseline" | "targets" | "known_tests">;

/** A report of what counts: targets and tests that passed before, other cases of them, and whatever else has come up in the
 * targets' files. Of files that were not run, what passed stands. */
export function onlyCounted(report: Report, state: Counting, files: true | readonly string[] = true): Report {
  const { known_tests: known } = state;
  const counts = countedBy(state);
  const ran = [...report.tests.filter(({ name }) => counts(name)), ...wholeFiles(report, known)];
  const wasRun = (name: string) => files === true || files.some((path) => isOf(name, path));
  const told = new Set(ran.map(({ name }) => name));
  const left = known.filter((name) => !told.has(name) && !wasRun(name));
  const untouched = left.map((name) => ({ name, state: "passed" as const }));
  const tests = [...ran, ...untouched];
  // A file that is known by its own name stands for its tests.
  const isPart = (name: string) => ran.some((each) => isOf(name, each.name));
  const failing = ran.filter(({ state: each }) => each === "failed").map(({ name }) => name);
  const said = report.tests.filter(
    ({ name, state: each }) => each === "failed" && failing.some((own) => isOf(name, own)),
  );
  const others = report.tests.filter(({ name, state: each }) => each === "failed" && !counts(name) && !isPart(name));
  return { ...report, tests, failureLines: failureLines(said), ...leftOut(others, state) };
}

function leftOut(others: Report["tests"], { baseline }: Counting): Pick<Report, "left_out"> {
  if (others.length === 0) return {};
  const { failing = [], blocked = [] } = baseline ?? {};
  const before = [...failing, ...blocked.map(({ name }) => name)];
  const failed_before = others.filter(({ name }) => before.some((each) => isOf(name, each))).length;
  return { left_out: { failed_before, others: others.length - failed_before } };
}

function countedBy({ baseline, targets = [], known_tests }: Counting): (name: string) => boolean {
  const { failing = [], flaky = [], blocked = [] } = baseline ?? {};
  const leftOut = new Set([...failing, ...flaky, ...blocked.map(({ name }) => name)]);
  const [names, tests] = [new Set(known_tests), new Set(known_tests.map(withoutCase))];
  const files = new Set(targets.map(fileOf));
  return (name) => names.has(name) || (!leftOut.has(name) && (tests.has(withoutCase(name)) || files.has(fileOf(name))));
}

/** A file that could not be run is known by its own name; once it can, it passes where some of its tests do and none fails. */
function wholeFiles({ tests }: Report, known: readonly string[]): Report["tests"] {
  return known.flatMap((path) => {
    const own = tests.filter(({ name }) => name !== path && isOf(name, path));
    if (fileOf(path) !== path || own.length === 0) return [];
    const isPassed = own.some(({ state }) => state === "passed") && !own.some(({ state }) => state === "failed");
    return [{ name: path, state: isPassed ? ("passed" as const) : ("failed" as const) }];
  });
}
