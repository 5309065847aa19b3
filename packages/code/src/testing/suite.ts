// The repository's suite in an iteration: which of its files are run, and what of their word counts.

import { failureLines, type ProjectCell, type Report, runSuite, withoutCase } from "@loopwright/workspace";
import type { Baseline, CodeState } from "../task.ts";
import { fileOf, isOf } from "./test-files.ts";

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
