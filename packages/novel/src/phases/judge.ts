// judge: one judge, or two of different models, hold the attempt against the feedback, the history and what is above it. They look at the
// whole level: a ripple that is missing opens its file, and one that nobody asked for is put back.
//
// A judge approves what it was shown and nothing else: a change that does not fit one question is shown in several. One that
// cannot be understood, however often it is asked, says nothing: a person is asked, and not the writer.

import { retryWithModel } from "@loopwright/models";
import { keepForDebugging } from "../debug-store.ts";
import { type JudgeQuestion, judgeQuestions } from "../judging/questions.ts";
import { joinParts, judgeForm, readRuling, rulingsToVerdict, vote } from "../judging/rulings.ts";
import { reopened } from "../level/plan.ts";
import { tell, tellRefused } from "../notes.ts";
import { loadAttempt } from "../saved.ts";
import {
  type Attempt,
  isPersonsOwn,
  type Judgment,
  type NovelContext,
  type NovelState,
  type NovelTask,
  type Ruling,
} from "../task.ts";
import { feedbackTold, repeatedFindings } from "../writing/rounds.ts";

/** Has the last attempt judged. */
export async function judge(state: NovelState, ctx: NovelContext) {
  const attempt = state.attempts.at(-1)!;
  const feedback = feedbackTold(ctx.input, state);
  const questions = await judgeQuestions(ctx, state, (await loadAttempt(ctx, attempt)) ?? [], feedback);
  const seats = [...new Set(questions.map(({ seat }) => seat))];
  const parts = questions.length / seats.length;
  await tell(ctx, "judge-began", { attempt: attempt.number, judges: seats.length, ...(parts > 1 && { parts }) });
  const { heard, failures } = await hear(ctx, questions, state.heard ?? {});
  if (failures.length > 0) {
    await tell(ctx, "judge-unreadable", { attempt: attempt.number, message: failures[0]! });
    return ctx.to("consider", { heard, unheard: failures[0]! });
  }
  const rulings = seats.map((seat) => {
    const own = questions.filter((each) => each.seat === seat);
    return joinParts(
      own.map(({ key }) => heard[key]!),
      feedback,
    );
  });
  const { met: _, items: __, each: ___, ...judgment } = vote(rulings);
  ctx.verdict(rulingsToVerdict(rulings));
  return conclude(ctx, state, attempt, judgment);
}

/** What each question was answered with; what was understood before is not asked again. */
async function hear(ctx: NovelContext, questions: readonly JudgeQuestion[], before: Readonly<Record<string, Ruling>>) {
  const heard: Record<string, Ruling> = { ...before };
  const failures: string[] = [];
  const open = questions.filter(({ key }) => heard[key] === undefined);
  const bodies = open.map((each): [string, (own: NovelContext) => Promise<Ruling | string>] => [
    each.key,
    (own) => askJudge(own, each),
  ]);
  const answers = await ctx.all(Object.fromEntries(bodies));
  for (const [key, answer] of Object.entries(answers)) {
    if (typeof answer === "string") failures.push(answer);
    else heard[key] = answer;
  }
  return { heard, failures };
}

/** A ruling, or why there is none. */
async function askJudge(ctx: NovelContext, asked: JudgeQuestion): Promise<Ruling | string> {
  let by: string | undefined;
  const { failure, work } = await retryWithModel<NovelTask, NovelState, Ruling, null>(ctx, {
    ...asked.question,
    role: asked.role,
    onAnswer: (_text, model) => {
      by = model;
    },
    schema: judgeForm(asked),
    read: (text) => readRuling(text, asked),
    onRefused: tellRefused(asked.role),
    ...(ctx.input.max_retries !== undefined && { maxRetries: ctx.input.max_retries }),
    execute: async () => null,
  });
  if (failure) return failure.message.split("\n", 1)[0]!;
  return { ...(work as Ruling), by: by === undefined ? [] : [by] };
}

/** Records what the judges come to, and goes on with it. */
async function conclude(ctx: NovelContext, state: NovelState, attempt: Attempt, judgment: Judgment) {
  const { verdict, reasoning, specific_issues: issues, suggestions, is_split } = judgment;
  await keepForDebugging(ctx, "debug", state.debug, {
    [`attempt_${attempt.number}_judge_verdict.json`]: `${JSON.stringify(judgment, null, 2)}\n`,
  });
  await tell(ctx, "judged", { attempt: attempt.number, verdict, reasoning, issues, suggestions, is_split });
  const attempts = [...state.attempts.slice(0, -1), { ...attempt, judgment }];
  const patch = { attempts, heard: undefined, unheard: undefined };
  // A person's own text is not written again by anyone: the verdict is advice, and they decide with it.
  if (verdict === "approved" || isPersonsOwn(ctx.input))
    return ctx.to("summarize", { ...patch, chosen: attempt.number });
  const stuck = repeatedFindings(attempts);
  if (stuck) await tell(ctx, "stuck-detected", { ...stuck, attempt: attempt.number, issues });
  const plan = reopened(state.plan, judgment);
  if (!plan) return ctx.to("consider", patch);
  const has = (path: string) => plan.files.some((file) => file.path === path);
  const had = (path: string) => state.plan!.files.some((file) => file.path === path);
  await tell(ctx, "plan-changed", {
    added: judgment.missing.filter(({ path }) => has(path) && !had(path)),
    dropped: judgment.superfluous.filter(({ path }) => had(path) && !has(path)),
  });
  return ctx.to("consider", { ...patch, plan });
}
