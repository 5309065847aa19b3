// accept: a person says whether the change is made. Nothing in the project has been touched until then.

import { keepForDebugging } from "../debug-store.ts";
import { describeKept, passagesLost } from "../manuscript/index.ts";
import { tell } from "../notes.ts";
import { loadAttempt, loadBefore } from "../saved.ts";
import { explainAttempt } from "../semantic-diff.ts";
import { type Attempt, chosenAttempt, type NovelContext, type NovelState } from "../task.ts";

/** Asks whether to accept. */
export async function accept(state: NovelState, ctx: NovelContext) {
  const attempt = chosenAttempt(state);
  await tellSetAside(ctx, state, attempt);
  const { choice } = await ctx.ask({
    name: "accept",
    question: "Accept these changes?",
    choices: ["yes", "no", "diff"],
    default: "no",
    accepting: ["yes"],
    about: { attempt: attempt.number },
  });
  if (choice === "yes") return ctx.to("finalise");
  if (choice === "diff") {
    // The summary is kept by now: showing it again asks no one.
    const { text, summary, figures } = await explainAttempt(ctx, state, attempt);
    const is_approved = attempt.judgement?.verdict === "approved";
    await tell(ctx, "semantic-diff", { attempt: attempt.number, text, summary, figures, is_approved });
    return ctx.to("inspect");
  }
  const reason = "the changes were not accepted; the project is as it was";
  await keepForDebugging(ctx, "debug", state.debug, { "user_decision.txt": "rejected\n" });
  await tell(ctx, "declined", { reason, debug: state.debug });
  return ctx.end("declined", { reason, patch: { decision: "rejected" } });
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
