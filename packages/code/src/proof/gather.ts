// Gathering the evidence: what ran before and after, the repository's own checks, and as many wrong versions as the time allows. A run keeps each step as
// an effect, so that a killed one goes on where it was; `loopwright prove` carries the same steps out at once.

import { type ProjectCell, type Report, runSuite } from "@loopwright/workspace";
import type { Checked, Evidence, Trial, Tried } from "./evidence.ts";
import { findSpecial, listTrials, type SuiteFor, tryVersion } from "./trials.ts";

export { type Evidence, linesOf, wordOf, wordsOf } from "./evidence.ts";

/** A step on the workspace without the change, the new tests in it, or with the change. */
export type Ground = <Value>(
  which: "before" | "after",
  key: string,
  run: (cell: ProjectCell, signal: AbortSignal) => Promise<Value>,
) => Promise<Value>;

export interface Sought extends Pick<Evidence, "suite" | "targets" | "held_out"> {
  /** Whether there was a program before. */
  hasBefore: boolean;
  /** What of a report counts. */
  counted(report: Report): Report["tests"];
  /** How many times what the tests take the rest may take; 0 leaves it out. */
  budget: number;
  planned: readonly string[];
  task: string;
  /** The files of the tests that are for the change. */
  testFiles: readonly string[];
  /** What was tried before on the same program. */
  earlier?: readonly Tried[];
  /** What was recorded, where it is gathered again: these wrong versions and checks, and no others. */
  recorded?: { trials: readonly Trial[]; checks: readonly Checked[] };
}

/** A suite of a second leaves time for some wrong versions too, and one of them may hang. */
const LEAST_MS = 20_000;

export async function gatherEvidence(ground: Ground, sought: Sought): Promise<Evidence> {
  const { hasBefore, suite, targets, budget, held_out } = sought;
  const before = hasBefore
    ? await ground("before", "proof-before", (cell, signal) => runTold(cell, signal, suite))
    : undefined;
  const after = await ground("after", "proof-after", (cell, signal) => runTold(cell, signal, suite));
  const flickers = await findFlickers(ground, sought, after);
  const counted = (report: Report) => sought.counted(report).filter(({ name }) => !flickers.includes(name));
  const all = budget === 0 ? 0 : Math.max(LEAST_MS, budget * after.ms);
  const { checks, ms } = await tryChecks(ground, sought);
  const { trials, ...looked } = await ground("after", "proof-list", (cell) => lookAt(cell, sought));
  const { tried, left } = await tryAll(ground, { ...sought, counted }, { trials, after, left: all - ms });
  return {
    ...{ targets, suite, flickers, trials: tried, checks, ...looked },
    ...(before && { before: plainResults(counted(before.report)) }),
    ...{ after: plainResults(counted(after.report)), ...(held_out && { held_out }) },
    ...{ suite_ms: after.ms, spent_ms: Math.round(all - left) },
  };
}

/** Tests that fail now, although they passed when the run was judged, are run once more. */
async function findFlickers(ground: Ground, { suite, counted }: Sought, after: Told): Promise<string[]> {
  const failed = counted(after.report).filter(({ state }) => state === "failed");
  if (failed.length === 0) return [];
  const again = await ground("after", "proof-again", (cell, signal) => runTold(cell, signal, suite));
  const passed = new Set(again.report.tests.filter(({ state }) => state === "passed").map(({ name }) => name));
  return failed.map(({ name }) => name).filter((name) => passed.has(name));
}

type Told = Awaited<ReturnType<typeof runSuite>>;

async function runTold(cell: ProjectCell, signal: AbortSignal, files: Sought["suite"]): Promise<Told> {
  const at = await cell.snapshot();
  const told = await runSuite(cell, { signal, files });
  await cell.restore(at);
  return told;
}

const LONGEST_FAILURE = 500;

function plainResults(tests: Report["tests"]): Evidence["after"] {
  return tests.map(({ name, state, failure }) =>
    failure === undefined ? { name, state } : { name, state, failure: failure.slice(0, LONGEST_FAILURE) },
  );
}

/** The wrong versions of the result, and what can be said of the change without running anything. */
async function lookAt(cell: ProjectCell, { planned, testFiles, task, budget, recorded }: Sought) {
  if (recorded) return { trials: recorded.trials, beyond: [], special: [] };
  const changes = await cell.changes();
  const beyond = changes.map(({ path }) => path).filter((path) => planned.length > 0 && !planned.includes(path));
  const trials = budget === 0 ? [] : await listTrials(changes);
  return { trials, beyond, special: await findSpecial(changes, await cell.readFiles(testFiles), task) };
}

async function tryChecks(
  ground: Ground,
  { hasBefore, budget, recorded }: Sought,
): Promise<{ checks: Checked[]; ms: number }> {
  if (!hasBefore || budget === 0) return { checks: [], ms: 0 };
  const { compareSaid, findChecks, runChecks } = await import("./checks.ts");
  const found = recorded
    ? recorded.checks.map(({ command }) => command)
    : await ground("after", "proof-checks", findChecks);
  if (found.length === 0) return { checks: [], ms: 0 };
  const [before, after] = [
    await ground("before", "proof-checks-before", (cell) => runChecks(cell, found)),
    await ground("after", "proof-checks-after", (cell) => runChecks(cell, found)),
  ];
  const checks = found.map((command, at) => compareSaid(command, before.said[at]!, after.said[at]!));
  return { checks, ms: before.ms + after.ms };
}

interface Time {
  trials: readonly Trial[];
  after: Told;
  left: number;
}

async function tryAll(
  ground: Ground,
  sought: Sought,
  { trials, after, left }: Time,
): Promise<{ tried: Tried[]; left: number }> {
  const own = sought.counted(after.report).filter(({ state }) => state === "passed");
  const passing = new Set(own.map(({ name }) => name));
  const ignored = new Set(after.report.tests.map(({ name }) => name).filter((name) => !passing.has(name)));
  const known = new Map(sought.earlier?.map((each) => [each.title, each]));
  const wallMs = Math.max(LEAST_MS, 3 * after.ms);
  const suiteFor = suitesOf(sought, after.loaded);
  const tried: Tried[] = [];
  for (const [index, trial] of trials.entries()) {
    const old = known.get(trial.title);
    if (old?.outcome === "noticed" || old?.excuse !== undefined) tried.push(old);
    else if (left <= 0) tried.push({ ...trial, outcome: "untried" });
    else {
      const { ms, ...result } = await ground("after", `proof-${index}`, (cell, signal) =>
        tryVersion(cell, trial, { suiteFor, ignored, wallMs, signal }),
      );
      left -= ms;
      tried.push({ ...trial, ...result });
    }
  }
  return { tried, left };
}

/** The tests that are for the change first, then the others that load the file; all where nobody can tell. */
function suitesOf({ suite, testFiles }: Sought, loaded: Told["loaded"]): SuiteFor {
  return (path) => {
    if (suite === "own") return [undefined];
    if (Object.keys(loaded).length === 0) return [suite];
    const others = Object.keys(loaded).filter((test) => loaded[test]!.includes(path) && !testFiles.includes(test));
    return [testFiles, others].filter(({ length }) => length > 0);
  };
}
