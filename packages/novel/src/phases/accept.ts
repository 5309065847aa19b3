// accept: a person says whether the change is made. Nothing in the project has been touched until then.
//
//   yes               → finalize
//   yes, but …        → finalize, and what follows the "but" is offered as the next feedback
//   some …            → summarize: what was taken of it, to be accepted
//   no                → the end; the project is as it was
//   no, because …     → generate: another attempt, which is told why
//   stop, because …   → the end, with the reason on record

import { keepForDebugging } from "../debug-store.ts";
import { changedPaths } from "../diff/index.ts";
import { keepRejection } from "../learning/decisions.ts";
import { describeKept, passagesLost } from "../manuscript/index.ts";
import { tell } from "../notes.ts";
import { planOf } from "../reach/plan.ts";
import { saysSome } from "../reach/words.ts";
import { withNote } from "../said/author-notes.ts";
import { loadAttempt, loadBefore } from "../saved.ts";
import { explainAttempt } from "../semantic-diff.ts";
import { type Attempt, baseOf, chosenAttempt, type NovelContext, type NovelState } from "../task.ts";
import type { FileBlock } from "../types.ts";
import { announceAttempt, feedbackOf } from "../writing/rounds.ts";
import { takeSome } from "../writing/take-some.ts";
import { stillReleased } from "./ask-about-kept.ts";

/** Asks whether to accept. */
export async function accept(state: NovelState, ctx: NovelContext) {
  const attempt = chosenAttempt(state);
  const [before, after = []] = await Promise.all([loadBefore(ctx, state), loadAttempt(ctx, attempt)]);
  await tellSetAside(ctx, before, after);
  const changed = changedPaths(before, after);
  const choices =
    changed.length > 1 ? (["yes", "no", "some", "diff", "stop"] as const) : (["yes", "no", "diff", "stop"] as const);
  const answer = await ctx.ask({
    name: "accept",
    question: "Accept these changes?",
    choices: [...choices],
    default: "no",
    accepting: ["yes"],
    about: { attempt: attempt.number, paths: changed },
  });
  const { choice, note } = answer;
  if (choice === "some" || (choice === "yes" && changed.length > 1 && saysSome(note ?? "")))
    return takeSome(ctx, state, { attempt, changed, note: note ?? "" });
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
  const feedback = feedbackOf(ctx.input, baseOf(state).is_first);
  await keepRejection(ctx, attempt, { feedback, reason: note, debug: state.debug });
  // A person's own text is not written again by anyone.
  if (choice === "no" && said.said && ctx.input.kind !== "edit") {
    await announceAttempt(ctx, baseOf(state), state.attempts, planOf(state, ctx.input), said.said);
    return ctx.to("generate", { ...said, chosen: undefined });
  }
  const why = note === undefined ? "" : `: ${note}`;
  const rest = stillReleased(state);
  const reason = `the changes were not accepted${why}; ${rest === "" ? "the project is as it was" : `the text is as it was${rest}`}`;
  await tell(ctx, "declined", { reason, debug: state.debug });
  return ctx.end("declined", { reason, patch: { ...said, decision: "rejected" } });
}

/** Keeps that an attempt was rejected, and why. */
function keepDecision(ctx: NovelContext, state: NovelState, { number }: Attempt, note: string | undefined) {
  return keepForDebugging(ctx, "debug", state.debug, {
    "user_decision.txt": note === undefined ? "rejected\n" : `rejected attempt ${number}: ${note}\n`,
  });
}

/** Kept passages whose chapter goes are named before the question. */
async function tellSetAside(
  ctx: NovelContext,
  before: readonly FileBlock[],
  after: readonly FileBlock[],
): Promise<void> {
  const gone = before.filter(({ path }) => !after.some((file) => file.path === path));
  const lost = passagesLost(gone, after).map(describeKept);
  if (lost.length === 0) return;
  const message = `kept passages go with their file: ${lost.join("; ")}`;
  await tell(ctx, "warning", { code: "KEPT_GONE", message });
}
