// choose: a person takes one of the variants; in their own words ("none, the mood is wrong", "2, but shorter") others are written, whose
// writers see these and what was said of them. Those that were not taken stay in the debug store.

import { askAuthor } from "../asking.ts";
import { keepForDebugging } from "../debug-store.ts";
import { tell } from "../notes.ts";
import { SAY, withNote } from "../said.ts";
import { loadValue } from "../saved.ts";
import type { NovelContext, NovelState } from "../task.ts";
import type { FileBlock } from "../types.ts";
import { finishAttempt } from "../writing/attempts.ts";
import { announceAttempt } from "../writing/rounds.ts";

/** A flag that says the same again and again would never come to an end. */
const MOST_ROUNDS = 10;

/** Asks which variant it shall be, and goes on with it as with any attempt. */
export async function choose(state: NovelState, ctx: NovelContext) {
  const { variants = [], debug, variant_rounds: rounds = 0, seen_variants: seen = [] } = state;
  const numbers = variants.map(({ number }) => String(number));
  const answer = await askAuthor(ctx, {
    name: "variant",
    question: "Which variant?",
    choices: [...numbers, "none"],
    default: "none",
    about: { digests: variants.map(({ files }) => files.digest) },
    means: {
      ...Object.fromEntries(
        numbers.map((number) => [number, `variant ${number} is taken; with a note, others are written from it`]),
      ),
      none: "none is taken; with a note, others are written",
    },
  });
  const { choice, note = "" } = answer;
  if (choice === SAY) return ctx.to("choose");
  await keepForDebugging(ctx, "debug", debug, { "user_decision.txt": `variant ${choice} ${note}`.trim().concat("\n") });
  const said = withNote(state, "variant", answer);
  if (note !== "" && rounds < MOST_ROUNDS) {
    const why = (number: number) =>
      choice === String(number) ? `the author wants this one, but: ${note}` : "not taken";
    await announceAttempt(ctx, { ...state, ...said });
    const more = variants.map((variant) => ({ ...variant, why: why(variant.number) }));
    return ctx.to("write", { ...said, seen_variants: [...seen, ...more] });
  }
  if (choice === "none") {
    const reason = "none of the variants was taken; the project is as it was";
    await tell(ctx, "declined", { reason, debug });
    return ctx.end("declined", { reason, patch: { ...said, decision: "rejected" } });
  }
  const taken = variants.find(({ number }) => String(number) === choice)!;
  return finishAttempt(ctx, state, await loadValue<FileBlock[]>(ctx, taken.files), 0);
}
