// follow: what the author wanted next, when they said "yes, but …", is offered once the change is committed.

import { tell } from "../notes.ts";
import type { NovelContext, NovelState } from "../task.ts";

/** Asks whether the note becomes the next feedback; whoever drives the run begins with it. */
export async function follow(state: NovelState, ctx: NovelContext) {
  const { next: feedback = "", commit = "" } = state;
  const { choice } = await ctx.ask({
    name: "next",
    question: `Go on with "${feedback}"?`,
    choices: ["yes", "no"],
    default: "no",
    about: { feedback },
  });
  await tell(ctx, "next-chosen", { feedback, is_taken: choice === "yes" });
  const reason = `iteration ${ctx.input.iteration_id} is committed as ${commit.slice(0, 10)}`;
  return ctx.end("done", { reason, patch: choice === "yes" ? {} : { next: undefined } });
}
