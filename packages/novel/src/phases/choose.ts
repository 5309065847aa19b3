// choose: a person takes one of the variants, or parts of several; with a note ("none, because …", "2, but shorter") others are
// written, whose writer sees these and what was said of them. Those that were not taken stay in the debug store.

import { keepForDebugging } from "../debug-store.ts";
import { tell } from "../notes.ts";
import { withNote } from "../said/author-notes.ts";
import { loadBefore, loadValue } from "../saved.ts";
import { baseOf, type NovelContext, type NovelState } from "../task.ts";
import type { FileBlock } from "../types.ts";
import { composeParts, toParagraphs } from "../variants/parts.ts";
import { withVariant } from "../variants/write-variants.ts";
import { finishAttempt } from "../writing/attempts.ts";
import { announceAttempt } from "../writing/rounds.ts";

/** A flag that says the same again and again would never come to an end. */
const MOST_ROUNDS = 10;

/** Asks which variant it shall be, and goes on with it as with any attempt. */
export async function choose(state: NovelState, ctx: NovelContext) {
  const { variants = [], debug } = state;
  const texts = await Promise.all(variants.map(async ({ text }) => (await loadValue<FileBlock>(ctx, text)).content));
  // Of one paragraph there is nothing to put together.
  const hasParts = texts.some((text) => toParagraphs(text).paragraphs.length > 1);
  const answer = await ctx.ask({
    name: "variant",
    question: "Which variant, or which parts?",
    choices: [...variants.map(({ number }) => String(number)), ...(hasParts ? ["parts"] : []), "none"],
    default: "none",
    about: { digests: variants.map(({ text }) => text.digest) },
  });
  const { choice, note = "" } = answer;
  const mayRepeat = choice !== "parts" && note !== "" && (state.variant_rounds ?? 0) < MOST_ROUNDS;
  await keepForDebugging(ctx, "debug", debug, { "user_decision.txt": `variant ${choice} ${note}`.trim().concat("\n") });
  if (mayRepeat) {
    await announceAttempt(ctx, baseOf(state), state.attempts);
    return ctx.to("generate", { ...withNote(state, "variant", answer), seen_variants: withSeen(state, choice, note) });
  }
  if (choice === "none") {
    const reason = "none of the variants was taken; the project is as it was";
    await tell(ctx, "declined", { reason, debug });
    return ctx.end("declined", { reason, patch: { ...withNote(state, "variant", answer), decision: "rejected" } });
  }
  const { text, problem } = choice === "parts" ? composeParts(texts, note) : { text: texts[Number(choice) - 1] };
  if (text === undefined) {
    await tell(ctx, "warning", { code: "PARTS_UNREADABLE", message: problem ?? "that is none of the variants" });
    return ctx.to("choose");
  }
  const before = await loadBefore(ctx, state);
  return finishAttempt(ctx, state, withVariant(before, ctx.input.file ?? "", ctx.input.passage, text), 0);
}

/** All variants so far, with what was said of them: the writer of others is shown them. */
function withSeen({ variants = [], seen_variants = [] }: NovelState, choice: string, note: string) {
  const why = (number: number) => (choice === String(number) ? `the author wants this one, but: ${note}` : "not taken");
  return [...seen_variants, ...variants.map((variant) => ({ ...variant, why: why(variant.number) }))];
}
