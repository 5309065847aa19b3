// What shows that a change does what it should, as it is kept: everything in it was executed. And what that is worth, in one word. Pure.

import { nameSome, Results } from "@loopwright/workspace";
import { z } from "zod";
import { isMeant } from "../testing/test-files.ts";

/** A statement of the task, and the tests that are said to show it. */
export const Requirement = z.object({ statement: z.string(), tests: z.array(z.string()) });
export type Requirement = z.infer<typeof Requirement>;

/** A wrong version of the result: a hunk taken out, or a mutant of a changed line. */
export const Trial = z.object({
  kind: z.string(),
  path: z.string(),
  line: z.number(),
  start: z.number(),
  end: z.number(),
  text: z.string(),
  title: z.string(),
});
export type Trial = z.infer<typeof Trial>;

/** What became of it, which test noticed it, and why it cannot matter where the reviewer has said so. */
export const Tried = Trial.extend({
  outcome: z.enum(["noticed", "missed", "untried"]),
  by: z.string().optional(),
  excuse: z.string().optional(),
});
export type Tried = z.infer<typeof Tried>;

/** One of the repository's own checks: what it says of the result that it did not say before, or why it could not be run. */
export const Checked = z.object({ command: z.string(), found: z.array(z.string()), fault: z.string().optional() });
export type Checked = z.infer<typeof Checked>;

export const Evidence = z.object({
  /** The tests that have to pass. */
  targets: z.array(z.string()),
  /** What was run as the suite: all of it, some files of a slow one, or the run's own tests. */
  suite: z.union([z.literal(true), z.array(z.string()), z.literal("own")]),
  /** What ran without the change, where there was a program, and with it. */
  before: Results.optional(),
  after: Results,
  /** Tests that said one thing and then another of the same result: they decide nothing. */
  flickers: z.array(z.string()),
  trials: z.array(Tried),
  checks: z.array(Checked),
  /** Changed files that the plan does not name. */
  beyond: z.array(z.string()),
  /** Values that the change asks for and that only the tests have. */
  special: z.array(z.string()),
  held_out: z.object({ passed: z.number(), of: z.number() }).optional(),
  suite_ms: z.number(),
  spent_ms: z.number(),
});
export type Evidence = z.infer<typeof Evidence>;

export type Word = "shown" | "partly shown" | "refuted";

/** A line of the table: what was looked for, what was seen, and what that says: `against` the change, or only of what is not known. */
export interface Line {
  name: string;
  seen: string;
  says: "good" | "open" | "against";
}

/** The evidence line by line. */
export function linesOf(evidence: Evidence, requirements: readonly Requirement[] | undefined): Line[] {
  const { targets, before, after, flickers, trials, checks, beyond, special, held_out } = evidence;
  const isTarget = ({ name }: { name: string }) => targets.some((each) => isMeant(name, each));
  const own = after.filter(isTarget);
  const missing = own.length - (before ?? []).filter((each) => isTarget(each) && each.state === "passed").length;
  const isHunk = ({ kind }: Tried) => kind === "hunk";
  return [
    ...(before
      ? [
          line(
            "target tests without the change",
            `${missing} of ${own.length} fail or are not there`,
            missing > 0,
            "against",
          ),
        ]
      : []),
    passing("target tests", own),
    passing(
      "other tests",
      after.filter((each) => !isTarget(each)),
    ),
    noticed("each part of the change taken out", trials.filter(isHunk)),
    noticed(
      "wrong versions of its lines",
      trials.filter((each) => !isHunk(each)),
    ),
    ...checks.map(({ command, found, fault }) =>
      line(
        command,
        fault ?? (found.length > 0 ? `new: ${nameSome(found, 3)}` : "nothing new"),
        !fault && found.length === 0,
      ),
    ),
    ledgerLine(evidence, requirements),
    ...(held_out
      ? [
          line(
            "held-out tests",
            `${held_out.passed} of ${held_out.of} pass`,
            held_out.passed === held_out.of,
            "against",
          ),
        ]
      : []),
    ...(flickers.length > 0 ? [line("tests that flicker", nameSome(flickers), false)] : []),
    ...(special.length > 0 ? [line("values that only the tests have", nameSome(special, 3), false)] : []),
    ...(beyond.length > 0 ? [line("changed and not planned", nameSome(beyond), false)] : []),
  ];
}

function line(name: string, seen: string, isGood: boolean, otherwise: Line["says"] = "open"): Line {
  return { name, seen, says: isGood ? "good" : otherwise };
}

