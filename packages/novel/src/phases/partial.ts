// partial: a person sees what an attempt changed that the judge did not approve, and is asked again.

import { tell } from "../notes.ts";
import { explainAttempt } from "../semantic-diff.ts";
import type { NovelContext, NovelState } from "../task.ts";

/** Shows what the last attempt changed. */
export async function showPartial(state: NovelState, ctx: NovelContext) {
  const { text, summary, figures, attempt } = await explainAttempt(ctx, state, state.attempts.at(-1)!);
  await tell(ctx, "partial-shown", { attempt: attempt.number, text, summary, figures });
  return ctx.to("consider", { attempts: [...state.attempts.slice(0, -1), attempt] });
}
