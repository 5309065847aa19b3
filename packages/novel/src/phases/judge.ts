// judge: one judge, or two, hold the attempt against the feedback, the history and what is above it.

import { retryWithModel } from "@loopwright/models";
import type { z } from "zod";
import { keepForDebugging } from "../debug-store.ts";
import { measureChange } from "../diff/index.ts";
import { judgeForm, malformedRuling, type Ruling, readRuling, rulingToVerdict, vote } from "../judging.ts";
import { chapterNumber, type WritingVariables } from "../manuscript/index.ts";
import { tell, tellRefused } from "../notes.ts";
import { saidToText } from "../said/author-notes.ts";
import { loadAttempt, loadBefore, loadContext } from "../saved.ts";
import { figuresToText } from "../semantic-diff.ts";
import { measureAttempt } from "../style/measured.ts";
import { rulesText } from "../style/rules.ts";
import { baseOf, isPersonsOwn, type Judgement, type NovelContext, type NovelState, type NovelTask } from "../task.ts";
import type { FileBlock } from "../types.ts";
import { makeQuestion, type RenderedQuestion, splitChange } from "../writing/questions.ts";
import { feedbackOf, repeatedFindings, roundsOf } from "../writing/rounds.ts";

/** Has the last attempt judged. */
export async function judge(state: NovelState, ctx: NovelContext) {
  const attempt = state.attempts.at(-1)!;
  await tell(ctx, "judge-began", { attempt: attempt.number, judges: ctx.input.judges });
  const feedback = feedbackOf(ctx.input, baseOf(state).is_first);
  const questions = await makeQuestions(ctx, state, (await loadAttempt(ctx, attempt)) ?? [], feedback);
  const form = judgeForm(feedback.length);
  const bodies = questions.map((question, index): [string, (own: NovelContext) => Promise<Ruling>] => [
    `judge-${index + 1}`,
    (own) => askJudge(own, question, form, feedback),
  ]);
  const rulings = Object.values(await ctx.all(Object.fromEntries(bodies)));
  const ruling = vote(rulings);
  const { verdict, reasoning, specific_issues, suggestions } = ruling;
  const judgement: Judgement = { verdict, reasoning, specific_issues, suggestions };
  ctx.verdict(rulingToVerdict(ruling));
  await keepForDebugging(ctx, "debug", state.debug, {
    [`attempt_${attempt.number}_judge_verdict.json`]: `${JSON.stringify(judgement, null, 2)}\n`,
  });
  await tell(ctx, "judged", { attempt: attempt.number, verdict, reasoning, issues: specific_issues, suggestions });
  const attempts = [...state.attempts.slice(0, -1), { ...attempt, judgement }];
  // A person's own text is not written again by anyone: the verdict is advice, and they decide with it.
  if (verdict === "needs_revision" && !isPersonsOwn(ctx.input)) {
    const stuck = repeatedFindings(attempts);
    if (stuck) await tell(ctx, "stuck-detected", { ...stuck, attempt: attempt.number, issues: specific_issues });
    return ctx.to("consider", { attempts });
  }
  return ctx.to("summarise", { attempts, chosen: attempt.number });
}

async function askJudge(
  ctx: NovelContext,
  question: RenderedQuestion,
  schema: z.ZodType,
  feedback: readonly string[],
): Promise<Ruling> {
  const { failure, work } = await retryWithModel<NovelTask, NovelState, Ruling, null>(ctx, {
    ...question,
    schema,
    read: (text) => readRuling(text, feedback),
    onRefused: tellRefused("judge"),
    execute: async () => null,
  });
  return failure ? malformedRuling(failure.message, feedback.length) : (work as Ruling);
}

/** A question for each judge; the second is told to read for harm first. */
async function makeQuestions(
  ctx: NovelContext,
  state: NovelState,
  files: readonly FileBlock[],
  feedback: readonly string[],
): Promise<RenderedQuestion[]> {
  const [before, { variables, project }] = await Promise.all([loadBefore(ctx, state), loadContext(ctx, state)]);
  const change = splitChange(before, files);
  const level = ctx.input.target;
  const findings = measureAttempt({
    level,
    before,
    after: files,
    changed: change.changed,
    feedback,
    project,
    variables,
  });
  if (findings.length > 0) await tell(ctx, "measured", { attempt: state.attempts.at(-1)!.number, findings });
  const told = {
    ...{ ...variables, ...change, feedback },
    ...{ level, findings },
    rules: await rulesText(ctx, variables, "judge"),
    is_edit: ctx.input.kind === "edit",
    rounds: roundsOf(state.attempts.slice(0, -1)),
    said: saidToText(state),
    beats: beatsOf(variables, change.changed),
    figures: figuresToText(measureChange(before, files)),
  };
  const seats = Array.from({ length: ctx.input.judges }, (_, index) => index + 1);
  return Promise.all(seats.map((seat) => makeQuestion(ctx, "judge", { ...told, seat })));
}

/** The plan of the chapters that changed, against which prose is held. */
function beatsOf({ chapters }: WritingVariables, changed: readonly string[]): string {
  const numbers = new Set(changed.map(chapterNumber));
  return chapters
    .filter(({ number }) => numbers.has(number))
    .map(({ text }) => text.trim())
    .join("\n\n");
}