function passing(name: string, tests: Evidence["after"]): Line {
  const failed = tests.filter(({ state }) => state === "failed").map((test) => test.name);
  const passed = tests.filter(({ state }) => state === "passed").length;
  const which = failed.length > 0 ? `; failing: ${nameSome(failed)}` : "";
  return line(name, `${passed} of ${passed + failed.length} pass${which}`, failed.length === 0, "against");
}

/** What was left out for want of time is said, and lowers nothing where most were tried. */
function noticed(name: string, trials: readonly Tried[]): Line {
  const count = (wanted: Tried["outcome"]) => trials.filter(({ outcome }) => outcome === wanted).length;
  const [open, left] = [openTrials(trials), count("untried")];
  const excused = count("missed") - open.length;
  const parts = [
    trials.length === left ? "none was tried" : `${count("noticed")} of ${trials.length - left} are noticed by a test`,
    ...(excused > 0 ? [`${excused} cannot matter, by the reviewer's word`] : []),
    ...(open.length > 0
      ? [
          `no test notices ${nameSome(
            open.map(({ title }) => title),
            3,
          )}`,
        ]
      : []),
    ...(left > 0 ? [`${left} were left out for want of time`] : []),
  ];
  return line(name, parts.join("; "), open.length === 0 && (left === 0 || left < trials.length / 2));
}

/** The trials that no test noticed, and that nobody has explained. */
export function openTrials(trials: readonly Tried[]): Tried[] {
  return trials.filter(({ outcome, excuse }) => outcome === "missed" && excuse === undefined);
}

function ledgerLine(evidence: Evidence, requirements: readonly Requirement[] = []): Line {
  const open = requirements.filter((each) => testsShowing(each, evidence).length === 0);
  const seen = `${requirements.length - open.length} of ${requirements.length} are shown by tests`;
  const which =
    open.length > 0
      ? `; not shown: ${nameSome(
          open.map(({ statement }) => statement),
          3,
        )}`
      : "";
  const name = "statements of the task";
  if (requirements.length === 0) return line(name, "nobody has listed them", false);
  return line(name, seen + which, open.length === 0);
}

/** The tests that show a statement: those that are named for it, where they ran and pass. */
export function testsShowing({ tests }: Requirement, { after }: Evidence): string[] {
  const named = after.filter(({ name }) => tests.some((each) => isMeant(name, each)));
  return named.every(({ state }) => state === "passed") ? named.map(({ name }) => name) : [];
}

export function wordOf(lines: readonly Line[]): Word {
  if (lines.some(({ says }) => says === "against")) return "refuted";
  return lines.every(({ says }) => says === "good") ? "shown" : "partly shown";
}

/** The same in a sentence, for whoever reads the end of a run. */
export function wordsOf(lines: readonly Line[]): string {
  const open = lines.filter(({ says }) => says !== "good").map(({ name, seen }) => `${name}: ${seen}`);
  return open.length === 0 ? wordOf(lines) : `${wordOf(lines)} (${open.join(" · ")})`;
}

// What models read of it

const MOST_SHOWN = 12;

/** What no test notices, numbered, and whatever else speaks against a result; empty where nothing does. */
export function proofToText({ proof }: { proof?: Evidence | undefined }): string {
  if (!proof) return "";
  const open = openTrials(proof.trials);
  const numbered = open.slice(0, MOST_SHOWN).map(({ title }, at) => `${at + 1}. no test notices: ${title}`);
  const more = open.length > MOST_SHOWN ? [`… and ${open.length - MOST_SHOWN} more`] : [];
  const special = proof.special.map(
    (each) => `${each}, a value that only the tests have: is the program right for others?`,
  );
  const checks = proof.checks.flatMap(({ command, found }) => found.map((line) => `${command}, new: ${line}`));
  const failed = proof.after.flatMap(({ name, state }) =>
    state === "failed" ? [`${name} fails now, and did not before`] : [],
  );
  const beyond = proof.beyond.map((path) => `${path} was changed, and the plan does not name it`);
  return [...failed, ...numbered, ...more, ...special, ...checks, ...beyond].join("\n");
}

/** The ledger of a result whose tests pass, a statement a line. */
export function ledgerToText({
  proof,
  requirements = [],
}: {
  proof?: Evidence | undefined;
  requirements?: Requirement[] | undefined;
}): string {
  if (!proof) return "";
  if (requirements.length === 0) return "nobody has listed it yet";
  return requirements.map(({ statement, tests }) => `- ${statement}: ${tests.join(", ") || "no test"}`).join("\n");
}
