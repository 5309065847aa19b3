// The hand-off note: what whoever takes over must know, at every halt. Pure.

import type { Ending, FinishContext } from "@loopwright/core";
import { showScore } from "@loopwright/terminal";
import { judge } from "@loopwright/workspace";
import { amendmentLine } from "../amending/amendments.ts";
import { approachesToText } from "../asking/approaches.ts";
import { failuresOf } from "../asking/clues.ts";
import { parseSections } from "../asking/sections.ts";
import type { CodeState, CodeTask } from "../task.ts";

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
    `It went through ${iterations} ${iterations === 1 ? "iteration" : "iterations"} and ${state.plan_generation} ${state.plan_generation === 1 ? "plan" : "plans"}.`,
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
  const failing = [...failed, ...missing].map((name) => `- ${name}`).join("\n");
  const words = verdict.verdict === "pass" ? "" : failuresOf(test_report).slice(0, MOST_FAILURES);
  return [`${verdict.reason}.`, failing, words && fenced(words)].filter((part) => part !== "").join("\n\n");
}

function describeBest({ best }: CodeState, { outcome }: Pick<Ending, "outcome">, place: string): string {
  if (!best) return "";
  const where = outcome === "done" ? `It is ${place}.` : "`loopwright apply <run>` brings it into your files.";
  return `Iteration ${best.iteration}, with ${best.passed} passing ${best.passed === 1 ? "test" : "tests"} (score ${showScore(best.score, 2)}). ${where}`;
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
  return text === ""
    ? ""
    : text
        .split("\n")
        .map((line) => `- ${line}`)
        .join("\n");
}

function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const mark = "`".repeat(longest + 1);
  return `${mark}text\n${text}\n${mark}`;
}
