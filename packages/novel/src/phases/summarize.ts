// summarize: what the chosen attempt changed, for the person who decides.

import { keepForDebugging } from "../debug-store.ts";
import { tell } from "../notes.ts";
import { loadAttempt, loadBefore } from "../saved.ts";
import { explainAttempt } from "../semantic-diff.ts";
import { countChanges } from "../style/measured.ts";
import { type Attempt, chosenAttempt, type NovelContext, type NovelState } from "../task.ts";

/** Says what changed, and keeps it. */
export async function summarize(state: NovelState, ctx: NovelContext) {
  const chosen = chosenAttempt(state);
  await tell(ctx, "summary-began", { attempt: chosen.number });
  const explained = await explainAttempt(ctx, state, chosen);
  const { text, summary, figures, attempt } = explained;
  await keepForDebugging(ctx, "debug", state.debug, { "final_semantic_diff.md": `${text.trimEnd()}\n` });
  const is_approved = attempt.judgment?.verdict === "approved";
  await tell(ctx, "semantic-diff", { attempt: attempt.number, text, summary, figures, is_approved });
  const [before, after = []] = await Promise.all([loadBefore(ctx, state), loadAttempt(ctx, chosen)]);
  await tell(ctx, "words-counted", { files: countChanges(before, after) });
  return ctx.to("inspect", { attempts: replace(state.attempts, attempt), summary });
}

function replace(attempts: readonly Attempt[], attempt: Attempt): Attempt[] {
  return attempts.map((each) => (each.number === attempt.number ? attempt : each));
}
