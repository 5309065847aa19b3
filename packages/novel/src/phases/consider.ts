// consider: a person says whether the writer goes on with the judge's feedback, or what there is shall do. What they say
// beside it ("yes, but keep the dog") goes to the writer with the judge's words.

import { keepForDebugging } from "../debug-store.ts";
import { tell } from "../notes.ts";
import { planOf } from "../reach/plan.ts";
import { withNote } from "../said/author-notes.ts";
import { lastUsable } from "../saved.ts";
import { type Attempt, baseOf, type NovelContext, type NovelState } from "../task.ts";
import { announceAttempt, defaultChoice, repeatedFindings } from "../writing/rounds.ts";
import { stillReleased } from "./ask-about-kept.ts";
import { reopenReach } from "./reach.ts";

/** Asks whether to go on. */
export async function consider(state: NovelState, ctx: NovelContext) {
  const last = state.attempts.at(-1)!;
  const answer = await ctx.ask({
    name: "continue",
    question: last.files
      ? `The judge does not approve attempt ${last.number}: ${last.judgment?.reasoning ?? ""}${repeatedWords(state.attempts)} Continue with judge feedback?`
      : `Attempt ${last.number} could not be used: ${last.problems.join(" ")} Try again?`,
    // An attempt without a usable form has nothing to show.
    choices: last.files ? ["yes", "no", "view-partial"] : ["yes", "no"],
    default: defaultChoice(state.attempts),
    about: { attempt: last.number },
  });
  const said = withNote(state, "continue", answer, last.number);
  if (answer.choice === "view-partial") return ctx.to("partial");
  if (answer.choice === "yes") {
    const reach = await reopenReach(ctx, state, last.judgment?.elsewhere ?? []);
    if (reach) return ctx.to("reach", { ...said, reach });
    await announceAttempt(ctx, baseOf(state), state.attempts, planOf(state, ctx.input), said.said ?? state.said);
    return ctx.to("generate", said);
  }
  const usable = lastUsable(state);
  if (usable) return ctx.to("summarize", { ...said, chosen: usable.number });
  const why = last.problems[0] ?? "none had a usable form";
  const reason = `no attempt could be used, and no more were wanted: ${why}${stillReleased(state)}`;
  await keepForDebugging(ctx, "debug", state.debug, { "user_decision.txt": "rejected\n" });
  await tell(ctx, "declined", { reason, debug: state.debug });
  return ctx.end("declined", { reason, patch: { ...said, decision: "rejected" } });
}

function repeatedWords(attempts: readonly Attempt[]): string {
  const stuck = repeatedFindings(attempts);
  return stuck ? ` It has named the same issues ${stuck.count} times running.` : "";
}
