// talk: a question about the book is answered. Nothing is written, and what the answer was made from is said.

import { pass } from "@loopwright/core";
import { obtainText } from "@loopwright/models";
import { projectOf } from "../debug-store.ts";
import { openManuscript } from "../manuscript/index.ts";
import { tell } from "../notes.ts";
import { type Shown, showFor } from "../said/outline.ts";
import type { NovelContext, NovelState } from "../task.ts";
import { makeQuestion } from "../writing/questions.ts";

/** Answers the question. */
export async function talk(_state: NovelState, ctx: NovelContext) {
  const { feedback, talk: earlier = [] } = ctx.input;
  const question = feedback.join("\n");
  const folder = projectOf(ctx);
  const shown = await ctx.effect<Shown>("look", {
    input: { question },
    run: async () => showFor(await openManuscript(folder), question, earlier.at(-1)?.question),
  });
  const asked = await makeQuestion(ctx, "talk", { question, earlier, ...shown });
  const text = await obtainText(ctx, "answer", asked);
  await tell(ctx, "answered", { question, text: text.trim(), shown: shown.description });
  ctx.verdict(pass(1, "the question was answered; nothing was changed"));
  return ctx.end("done", { reason: "the question was answered; nothing was changed" });
}
