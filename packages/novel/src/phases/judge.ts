// judge: one judge, or two of different models, hold the attempt against the feedback, the history and what is above it. They look at the
// whole level: a ripple that is missing opens its file, and one that nobody asked for is put back.
//
// A judge approves what it was shown and nothing else: a change that does not fit one question is shown in several. One that
// cannot be understood, however often it is asked, says nothing: a person is asked, and not the writer.
//
// consider: a person says whether the writer goes on with the judge's feedback, or what there is shall do; they can look at what the
// attempt changed before they say so. What they say beside it ("yes, but keep the dog") goes to the writer with the judge's words.

import { askAuthor } from "../asking.ts";
import { changedPaths } from "../diff/lines.ts";
import { type JudgeQuestion, judgeQuestions } from "../judging/questions.ts";
import { joinParts, judgeForm, type Ruling, readRuling, rulingsToVerdict, vote } from "../judging/rulings.ts";
import { titled } from "../level/digest.ts";
import { reopened, withWords } from "../level/plan.ts";
import { tell } from "../notes.ts";
import { SAY } from "../said.ts";
import { currentAttempt, keepForDebugging, loadAttempt, loadBefore } from "../saved.ts";
import { type Attempt, isPersonsOwn, type Judgment, type NovelContext, type NovelState, type Plan } from "../task.ts";
import { ask } from "../writing/questions.ts";
import { announceAttempt, defaultChoice, feedbackTold, repeatedFindings } from "../writing/rounds.ts";
import { explainAttempt } from "./summarize.ts";

/** Has the last attempt judged. */
export async function judge(state: NovelState, ctx: NovelContext) {
  const attempt = state.attempts.at(-1)!;
  const feedback = feedbackTold(ctx.input, state);
  const questions = await judgeQuestions(ctx, state, (await loadAttempt(ctx, attempt)) ?? [], feedback);
  const seats = [...new Set(questions.map(({ seat }) => seat))];
  const parts = questions.length / seats.length;
  await tell(ctx, "judge-began", { attempt: attempt.number, judges: seats.length, ...(parts > 1 && { parts }) });
  const bodies = questions.map((each) => [each.key, (own: NovelContext) => askJudge(own, each)] as const);
  const heard: Record<string, Ruling | string> = await ctx.all(Object.fromEntries(bodies));
  const failure = Object.values(heard).find((each) => typeof each === "string");
  if (failure !== undefined) {
    await tell(ctx, "judge-unreadable", { attempt: attempt.number, message: failure });
    return ctx.to("consider", { unheard: failure });
  }
  const rulings = seats.map((seat) => {
    const own = questions.filter((each) => each.seat === seat);
    return joinParts(
      own.map(({ key }) => heard[key] as Ruling),
      feedback,
    );
  });
  const { met: _, items: __, each: ___, ...judgment } = vote(rulings);
  ctx.verdict(rulingsToVerdict(rulings));
  return conclude(ctx, state, attempt, judgment);
}

