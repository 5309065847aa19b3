// What a run tells, in words: for terminal, show and report alike. Pure. Data of older runs lacks some of it.

import type { NoteWords } from "@loopwright/core";
import { appliedWords } from "@loopwright/workspace/settings";
import { chosenWords } from "../rank/note.ts";
import { changeWords, resultWords } from "./result-words.ts";

const SOME = 3;

/** A few of many names. */
export function someOf(names: readonly string[], count = names.length): string {
  const more = count - Math.min(SOME, names.length);
  return names.slice(0, SOME).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

/** Tests that decide nothing. */
function leftOut(names: readonly string[]): string {
  return names.length > 0 ? `, ${names.length} cannot be counted on (${someOf(names)})` : "";
}

function nthTime(count: number): string {
  const ordinals = ["", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];
  return ordinals[count] === undefined ? `${count} times running` : `for the ${ordinals[count]} time`;
}

interface StuckNote {
  detector: string;
  count: number;
  reason: string;
  failing?: readonly string[];
  failing_count?: number;
  /** How often the same tests have failed, where the ladder goes by it. */
  effective_stuck?: number;
}

/** What the run is stuck on, with its tests by name. */
function stuckWords({ detector, count, reason, failing = [], effective_stuck, ...note }: StuckNote): string {
  const { failing_count = failing.length } = note;
  const named = failing.length > 0 ? ` (${someOf(failing, failing_count)})` : "";
  const repeats = effective_stuck ?? (detector === "sequence" || detector === "failing" ? count : undefined);
  if (repeats === undefined) return `stuck: ${reason}${named}`;
  const what = failing.length === 0 ? "the same tests fail" : fails(failing_count);
  return `stuck: ${what} ${nthTime(repeats)}${named}${detector === "artifact" ? ", and the code is the very same" : ""}`;
}

function fails(count: number): string {
  return count === 1 ? "the same test fails" : `the same ${count} tests fail`;
}

export const noteWords: Readonly<Record<string, NoteWords>> = {
  // Whatever rings says itself what has happened.
  bell: () => undefined,
  "iteration-began": ({ iteration, plan_generation }) => `iteration ${iteration}, with plan ${plan_generation}`,
  "floor-not-reached": ({ iteration, min_iterations }) =>
    `all tests pass, but the minimum is not reached: iteration ${iteration} of at least ${min_iterations}`,
  "stuck-detected": stuckWords,
  "stuck-hint-given": ({ stuck_count }) =>
    `hint given: the implementer is to take another way (stuck ${stuck_count} times running)`,
  "consultant-asked": ({ why }) => `consultant asked ${why}`,
  "task-amended": ({ iteration, addition, in_file = true }) =>
    `${in_file ? "task.md" : "the task"} was amended: [Auto-DK iteration ${iteration}] ${addition}`,
  "tests-replaced": ({ tests, by = "the audit" }) =>
    `tests replaced by ${by}: ${tests === 1 ? "one test" : `${tests} tests`} now`,
  refused: ({ what, name, why }) => `refused the ${what === "edit" ? "edit of" : what} ${name}: ${why}`,
  baseline: ({ passing, failing, flaky, blocked, why }) =>
    `the repository's own tests: ${passing} pass, ${failing.length} fail${why === undefined ? "" : ` (${why})`}${leftOut([...flaky, ...blocked])}`,
  "context-chosen": chosenWords,
  looked: ({ who, at, round, of }) =>
    `round ${round} of ${of}: ${who} looked at ${at.length > 0 ? at.join(", ") : "nothing new"}`,
  wanted: ({ parts }) => `the planner wants to see ${someOf(parts)}`,
  "tests-corrected": ({ files, vindicated }) =>
    `given tests were changed since, and are taken as they are now: ${someOf(files)}${vindicated.length > 0 ? `; no longer among failed approaches: those of iteration ${vindicated.join(", ")}` : ""}`,
  targets: ({ tests }) =>
    `the run aims at ${tests.length === 1 ? "one test" : `${tests.length} tests`}: ${someOf(tests)}`,
  applied: appliedWords,
  "best-restored": ({ iteration, score }) => `the best state was restored: iteration ${iteration}, score ${score}`,
  change: changeWords,
  results: resultWords,
};
