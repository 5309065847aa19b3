// accept: a person says whether the change is made. Nothing in the project has been touched until then.
//
//   yes     → finalize
//   some …  → summarize: what was taken of it, to be accepted
//   diff    → summarize: shown again
//   again   → write: another attempt, with what the author says
//   no      → the end; the project is as it was

import { askAuthor } from "../asking.ts";
import { keepForDebugging } from "../debug-store.ts";
import { changedPaths } from "../diff/index.ts";
import { keepRejection } from "../learning/decisions.ts";
import { titled } from "../level/digest.ts";
import { filesCalled, nameOfFile } from "../level/names.ts";
import { withWords } from "../level/plan.ts";
import { tell } from "../notes.ts";
import { SAY } from "../said.ts";
import { loadAttempt, loadBefore } from "../saved.ts";
import { baseOf, chosenAttempt, type NovelContext, type NovelState } from "../task.ts";
import { announceAttempt, feedbackOf } from "../writing/rounds.ts";
import { takeSome } from "../writing/take-some.ts";

/** Asks whether to accept. */
export async function accept(state: NovelState, ctx: NovelContext) {
  const attempt = chosenAttempt(state);
  const [before, after = []] = await Promise.all([loadBefore(ctx, state), loadAttempt(ctx, attempt)]);
  const changed = changedPaths(before, after);
  const isOwn = ctx.input.kind === "edit";
  const answer = await askAuthor(ctx, {
    name: "accept",
    question: "Accept these changes?",
    choices: [
      "yes",
      "no",
      ...(changed.length > 1 ? (["some"] as const) : []),
      "diff",
      ...(isOwn ? [] : (["again"] as const)),
    ],
    default: "no",
    accepting: ["yes"],
    about: { attempt: attempt.number, paths: changed },
    means: {
      yes: "all changes are committed as they are",
      no: "the iteration ends, and the text stays as it was",
      some: "the files that they want are taken, and the others stay as they were",
      diff: "the changes are shown again",
      again: "another attempt is written; also where they accept but want something changed in it first",
    },
    files: state.plan ? titled(state.plan.of, before) : changed.map(nameOfFile),
  });
  const { choice, note, files = [] } = answer;
  if (choice === SAY) return ctx.to("accept");
  if (choice === "diff") return ctx.to("summarize", { shown: undefined });
  if (choice === "some") {
    const taken = filesCalled([...files, ...(note ?? "").split(/[\s,;]+/)], changed);
    return takeSome(ctx, state, { attempt, changed, taken });
  }
  const said = withWords(state, "accept", answer, attempt.number);
  if (choice === "yes") return ctx.to("finalize", said);
  await keepForDebugging(ctx, "debug", state.debug, {
    "user_decision.txt": note ? `rejected attempt ${attempt.number}: ${note}\n` : "rejected\n",
  });
  const feedback = feedbackOf(ctx.input, baseOf(state).is_first);
  await keepRejection(ctx, attempt, { feedback, reason: note, debug: state.debug });
  if (choice === "again") {
    await announceAttempt(ctx, { ...state, ...said });
    return ctx.to("write", { ...said, chosen: undefined });
  }
  const reason = `the changes were not accepted${note ? `: ${note}` : ""}; the project is as it was`;
  await tell(ctx, "declined", { reason, debug: state.debug });
  return ctx.end("declined", { reason, patch: { ...said, decision: "rejected" } });
}
