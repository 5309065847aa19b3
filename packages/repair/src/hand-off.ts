// What a run of the search leaves for whoever takes over: the repair as a diff, the other plausible ones, what was tried.

import type { Ending, FinishContext } from "@loopwright/core";
import { judge } from "@loopwright/workspace";
import type { SearchState } from "./search-state.ts";
import type { RepairState, RepairTask } from "./task.ts";

const MOST_OTHERS = 50;
const MOST_SUSPECTS = 10;

/** The note as Markdown. */
export function writeHandOff(
  { search, test_report, hidden_results }: RepairState,
  { outcome, reason }: Pick<Ending, "outcome" | "reason">,
  { iterations }: Pick<FinishContext<RepairTask>, "iterations">,
): string {
  const isRepaired = outcome === "done" && search?.chosen !== undefined;
  const tests =
    test_report &&
    judge(test_report, search ? [...search.failing, ...search.passing] : [], hidden_results).verdict.reason;
  const parts = [
    `# ${outcome}\n\n${reason}`,
    "The builder was a search over small edits of the program. No model was asked.",
    isRepaired ? `## The repair\n\n${search.plausible[search.chosen!]!.title}\n\n${fenced(search.diff)}` : "",
    tests ? `## Tests\n\n${tests}.` : "",
    search ? `## What was tried\n\n${triedWords(search, iterations)}` : "",
    search ? others(search) : "",
    search && !isRepaired ? suspectLines(search) : "",
    `## What to do next\n\n${nextStep(outcome, isRepaired)}`,
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

function triedWords(
  { tried, ended, most_fixed, failing, passing, held_out, plausible }: SearchState,
  iterations: number,
): string {
  const { limit, died, unloadable } = ended;
  const fixed = plausible.length > 0 ? failing.length : most_fixed;
  const batches = `${iterations} ${iterations === 1 ? "batch" : "batches"}`;
  return [
    `- ${tried.toLocaleString("en")} candidates in ${batches}, each tried in a sandbox; none twice. Each iteration's \`tried.txt\` lists its own.`,
    `- ${limit} ran too long and were cut, ${died} ended their process, ${unloadable} did not load.`,
    `- At the start ${failing.length} visible tests failed and ${passing.length} passed; ${held_out.length > 0 ? `${held_out.length} more were held out` : "none of them was held out"}.`,
    `- The most failing tests that a candidate fixed without breaking another: ${fixed}.`,
  ].join("\n");
}

/** Plausible repairs that were not taken, the likeliest first. */
function others({ plausible, chosen }: SearchState): string {
  const rest = plausible.filter((_, place) => place !== chosen).sort((a, b) => a.cost - b.cost);
  if (rest.length === 0) return "";
  const lines = rest.slice(0, MOST_OTHERS).map(({ title, refused }) => `- ${title}${refused ? ` (${refused})` : ""}`);
  const more = rest.length > MOST_OTHERS ? [`- and ${rest.length - MOST_OTHERS} more`] : [];
  return `## Other edits that pass the visible tests\n\n${[...lines, ...more].join("\n")}`;
}

function suspectLines({ suspects }: SearchState): string {
  const lines = suspects
    .slice(0, MOST_SUSPECTS)
    .map((each) => `- ${each.path}:${each.line} (${each.suspicion.toFixed(2)})`);
  return lines.length === 0 ? "" : `## The most suspicious lines\n\n${lines.join("\n")}`;
}

function nextStep(outcome: Ending["outcome"], isRepaired: boolean): string {
  if (isRepaired) return "Read the diff: the tests pass, and that is all they say.";
  const steps = {
    ceiling: "Raise the ceiling that was reached, and `loopwright resume <run>`: the search goes on where it was.",
    stagnant: "The repair is out of the search's reach: look at the suspicious lines, or give the task to a model.",
    failed: "See the reason above; once it is fixed, `loopwright resume <run>`.",
  } as Partial<Record<Ending["outcome"], string>>;
  return steps[outcome] ?? "`loopwright resume <run>` goes on from here.";
}

function fenced(diff: string): string {
  const longest = Math.max(2, ...[...diff.matchAll(/`+/g)].map(([run]) => run.length));
  const mark = "`".repeat(longest + 1);
  return `${mark}diff\n${diff.trimEnd()}\n${mark}`;
}
