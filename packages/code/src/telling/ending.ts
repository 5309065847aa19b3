// What a run says at its end: what it has changed, what the tests say of it, and the hand-off note, which is what whoever takes over
// must know at every halt.

import type { Ending, FinishContext } from "@loopwright/core";
import { showCount, showScore } from "@loopwright/terminal";
import { judge, type Patch, testErrorLine } from "@loopwright/workspace";
import { approachesToText, failuresOf } from "../asking/questions.ts";
import type { CodeState, CodeTask, Report } from "../task.ts";
import { amendmentLine, parseSections } from "../task-file.ts";
import { isOf } from "../testing/test-files.ts";
import { type ChangeNote, type ResultsNote, SHOWN_LINES, shownLines, type Tally } from "./note-words.ts";

const MOST_FILES = 30;

/** Keeps the change as a patch, and tells of it and of its tests; gives back where a result is. */
export async function tellResult(
  state: CodeState,
  ctx: FinishContext<CodeTask>,
  patch: Patch,
  ending: Pick<Ending, "outcome">,
): Promise<string> {
  const saved = patch.text === undefined ? undefined : await ctx.save("result.patch", patch.text);
  ctx.tell("change", noteChange(patch, saved?.path));
  const results = noteResults(state, ending.outcome === "done");
  if (results) ctx.tell("results", results);
  if (patch.isOnly) return "in `result.patch` alone";
  return patch.branch === undefined ? "in your files" : `on the branch \`${patch.branch}\``;
}

/** The change as it is told: whole where it is short. */
export function noteChange({ files, text, branch }: Patch, path?: string): ChangeNote & { branch?: string } {
  const isShort = text !== undefined && shownLines(text).length <= SHOWN_LINES;
  return {
    ...{ count: files.length, files: files.slice(0, MOST_FILES) },
    ...(isShort && { diff: text }),
    ...(path !== undefined && { patch: path }),
    ...(branch !== undefined && { branch }),
  };
}

/** What the tests say of the state that is left; undefined where none has been run. */
export function noteResults(state: CodeState, isDone: boolean): ResultsNote | undefined {
  const { best, snapshot, test_report, hidden_results, known_tests, baseline, targets = [] } = state;
  const report = isDone ? test_report : (best?.report ?? test_report);
  if (!report) return undefined;
  if (report.fault !== undefined) return { fault: testErrorLine(report.fault) };
  const isSame = isDone || best === undefined || best.snapshot === snapshot;
  const hidden = isSame ? hidden_results : [];
  const held_out = { passed: hidden.filter((each) => each === "passed").length, of: hidden.length };
  const more = hidden.length > 0 ? { held_out } : {};
  if (!baseline) {
    const { passed, failed, missing } = judge(report, known_tests);
    return { tests: { passed: passed.length, of: passed.length + failed.length + missing.length }, ...more };
  }
  const isTarget = (name: string) => targets.some((each) => isOf(name, each));
  const suite = baseline.passing.filter((name) => !isTarget(name));
  return {
    targets: tallyOf(report, targets),
    ...(suite.length > 0 && { suite: tallyOf(report, suite) }),
    ...(report.left_out && { failed_before: report.left_out.failed_before }),
    ...more,
  };
}

/** How many of some tests pass in a report; one that is there in cases passes where they all do. */
function tallyOf({ tests }: Report, names: readonly string[]): Tally {
  const passes = (name: string) => {
    const own = tests.filter((each) => isOf(each.name, name));
    return own.length > 0 && own.every(({ state }) => state !== "failed");
  };
  return { passed: names.filter(passes).length, of: names.length };
}

const MOST_FAILURES = 6_000;

/** The note as Markdown; `place` is where a result is. */
export function writeHandOff(
  state: CodeState,
  ending: Pick<Ending, "outcome" | "reason">,
  { iterations }: Pick<FinishContext<CodeTask>, "iterations">,
  place = "in your files",
): string {
  const parts = [
    `# ${ending.outcome}\n\n${ending.reason}`,
    `It went through ${showCount(iterations, "iteration")} and ${showCount(state.plan_generation, "plan")}.`,
    section("Task", firstParagraph(parseSections(state.task).task)),
    section("Tests", describeTests(state)),
    section("Best state", describeBest(state, ending, place)),
    section("Last diagnosis", state.last_diagnosis),
    section("Approaches that failed", listLines(approachesToText(state.approaches))),
    section("Amendments of the task", state.amendments.map((each) => `- ${amendmentLine(each)}`).join("\n")),
    section("What to do next", nextSteps(ending, state)),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

function section(title: string, text: string): string {
  return text.trim() === "" ? "" : `## ${title}\n\n${text.trim()}`;
}

function describeTests({ test_report, known_tests, hidden_results }: CodeState): string {
  if (!test_report) return "None has been run.";
  const { verdict, failed, missing } = judge(test_report, known_tests, hidden_results);
  // Of a run that could not be had, every test that is known is missing.
  const failing = [...failed, ...(test_report.fault === undefined ? missing : [])]
    .map((name) => `- ${name}`)
    .join("\n");
  const words = verdict.verdict === "pass" ? "" : failuresOf(test_report).slice(0, MOST_FAILURES);
  return [`${verdict.reason}.`, failing, words && fenced(words)].filter((part) => part !== "").join("\n\n");
}

function describeBest({ best }: CodeState, { outcome }: Pick<Ending, "outcome">, place: string): string {
  if (!best) return "";
  const where = outcome === "done" ? `It is ${place}.` : "`loopwright apply <run>` brings it into your files.";
  return `Iteration ${best.iteration}, with ${showCount(best.passed, "passing test")} (score ${showScore(best.score, 2)}). ${where}`;
}

function nextSteps({ outcome }: Pick<Ending, "outcome">, { amendments }: CodeState): string {
  const steps = {
    done: "Read the program: the tests pass, and that is all they say.",
    escalated: "Add to the task what it lacks, or change your files by hand, then `loopwright answer <run> resume`.",
    failed: "See the reason above; once it is fixed, `loopwright resume <run>`.",
    ceiling: "Raise the ceiling that was reached, and `loopwright resume <run>`.",
  } as Partial<Record<Ending["outcome"], string>>;
  const ledger = amendments.length > 0 ? " `loopwright amendments <run>` lists what was added to the task." : "";
  return `${steps[outcome] ?? "`loopwright resume <run>` goes on from here."}${ledger}`;
}

function firstParagraph(text: string): string {
  return text.trim().split(/\n\s*\n/, 1)[0]!;
}

function listLines(text: string): string {
  return text.replace(/^(?=.)/gm, "- ");
}

function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const mark = "`".repeat(longest + 1);
  return `${mark}text\n${text}\n${mark}`;
}
