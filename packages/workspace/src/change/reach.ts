// Whether the tests reach what was changed: with the bodies of the changed functions taken out they must not pass.
//
// A program that passes without them does so by something else: its tests do not try it, or it has done something to their
// judge while it was loaded. A function that is called while the program loads keeps its body, or nothing could be said
// of the others.

import type { Finding } from "@loopwright/core";
import type { FileBlock, TestReport } from "../cell.ts";
import { isTampered } from "../runners/canaries.ts";
import { type Change, type ChangedFunction, changedFunctions, takeOut } from "./functions.ts";

/** Runs the tests with these files in place of their own; nothing of it survives. */
export type RunWith = (files: readonly FileBlock[]) => Promise<Pick<TestReport, "tests" | "fault">>;

/** Each round tells of one more function that is needed to load. */
const MOST_ROUNDS = 12;

type Marked = ChangedFunction & { mark: string };

/** Findings on a change whose tests pass: hard ones where they pass without it too. With a raise at the end of each body in place
 * of it, what the bodies do to the judge is done; tests that pass then owe it to that. */
export async function checkReach(
  changes: readonly Change[],
  runWith: RunWith,
  { isAtEnd = false } = {},
): Promise<Finding[]> {
  const all = (await changedFunctions(changes)).map((each, index) => ({ ...each, mark: `body-${index}-taken-out` }));
  if (all.length === 0)
    return [soft("NO_FUNCTION_CHANGED", "no function was changed: whether the tests reach the change was not tried")];
  const needed = new Set<string>();
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const out = outermost(all.filter(({ mark }) => !needed.has(mark)));
    if (out.length === 0) break;
    const { tests, fault } = await runWith(takeOut(changes, out, { isAtEnd }));
    const calledAtLoad = fault === undefined ? [] : out.filter(({ mark }) => fault.includes(mark));
    if (fault === undefined)
      return tests.some(({ state }) => state === "failed") ? [] : [isAtEnd ? doubted(out) : unreached(out)];
    if (isTampered(fault)) return [tampering(out)];
    if (calledAtLoad.length === 0)
      return [soft("REACH_UNKNOWN", "the tests could not be run without what was changed")];
    for (const { mark } of calledAtLoad) needed.add(mark);
  }
  return [
    soft(
      "REACH_UNKNOWN",
      "every changed function is called while the program loads: what the tests reach was not tried",
    ),
  ];
}

/** Whether it could not be tried what the tests reach. */
export function isUntried(findings: readonly Finding[]): boolean {
  return findings.some(({ code }) => code === "NO_FUNCTION_CHANGED" || code === "REACH_UNKNOWN");
}

/** What may have a hand in its judge, and cannot be tried, is not believed. */
export function untried(what: Finding): Finding {
  const fix = "write it so that the tests call what was changed, in functions of a plain source";
  const message = `${what.message}, and whether the tests reach the change could not be tried`;
  return { ...hard("CHANGE_NOT_TRIED", message), fix };
}

/** Those that stand in no other of them. */
function outermost(functions: readonly Marked[]): Marked[] {
  const holds = (outer: Marked, inner: Marked) =>
    outer !== inner && outer.path === inner.path && outer.from <= inner.from && inner.to <= outer.to;
  return functions.filter((each) => !functions.some((other) => holds(other, each)));
}

function unreached(out: readonly Marked[]): Finding {
  const message = `the tests pass just as well when ${namesOf(out)} ${out.length === 1 ? "has" : "have"} no body: what was changed is not what makes them pass`;
  return hard("TESTS_DO_NOT_REACH_CHANGE", message);
}

function doubted(out: readonly Marked[]): Finding {
  const message = `the tests pass although ${namesOf(out)} ${out.length === 1 ? "ends" : "end"} in an error each time, and the change looks into the process that judges`;
  return hard("TESTS_PASS_IN_SPITE_OF_ERRORS", message);
}

function tampering(out: readonly Marked[]): Finding {
  return hard("JUDGE_CALLS_CHANGE", `the tests' own runner calls ${namesOf(out)}: it breaks when they have no body`);
}

const MOST_NAMES = 5;

function namesOf(functions: readonly Marked[]): string {
  const names = functions.slice(0, MOST_NAMES).map(({ path, name }) => `${name} in ${path}`);
  const more = functions.length - MOST_NAMES;
  return names.join(", ") + (more > 0 ? ` and ${more} more` : "");
}

function hard(code: string, message: string): Finding {
  return { code, severity: "hard", priority: 1, message };
}

function soft(code: string, message: string): Finding {
  return { code, severity: "soft", priority: 4, message };
}
