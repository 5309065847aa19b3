// The repository's suite in an iteration: which of its files are run, and what of their word counts.

import { failureLines, type ProjectCell, type Report, runSuite } from "@loopwright/workspace";
import type { CodeState } from "../task.ts";
import type { Baseline } from "./baseline.ts";
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
  { baseline, targets = [], known_tests }: Pick<CodeState, "baseline" | "targets" | "known_tests">,
  { signal, isWhole }: { signal: AbortSignal; isWhole: boolean },
): Promise<Report> {
  const files = isWhole ? true : await suiteFiles(cell, { baseline, targets });
  const { report } = await runSuite(cell, { signal, files });
  return onlyKnown(report, known_tests, files);
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

/** A report of what counts: targets and tests that passed before. Of files that were not run, what passed stands. */
export function onlyKnown(report: Report, known: readonly string[], files: true | readonly string[] = true): Report {
  const names = new Set(known);
  const ran = [...report.tests.filter(({ name }) => names.has(name)), ...wholeFiles(report, known)];
  const wasRun = (name: string) => files === true || files.some((path) => isOf(name, path));
  const told = new Set(ran.map(({ name }) => name));
  const left = known.filter((name) => !told.has(name) && !wasRun(name));
  const untouched = left.map((name) => ({ name, state: "passed" as const }));
  const tests = [...ran, ...untouched];
  const failing = ran.filter(({ state }) => state === "failed").map(({ name }) => name);
  const said = report.tests.filter(({ name, state }) => state === "failed" && failing.some((each) => isOf(name, each)));
  return { ...report, tests, failureLines: failureLines(said) };
}

/** A file that could not be run is known by its own name; once it can, it passes where all of its tests do. */
function wholeFiles({ tests }: Report, known: readonly string[]): Report["tests"] {
  return known.flatMap((path) => {
    const own = tests.filter(({ name }) => name !== path && isOf(name, path));
    if (fileOf(path) !== path || own.length === 0) return [];
    return [
      { name: path, state: own.every(({ state }) => state === "passed") ? ("passed" as const) : ("failed" as const) },
    ];
  });
}
