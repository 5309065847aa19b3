// The last word of a run, whatever ended it: a note on the iteration in the run's folder. The project is not touched.

import type { Ending, FinishContext } from "@loopwright/core";
import { filesInWords } from "../level/names.ts";
import type { Attempt, NovelState, NovelTask } from "../task.ts";
import { feedbackOf } from "../writing/rounds.ts";

/** Writes `iteration.md`. */
export async function finish(state: NovelState, ending: Ending, ctx: FinishContext<NovelTask>): Promise<void> {
  const { target, kind, iteration_id } = ctx.input;
  const feedback = feedbackOf(ctx.input, state.base?.is_first ?? true);
  const { plan } = state;
  const named = filesInWords(plan?.files.map(({ path }) => path) ?? []);
  const reached = plan?.is_whole ? "the whole level" : named || "no file";
  const lines = [
    `# ${kind} ${target}`,
    "",
    `- iteration: ${iteration_id}`,
    `- ended: ${ending.outcome}, ${ending.reason}`,
    ...(plan ? [`- reaches: ${reached}`] : []),
    ...(state.commit === undefined ? [] : [`- commit: ${state.commit}`]),
    ...(state.debug === "" ? [] : [`- every answer: ${state.debug}`]),
    ...(feedback.length === 0 ? [] : ["", "## Feedback", "", ...feedback.map((item) => `- ${item}`)]),
    ...(state.attempts.length === 0 ? [] : ["", "## Attempts", "", ...state.attempts.map(describeAttempt)]),
    ...(state.summary === undefined ? [] : ["", "## What changed", "", state.summary]),
  ];
  await ctx.save("iteration.md", `${lines.join("\n")}\n`);
}

function describeAttempt({ number, judgment, problems, words }: Attempt): string {
  if (problems.length > 0) return `${number}. no usable form: ${problems.join(" ")}`;
  const verdict = judgment ? `${judgment.verdict}: ${judgment.reasoning}` : "not judged";
  return `${number}. ${words} words, ${verdict}`;
}
