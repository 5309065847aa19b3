// consider: a person says whether the writer goes on with the judge's feedback, or what there is shall do; they can look at what the
// attempt changed before they say so. What they say beside it ("yes, but keep the dog") goes to the writer with the judge's words.

import { askAuthor } from "../asking.ts";
import { keepForDebugging } from "../debug-store.ts";
import { changedPaths } from "../diff/index.ts";
import { withWords } from "../level/plan.ts";
import { titled } from "../level/digest.ts";
import { tell } from "../notes.ts";
import { SAY } from "../said.ts";
import { currentAttempt, loadAttempt, loadBefore } from "../saved.ts";
import { explainAttempt } from "../semantic-diff.ts";
import type { Attempt, NovelContext, NovelState } from "../task.ts";
import { announceAttempt, defaultChoice, repeatedFindings } from "../writing/rounds.ts";

/** Asks whether to go on. */
export async function consider(state: NovelState, ctx: NovelContext) {
  const last = state.attempts.at(-1)!;
  const answer = await askAuthor(ctx, {
    name: "continue",
    question: questionOf(state, last),
    // An attempt without a usable form has nothing to show.
    choices: last.files ? ["yes", "no", "view-partial"] : ["yes", "no"],
    // A judge that was asked in vain is not asked for ever by whoever takes the defaults.
    default: state.unheard === undefined ? defaultChoice(state.attempts) : "no",
    about: { attempt: last.number, unheard: state.unheard ?? "" },
    means: {
      yes: "the text is written once more, with what the judge said and whatever the author says here",
      no: "no further attempt: what there is is shown, to be accepted or not",
      "view-partial": "the changes of this attempt are shown, then it is asked again",
    },
    files: state.plan ? titled(state.plan.of, await loadBefore(ctx, state)) : [],
  });
  const said = withWords(state, "continue", answer, last.number);
  if (answer.choice === SAY) return ctx.to("consider");
  if (answer.choice === "view-partial") return showPartial(state, ctx, last);
  const usable = currentAttempt(state);
  if (state.unheard !== undefined && usable) {
    if (answer.choice === "yes") return ctx.to("judge", { ...said, unheard: undefined });
    return ctx.to("summarize", { ...said, chosen: usable.number, heard: undefined, unheard: undefined });
  }
  if (answer.choice === "yes") {
    await announceAttempt(ctx, { ...state, ...said });
    return ctx.to("write", said);
  }
  if (usable) return ctx.to("summarize", { ...said, chosen: usable.number });
  const reason = `no attempt could be used, and no more were wanted: ${last.problems[0] ?? "none had a usable form"}`;
  await keepForDebugging(ctx, "debug", state.debug, { "user_decision.txt": "rejected\n" });
  await tell(ctx, "declined", { reason, debug: state.debug });
  return ctx.end("declined", { reason, patch: { ...said, decision: "rejected" } });
}

function questionOf({ attempts, unheard }: NovelState, last: Attempt): string {
  if (unheard !== undefined)
    return `The judge's answer on attempt ${last.number} cannot be read: ${unheard} Ask the judge again (yes), or decide without its word (no)?`;
  if (!last.files) return `Attempt ${last.number} could not be used: ${last.problems.join(" ")} Try again?`;
  const stuck = repeatedFindings(attempts);
  const again = stuck ? ` It has named the same issues ${stuck.count} times running.` : "";
  return `The judge does not approve attempt ${last.number}: ${last.judgment?.reasoning ?? ""}${again} Continue with judge feedback?`;
}

/** Shows what the last attempt changed, its whole text where it is wanted, and asks again. */
async function showPartial(state: NovelState, ctx: NovelContext, last: Attempt) {
  const { text, summary, figures, attempt } = await explainAttempt(ctx, state, last);
  await tell(ctx, "partial-shown", { attempt: attempt.number, text, summary, figures });
  const { choice } = await askAuthor(ctx, {
    name: "detail",
    question: `View the full text of attempt ${attempt.number}?`,
    choices: ["yes", "no"],
    default: "no",
    about: { attempt: attempt.number },
    means: { yes: "the whole text is shown", no: "it is not shown" },
  });
  if (choice === "yes") {
    const [before, files = []] = await Promise.all([loadBefore(ctx, state), loadAttempt(ctx, attempt)]);
    const changed = new Set(changedPaths(before, files));
    const shown = files.filter(({ path }) => changed.has(path)).map(({ path, content }) => ({ path, content }));
    await tell(ctx, "full-shown", { attempt: attempt.number, files: shown });
  }
  return ctx.to("consider", { attempts: [...state.attempts.slice(0, -1), attempt] });
}