/** A ruling, or why there is none. */
async function askJudge(ctx: NovelContext, asked: JudgeQuestion): Promise<Ruling | string> {
  let by: string | undefined;
  const { failure, work } = await ask<Ruling>(ctx, {
    ...asked.question,
    role: asked.role,
    onAnswer: (_text, model) => {
      by = model;
    },
    schema: judgeForm(asked),
    read: (text) => readRuling(text, asked),
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
  const patch = { attempts, unheard: undefined };
  // A person's own text is not written again by anyone: the verdict is advice, and they decide with it.
  if (verdict === "approved" || isPersonsOwn(ctx.input))
    return ctx.to("summarize", { ...patch, chosen: attempt.number });
  const stuck = repeatedFindings(attempts);
  if (stuck) await tell(ctx, "stuck-detected", { ...stuck, attempt: attempt.number, issues });
  const plan = reopened(state.plan, judgment);
  if (!plan) return ctx.to("consider", patch);
  const has = ({ files }: Plan, path: string) => files.some((file) => file.path === path);
  await tell(ctx, "plan-changed", {
    added: judgment.missing.filter(({ path }) => has(plan, path) && !has(state.plan!, path)),
    dropped: judgment.superfluous.filter(({ path }) => has(state.plan!, path) && !has(plan, path)),
  });
  return ctx.to("consider", { ...patch, plan });
}

/** Asks whether to go on. */
export async function consider(state: NovelState, ctx: NovelContext) {
  const last = state.attempts.at(-1)!;
  const answer = await askAuthor(ctx, {
    name: "continue",
    question: questionOf(state, last),
    // An attempt without a usable form has nothing to show.
    choices: last.files ? ["yes", "no", "view-partial"] : ["yes", "no"],
    // A judge that was asked in vain is not asked for ever by whoever takes the defaults.
    default: state.unheard === undefined ? defaultChoice(state.attempts) : "no",
    about: { attempt: last.number, unheard: state.unheard ?? "" },
    means: {
      yes: "the text is written once more, with what the judge said and whatever the author says here",
      no: "no further attempt: what there is is shown, to be accepted or not",
      "view-partial": "the changes of this attempt are shown, then it is asked again",
    },
    files: state.plan ? titled(state.plan.of, await loadBefore(ctx, state)) : [],
  });
  const said = withWords(state, "continue", answer, last.number);
  if (answer.choice === SAY) return ctx.to("consider");
  if (answer.choice === "view-partial") return showPartial(state, ctx, last);
  const usable = currentAttempt(state);
  if (state.unheard !== undefined && usable) {
    if (answer.choice === "yes") return ctx.to("judge", { ...said, unheard: undefined });
    return ctx.to("summarize", { ...said, chosen: usable.number, unheard: undefined });
  }
  if (answer.choice === "yes") {
    await announceAttempt(ctx, { ...state, ...said });
    return ctx.to("write", said);
  }
  if (usable) return ctx.to("summarize", { ...said, chosen: usable.number });
  const reason = `no attempt could be used, and no more were wanted: ${last.problems[0] ?? "none had a usable form"}`;
  await keepForDebugging(ctx, "debug", state.debug, { "user_decision.txt": "rejected\n" });
  await tell(ctx, "declined", { reason, debug: state.debug });
  return ctx.end("declined", { reason, patch: { ...said, decision: "rejected" } });
}

function questionOf({ attempts, unheard }: NovelState, last: Attempt): string {
  if (unheard !== undefined)
    return `The judge's answer on attempt ${last.number} cannot be read: ${unheard} Ask the judge again (yes), or decide without its word (no)?`;
  if (!last.files) return `Attempt ${last.number} could not be used: ${last.problems.join(" ")} Try again?`;
  const stuck = repeatedFindings(attempts);
  const again = stuck ? ` It has named the same issues ${stuck.count} times running.` : "";
  return `The judge does not approve attempt ${last.number}: ${last.judgment?.reasoning ?? ""}${again} Continue with judge feedback?`;
}

/** Shows what the last attempt changed, its whole text where it is wanted, and asks again. */
async function showPartial(state: NovelState, ctx: NovelContext, last: Attempt) {
  const { text, summary, figures, attempt } = await explainAttempt(ctx, state, last);
  await tell(ctx, "partial-shown", { attempt: attempt.number, text, summary, figures });
  const { choice } = await askAuthor(ctx, {
    name: "detail",
    question: `View the full text of attempt ${attempt.number}?`,
    choices: ["yes", "no"],
    default: "no",
    about: { attempt: attempt.number },
    means: { yes: "the whole text is shown", no: "it is not shown" },
  });
  if (choice === "yes") {
    const [before, files = []] = await Promise.all([loadBefore(ctx, state), loadAttempt(ctx, attempt)]);
    const changed = new Set(changedPaths(before, files));
    const shown = files.filter(({ path }) => changed.has(path)).map(({ path, content }) => ({ path, content }));
    await tell(ctx, "full-shown", { attempt: attempt.number, files: shown });
  }
  return ctx.to("consider", { attempts: [...state.attempts.slice(0, -1), attempt] });
}
