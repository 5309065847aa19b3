// What a run tells, in words: for terminal, show and report alike. Pure.

import type { NoteWords } from "@loopwright/core";
import { showCount, showDuration, showNumber } from "@loopwright/terminal";
import type { PatchedFile } from "@loopwright/workspace";
import { appliedWords } from "@loopwright/workspace/settings";

const SOME = 3;

/** A few of many names, for a person; `nameSome` of the workspace names five, for models and verdicts. */
export function someOf(names: readonly string[], count = names.length): string {
  const more = count - Math.min(SOME, names.length);
  return names.slice(0, SOME).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

function leftOut(names: readonly string[]): string {
  return names.length > 0 ? `, ${names.length} cannot be counted on (${someOf(names)})` : "";
}

interface StuckNote {
  detector: string;
  count: number;
  reason: string;
  failing?: readonly string[];
  failing_count?: number;
  /** How often the order of passes and fails, or the set of failing tests, has come again: the longer, where the ladder goes by it. */
  effective_stuck?: number;
}

function stuckWords({ detector, count, reason, failing = [], effective_stuck, ...note }: StuckNote): string {
  const { failing_count = failing.length } = note;
  const named = failing.length > 0 ? ` (${someOf(failing, failing_count)})` : "";
  const repeats = effective_stuck ?? (detector === "sequence" || detector === "failing" ? count : undefined);
  if (repeats === undefined) return `stuck: ${reason}${named}`;
  const some = failing_count === 1 ? "the same test fails" : `the same ${failing_count} tests fail`;
  const what = failing.length === 0 ? "the same tests fail" : some;
  return `stuck: ${what} ${repeats} times running${named}${detector === "artifact" ? ", and the code is the very same" : ""}`;
}

export const noteWords: Readonly<Record<string, NoteWords>> = {
  // Whatever rings says itself what has happened.
  bell: () => undefined,
  "iteration-began": ({ iteration, plan_generation }) => `iteration ${iteration}, with plan ${plan_generation}`,
  "floor-not-reached": ({ iteration, min_iterations }) =>
    `all tests pass in iteration ${iteration}: the reviewer is asked what is missing (nothing ends the run; else there are at least ${min_iterations} iterations)`,
  "stuck-detected": stuckWords,
  "stuck-hint-given": ({ stuck_count }) =>
    `hint given: the implementer is to take another way (stuck ${stuck_count} times running)`,
  "consultant-asked": ({ why }) => `consultant asked ${why}`,
  "task-amended": ({ iteration, addition, in_file }) =>
    `${in_file ? "task.md" : "the task"} was amended: [Auto-DK iteration ${iteration}] ${addition}`,
  "tests-replaced": ({ tests, by }) => `tests replaced by ${by}: ${showCount(tests, "test")} now`,
  refused: ({ what, name, why }) => `refused the ${what === "edit" ? "edit of" : what} ${name}: ${why}`,
  setup: ({ commands, ms, isKept, failed }) =>
    failed
      ? `'${failed.command}' failed: ${failed.said}`
      : `what it needs ${isKept ? "is kept from before" : `was installed in ${showDuration(ms)}`}: ${commands.join("; ")}`,
  baseline: ({ passing, failing, flaky, blocked, why }) =>
    `the repository's own tests: ${passing} pass, ${failing.length} fail${why === undefined ? "" : ` (${why})`}${leftOut([...flaky, ...blocked])}`,
  "context-chosen": chosenWords,
  looked: ({ who, at, round, of }) =>
    `round ${round} of ${of}: ${who} looked at ${at.length > 0 ? at.join(", ") : "nothing new"}`,
  "tests-corrected": ({ files, vindicated }) =>
    `given tests were changed since, and are taken as they are now: ${someOf(files)}${vindicated.length > 0 ? `; no longer among failed approaches: those of iteration ${vindicated.join(", ")}` : ""}`,
  targets: ({ tests }) => `the run aims at ${showCount(tests.length, "test")}: ${someOf(tests)}`,
  applied: appliedWords,
  "best-restored": ({ iteration, score }) => `the best state was restored: iteration ${iteration}, score ${score}`,
  change: changeWords,
  results: resultWords,
  proof: ({ words, seconds }) => `proof, in ${seconds} s: ${words}`,
};

/** What is known of a choice. */
export interface ChosenNote {
  budget: number;
  /** The tokens that it takes. */
  used: number;
  files: { path: string; tokens: number; why: string }[];
  /** Files that may matter and of which nothing is shown. */
  cut: { path: string; lines: number }[];
}

/** A choice in words. */
export function chosenWords({ budget, used, files, cut }: ChosenNote): string {
  const first = files.slice(0, SOME).map(({ path, why }) => (why === "" ? path : `${path} (${why})`));
  const named = files.length > 0 ? `: ${first.join(", ")}${files.length > SOME ? ", …" : ""}` : "";
  const left = cut.map(({ path, lines }) => `${path} (${showCount(lines, "line")})`);
  const missing = left.length > 0 ? `; no room for ${someOf(left)}` : "";
  return `the planner sees ${showCount(files.length, "file")} in ${showNumber(used)} of ${showNumber(budget)} tokens${named}${missing}`;
}

/** How many lines of a change are shown; of a longer one its files. */
export const SHOWN_LINES = 50;

export type ChangeNote = {
  files: readonly Pick<PatchedFile, keyof PatchedFile>[];
  /** How many files there are in all, where some are left out. */
  count: number;
  /** The change itself, where it is short. */
  diff?: string;
  /** Where the whole lies in the run's folder. */
  patch?: string;
};

/** What was changed: the lines where they are few, else the files. */
export function changeWords({ files, count, diff, patch }: ChangeNote): string | { words: string; diff: string } {
  if (count === 0) return "nothing was changed";
  const sum = (key: "added" | "removed") => files.reduce((total, each) => total + (each[key] ?? 0), 0);
  const many = count === 1 ? files[0]!.path : `${count} files`;
  const where = patch === undefined || diff !== undefined ? "" : `; the whole is in ${patch}`;
  const words = `changed ${many}: +${sum("added")} −${sum("removed")}${where}`;
  if (diff !== undefined) return { words, diff: shownLines(diff).join("\n") };
  const rows = files.map(({ path, added, removed }) =>
    added === null ? `  ${path}  (no text)` : `  ${path}  +${added} −${removed}`,
  );
  const more = count - files.length;
  return { words, diff: [...rows, ...(more > 0 ? [`  … and ${more} more`] : [])].join("\n") };
}

/** The lines of a patch that say something to a person. */
export function shownLines(patch: string): string[] {
  return patch
    .trimEnd()
    .split("\n")
    .filter((line) => !/^(?:diff --git |index |(?:new|deleted) file mode |(?:old|new) mode )/.test(line));
}

export type Tally = {
  passed: number;
  of: number;
};

export type ResultsNote = {
  /** Of a repository: what the change is for, and what passed before. */
  targets?: Tally;
  suite?: Tally;
  /** How many still fail that failed before. */
  failed_before?: number;
  /** Of a program of the run's own. */
  tests?: Tally;
  held_out?: Tally;
  /** Why nothing can be told. */
  fault?: string;
};

/** What the tests say of the result. */
export function resultWords({ targets, suite, failed_before = 0, tests, held_out, fault }: ResultsNote): string {
  if (fault !== undefined) return `the tests could not be run: ${fault}`;
  const parts = [
    targets && `${tally(targets)} target ${targets.of === 1 ? "test passes" : "tests pass"}`,
    suite && `${tally(suite)} of the suite that passed before`,
    failed_before > 0 && `${failed_before} still ${failed_before === 1 ? "fails" : "fail"} that failed before`,
    tests && `${tally(tests)} ${tests.of === 1 ? "test passes" : "tests pass"}`,
    held_out && `${tally(held_out)} held-out`,
  ];
  return `results: ${parts.filter((part) => typeof part === "string").join(", ")}`;
}

function tally({ passed, of }: Tally): string {
  return `${passed} of ${of}`;
}
