// judge: one judge, or two, hold the attempt against the feedback, the history and what is above it.
//
// A judge approves what it was shown and nothing else: a change that does not fit one question is shown in several. One that
// cannot be understood, however often it is asked, says nothing: a person is asked, and not the writer.

import { retryWithModel } from "@loopwright/models";
import { keepForDebugging } from "../debug-store.ts";
import { type JudgeQuestion, judgeQuestions } from "../judging/questions.ts";
import { joinParts, judgeForm, type Ruling, readRuling, rulingsToVerdict, vote } from "../judging/rulings.ts";
import { tell, tellRefused } from "../notes.ts";
import { loadAttempt } from "../saved.ts";
import {
  type Attempt,
  baseOf,
  isPersonsOwn,
  type Judgment,
  type NovelContext,
  type NovelState,
  type NovelTask,
} from "../task.ts";
import { feedbackTold, repeatedFindings } from "../writing/rounds.ts";
import { reopenReach } from "./reach.ts";

/** How often a judge that cannot be understood is asked again by default; after that a person must say so. */
const DEFAULT_AGAIN = 2;

/** Has the last attempt judged. */
export async function judge(state: NovelState, ctx: NovelContext) {
  const attempt = state.attempts.at(-1)!;
  const feedback = feedbackTold(ctx.input, baseOf(state).is_first);
  const questions = await judgeQuestions(ctx, state, (await loadAttempt(ctx, attempt)) ?? [], feedback);
  const parts = questions.length / ctx.input.judges;
  await tell(ctx, "judge-began", { attempt: attempt.number, judges: ctx.input.judges, ...(parts > 1 && { parts }) });
  const { heard, failures } = await hear(ctx, questions, state.heard ?? {});
  if (failures.length > 0) return askAboutJudge(ctx, state, attempt, heard, failures[0]!);
  const seats = Array.from({ length: ctx.input.judges }, (_, at) => at + 1);
  const rulings = seats.map((seat) =>
    joinParts(
      questions.filter((each) => each.seat === seat).map(({ key }) => heard[key]!),
      feedback,
    ),
  );
  const { met: _, items: __, each: ___, ...said } = vote(rulings);
  const by = [...new Set(questions.flatMap(({ key }) => heard[key]!.by ?? []))];
  const judgment = { ...said, ...(by.length > 0 && { by }) };
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
    onAnswer: (_text, model) => {
      by = model;
    },
    schema: judgeForm(asked),
    read: (text) => readRuling(text, asked),
    onRefused: tellRefused("judge"),
    execute: async () => null,
  });
  if (failure) return failure.message.split("\n", 1)[0]!;
  return { ...(work as Ruling), ...(by !== undefined && { by: [by] }) };
}

/** A person says what becomes of an attempt that no judge has spoken about. */
async function askAboutJudge(
  ctx: NovelContext,
  state: NovelState,
  attempt: Attempt,
  heard: Record<string, Ruling>,
  failure: string,
) {
  const unheard = (state.unheard ?? 0) + 1;
  await tell(ctx, "judge-unreadable", { attempt: attempt.number, message: failure });
  const { choice } = await ctx.ask({
    name: "unreadable",
    question: `The judge's answer on attempt ${attempt.number} cannot be read: ${failure} Ask the judge again, accept the attempt unjudged, or stop here?`,
    choices: ["again", "accept", "stop"],
    default: unheard <= DEFAULT_AGAIN ? "again" : "stop",
    about: { attempt: attempt.number, unheard },
  });
  if (choice === "again") return ctx.to("judge", { heard, unheard });
  if (choice === "accept") return ctx.to("summarize", { chosen: attempt.number, heard: undefined, unheard: 0 });
  const reason = "the judge could not be understood, and the iteration was stopped; the project is as it was";
  await keepForDebugging(ctx, "debug", state.debug, { "user_decision.txt": "rejected\n" });
  await tell(ctx, "declined", { reason, debug: state.debug });
  return ctx.end("declined", { reason, patch: { decision: "rejected", heard: undefined } });
}

/** Records what the judges come to, and goes on with it. */
async function conclude(ctx: NovelContext, state: NovelState, attempt: Attempt, judgment: Judgment) {
  const { verdict, reasoning, specific_issues, suggestions } = judgment;
  await keepForDebugging(ctx, "debug", state.debug, {
    [`attempt_${attempt.number}_judge_verdict.json`]: `${JSON.stringify(judgment, null, 2)}\n`,
  });
  await tell(ctx, "judged", { attempt: attempt.number, verdict, reasoning, issues: specific_issues, suggestions });
  const attempts = [...state.attempts.slice(0, -1), { ...attempt, judgment }];
  const patch = { attempts, heard: undefined, unheard: 0 };
  // A person's own text is not written again by anyone: the verdict is advice, and they decide with it.
  const isOwn = isPersonsOwn(ctx.input);
  if (verdict === "needs_revision" && !isOwn) {
    const stuck = repeatedFindings(attempts);
    if (stuck) await tell(ctx, "stuck-detected", { ...stuck, attempt: attempt.number, issues: specific_issues });
    return ctx.to("consider", patch);
  }
  const reach = isOwn ? undefined : await reopenReach(ctx, state, judgment.elsewhere ?? []);
  return reach ? ctx.to("reach", { ...patch, reach }) : ctx.to("summarize", { ...patch, chosen: attempt.number });
}
