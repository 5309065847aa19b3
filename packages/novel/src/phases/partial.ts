// partial: a person sees what an attempt changed that the judge did not approve, whole if they like, and is asked again.

import { changedPaths } from "../diff/index.ts";
import { tell } from "../notes.ts";
import { loadAttempt, loadBefore } from "../saved.ts";
import { explainAttempt } from "../semantic-diff.ts";
import type { NovelContext, NovelState } from "../task.ts";

/** Shows what the last attempt changed, and its text. */
export async function showPartial(state: NovelState, ctx: NovelContext) {
  const { text, summary, figures, attempt } = await explainAttempt(ctx, state, state.attempts.at(-1)!);
  await tell(ctx, "partial-shown", { attempt: attempt.number, text, summary, figures });
  const { choice } = await ctx.ask({
    name: "full",
    question: `View the full text of attempt ${attempt.number}?`,
    choices: ["yes", "no"],
    default: "no",
    about: { attempt: attempt.number },
  });
  if (choice === "yes") {
    const [before, files = []] = await Promise.all([loadBefore(ctx, state), loadAttempt(ctx, attempt)]);
    const changed = new Set(changedPaths(before, files));
    await tell(ctx, "full-shown", {
      attempt: attempt.number,
      files: files.filter(({ path }) => changed.has(path)).map(({ path, content }) => ({ path, content })),
    });
  }
  return ctx.to("consider", { attempts: [...state.attempts.slice(0, -1), attempt] });
}
