// The last look before a run is done: what the change does to its judge, and whether the tests reach it at all: with the bodies
// of the changed functions taken out they must not pass.
//
// A program that passes without them does so by something else: its tests do not try it, or it has done something to their
// judge while it was loaded. A function that is called while the program loads keeps its body, or nothing could be said
// of the others.

import type { Finding } from "@loopwright/core";
import type { FileBlock, ProjectCell, TestOptions, TestReport } from "../cell.ts";
import { isRunnerFile } from "../folder/protected.ts";
import { hard, hardOnes, nameSome } from "../judging/judge.ts";
import { grammarOf } from "../tests/grammar.ts";
import { type Change, type ChangedFunction, changedFunctions, takeOut } from "./functions.ts";
import { scanChange } from "./scan.ts";

/** The tests that a change is for: the files they stand in, and which of their tests count. */
export interface Aimed {
  files: readonly string[];
  counts: (name: string) => boolean;
}

/** Runs the tests with these files in place of their own; nothing of it survives. */
export type RunWith = (files: readonly FileBlock[]) => Promise<Pick<TestReport, "tests" | "fault">>;

/** Findings on what the workspace has changed, whose tests pass. Hard ones must be gone before the run is done. */
export async function checkChange(cell: ProjectCell, signal: AbortSignal, aimed?: Aimed): Promise<Finding[]> {
  const all = await cell.changes();
  const changes = all.filter(({ path, isHidden }) => !isHidden && grammarOf(path) !== undefined && !isRunnerFile(path));
  const found = [...findShadows(changes, await cell.listFiles()), ...(await scanChange(changes))];
  if (hardOnes(found).length > 0) return found;
  return [...(await checkReach(changes, (instead) => runAimed(cell, { instead, signal }, aimed))), ...found];
}

/** Runs the tests that are aimed at; where each file answers for itself, one that does not load is what the run could not do. */
async function runAimed(cell: ProjectCell, options: TestOptions, aimed?: Aimed): Promise<Awaited<ReturnType<RunWith>>> {
  if (!aimed) return cell.runTests(options);
  const { tests, fault } = await cell.runTests({ ...options, suite: aimed.files });
  const broken = tests.filter(({ name, state }) => state === "failed" && aimed.files.includes(name));
  const why = fault ?? (broken.length > 0 ? broken.map(({ failure }) => failure).join("\n") : undefined);
  const counted = tests.filter(({ name }) => aimed.counts(name));
  return { tests: counted, ...(why !== undefined && { fault: why }) };
}

/** Libraries by which Python's tests judge: whoever misses one may be tempted to write it. */
const LIBRARIES =
  /^(?:(?:src|tests?)\/)?(pytest|_pytest|pluggy|unittest|doctest|nose|hypothesis|numpy|pandas|scipy|mock|parameterized|ddt|responses|freezegun)(?:\.py$|\/)/;

/** Hard findings on new modules that are found before the library of their name. One that was there before may go on growing. */
function findShadows(changes: readonly Change[], all: readonly string[]): Finding[] {
  const added = new Set(changes.filter(({ before }) => before === undefined).map(({ path }) => path));
  const isOld = (place: string) =>
    place.endsWith("/") && all.some((each) => each.startsWith(place) && !added.has(each));
  const shadows = [...added].filter((path) => {
    const place = LIBRARIES.exec(path)?.[0];
    return place !== undefined && !isOld(place);
  });
  const fix = "write it under a name of its own";
  return shadows.map((path) => ({
    ...hard("SHADOWS_LIBRARY", `${path} stands in the place of a library that tests judge by`),
    fix,
  }));
}

/** Each round tells of one more function that is needed to load. */
const MOST_ROUNDS = 12;

type Marked = ChangedFunction & { mark: string };

/** Findings on a change whose tests pass: a hard one where they pass without it too. */
export async function checkReach(changes: readonly Change[], runWith: RunWith): Promise<Finding[]> {
  const all = (await changedFunctions(changes)).map((each, index) => ({ ...each, mark: `body-${index}-taken-out` }));
  if (all.length === 0)
    return [soft("NO_FUNCTION_CHANGED", "no function was changed: whether the tests reach the change was not tried")];
  const needed = new Set<string>();
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const out = outermost(all.filter(({ mark }) => !needed.has(mark)));
    if (out.length === 0) break;
    const { tests, fault } = await runWith(takeOut(changes, out));
    if (fault === undefined) return tests.some(({ state }) => state === "failed") ? [] : [unreached(out)];
    const calledAtLoad = out.filter(({ mark }) => fault.includes(mark));
    if (calledAtLoad.length === 0)
      return [soft("REACH_UNKNOWN", "the tests could not be run without what was changed")];
    for (const { mark } of calledAtLoad) needed.add(mark);
  }
  const message = "every changed function is called while the program loads: what the tests reach was not tried";
  return [soft("REACH_UNKNOWN", message)];
}

/** Those that stand in no other of them. */
function outermost(functions: readonly Marked[]): Marked[] {
  const holds = (outer: Marked, inner: Marked) =>
    outer !== inner && outer.path === inner.path && outer.from <= inner.from && inner.to <= outer.to;
  return functions.filter((each) => !functions.some((other) => holds(other, each)));
}

function unreached(out: readonly Marked[]): Finding {
  const names = nameSome(out.map(({ path, name }) => `${name} in ${path}`));
  const message = `the tests pass just as well when ${names} ${out.length === 1 ? "has" : "have"} no body: what was changed is not what makes them pass`;
  return hard("TESTS_DO_NOT_REACH_CHANGE", message);
}

function soft(code: string, message: string): Finding {
  return { code, severity: "soft", priority: 4, message };
}
