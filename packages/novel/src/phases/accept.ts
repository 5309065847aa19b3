// accept: a person says whether the change is made. Nothing in the project has been touched until then.
//
//   yes               → finalize
//   yes, but …        → finalize, and what follows the "but" is offered as the next feedback
//   no                → the end; the project is as it was
//   no, because …     → generate: another attempt, which is told why

import { keepForDebugging } from "../debug-store.ts";
import { keepRejection } from "../learning/decisions.ts";
import { describeKept, passagesLost } from "../manuscript/index.ts";
import { tell } from "../notes.ts";
import { planOf } from "../reach/plan.ts";
import { withNote } from "../said/author-notes.ts";
import { loadAttempt, loadBefore } from "../saved.ts";
import { explainAttempt } from "../semantic-diff.ts";
import { type Attempt, baseOf, chosenAttempt, type NovelContext, type NovelState } from "../task.ts";
import { announceAttempt, feedbackOf } from "../writing/rounds.ts";

/** Asks whether to accept. */
export async function accept(state: NovelState, ctx: NovelContext) {
  const attempt = chosenAttempt(state);
  await tellSetAside(ctx, state, attempt);
  const answer = await ctx.ask({
    name: "accept",
    question: "Accept these changes?",
    choices: ["yes", "no", "diff"],
    default: "no",
    accepting: ["yes"],
    about: { attempt: attempt.number },
  });
  const { choice, note } = answer;
  const said = withNote(state, "accept", answer, attempt.number);
  if (choice === "yes") return ctx.to("finalize", { ...said, ...(note !== undefined && { next: note }) });
  if (choice === "diff") {
    // The summary is kept by now: showing it again asks no one.
    const { text, summary, figures } = await explainAttempt(ctx, state, attempt);
    const is_approved = attempt.judgment?.verdict === "approved";
    await tell(ctx, "semantic-diff", { attempt: attempt.number, text, summary, figures, is_approved });
    return ctx.to("inspect");
  }
  await keepDecision(ctx, state, attempt, note);
  await keepRejection(ctx, attempt, feedbackOf(ctx.input, baseOf(state).is_first), note);
  // A person's own text is not written again by anyone.
  if (said.said && ctx.input.kind !== "edit") {
    await announceAttempt(ctx, baseOf(state), state.attempts, planOf(state, ctx.input), said.said);
    return ctx.to("generate", { ...said, chosen: undefined });
  }
  const reason = "the changes were not accepted; the project is as it was";
  await tell(ctx, "declined", { reason, debug: state.debug });
  return ctx.end("declined", { reason, patch: { ...said, decision: "rejected" } });
}

/** Keeps that an attempt was rejected, and why. */
function keepDecision(ctx: NovelContext, state: NovelState, { number }: Attempt, note: string | undefined) {
  return keepForDebugging(ctx, "debug", state.debug, {
    "user_decision.txt": note === undefined ? "rejected\n" : `rejected attempt ${number}: ${note}\n`,
  });
}

/** Kept passages whose chapter goes are named before the question: they are set aside, and put back with their chapter. */
async function tellSetAside(ctx: NovelContext, state: NovelState, attempt: Attempt): Promise<void> {
  const [before, after = []] = await Promise.all([loadBefore(ctx, state), loadAttempt(ctx, attempt)]);
  const gone = before.filter(({ path }) => !after.some((file) => file.path === path));
  const lost = passagesLost(gone, after).map(describeKept);
  if (lost.length === 0) return;
  const message = `kept passages whose file goes are set aside, and put back when it is written again: ${lost.join("; ")}`;
  await tell(ctx, "warning", { code: "KEPT_SET_ASIDE", message });
}
