// accept: a person says whether the change is made. Nothing in the project has been touched until then.
//
//   yes     → finalize
//   some …  → summarize: what was taken of it is an attempt of its own, for neither the judge nor the summary was about these files alone;
//             the others stay as they were, and no later attempt writes them
//   diff    → the texts are shown, and it is asked again
//   again   → write: another attempt, with what the author says
//   no      → the end; the project is as it was

import { append } from "@loopwright/core";
import { askAuthor } from "../asking.ts";
import { changedPaths } from "../diff/lines.ts";
import { diffFiles } from "../diff/sections.ts";
import { keepRejection } from "../learning.ts";
import { titled } from "../level/digest.ts";
import { filesCalled, filesInWords, nameOfFile } from "../level/names.ts";
import { withFiles, withWords } from "../level/plan.ts";
import { checkFormat } from "../manuscript/format/format.ts";
import { countWords } from "../manuscript/words.ts";
import { tell } from "../notes.ts";
import { SAY, withNote } from "../said.ts";
import { keepForDebugging, loadAttempt, loadBefore, loadContext, toArtifactText } from "../saved.ts";
import { type Attempt, baseOf, chosenAttempt, type NovelContext, type NovelState, type Plan } from "../task.ts";
import { attemptNumber } from "../writing/attempts.ts";
import { announceAttempt, feedbackOf } from "../writing/rounds.ts";

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
      diff: "the texts of all changes are shown",
      again: "another attempt is written; also where they accept but want something changed in it first",
    },
    files: state.plan ? titled(state.plan.of, before) : changed.map(nameOfFile),
  });
  const { choice, note, files = [] } = answer;
  if (choice === SAY) return ctx.to("accept");
  if (choice === "diff") {
    await tell(ctx, "detail-shown", { name: "all", files: diffFiles(before, after) });
    return ctx.to("accept");
  }
  if (choice === "some") {
    const taken = filesCalled(files.length > 0 ? files : (note ?? "").split(/[\s,;]+/), changed);
    return takeSome(ctx, state, { attempt, changed, taken });
  }
  const said = withWords(state, "accept", answer, attempt.number);
  if (choice === "yes") return ctx.to("finalize", said);
  await keepForDebugging(ctx, "debug", state.debug, {
    "user_decision.txt": note ? `rejected attempt ${attempt.number}: ${note}\n` : "rejected\n",
  });
  const feedback = feedbackOf(ctx.input, baseOf(state).is_first);
  await keepRejection(ctx, attempt, { feedback, reason: note, debug: state.debug, is_again: choice === "again" });
  if (choice === "again") {
    await announceAttempt(ctx, { ...state, ...said });
    return ctx.to("write", { ...said, chosen: undefined });
  }
  const reason = `the changes were not accepted${note ? `: ${note}` : ""}; the project is as it was`;
  await tell(ctx, "declined", { reason, debug: state.debug });
  return ctx.end("declined", { reason, patch: { ...said, decision: "rejected" } });
}

/** Takes some of the changed files, and goes on with them; asks again where they cannot stand without the others. */
async function takeSome(
  ctx: NovelContext,
  state: NovelState,
  { attempt, changed, taken }: { attempt: Attempt; changed: readonly string[]; taken: readonly string[] },
) {
  const left = changed.filter((path) => !taken.includes(path));
  if (taken.length === 0) return askAgain(ctx, `say which, such as 'some ${filesInWords(changed.slice(0, 1))}'`);
  if (left.length === 0) return askAgain(ctx, "that is all that was changed: 'yes' accepts it");
  const [before, after = [], { project }] = await Promise.all([
    loadBefore(ctx, state),
    loadAttempt(ctx, attempt),
    loadContext(ctx, state),
  ]);
  const files = withFiles(
    after.filter(({ path }) => !left.includes(path)),
    before.filter(({ path }) => left.includes(path)),
  );
  const [problem] = checkFormat(ctx.input.target, files, { previous: before, project, isFirst: false, feedback: [] });
  if (problem !== undefined) return askAgain(ctx, `${filesInWords(taken)} cannot be taken alone: ${problem}`);
  const number = attemptNumber(state);
  const part: Attempt = {
    ...{ number, problems: [], part_of: { attempt: attempt.number, left } },
    files: await ctx.save(`attempt-${number}.json`, toArtifactText(files)),
    words: files.reduce((sum, { content }) => sum + countWords(content), 0),
    ...(attempt.on !== undefined && { on: attempt.on }),
    ...(attempt.wrote && { wrote: attempt.wrote.filter((path) => !left.includes(path)) }),
  };
  const note = `${filesInWords(taken)} only, without ${filesInWords(left)}`;
  const { plan } = state;
  return ctx.to("summarize", {
    ...withNote(state, "accept", { choice: "some", note }, attempt.number),
    ...(plan && { plan: withoutFiles(plan, left) }),
    ...{ attempts: append(part), written: [] },
    chosen: number,
  });
}

function withoutFiles(plan: Plan, left: readonly string[]): Plan {
  const files = plan.files.filter(({ path }) => !left.includes(path));
  return { ...plan, files, of: plan.is_whole ? plan.of.filter((path) => !left.includes(path)) : plan.of };
}

async function askAgain(ctx: NovelContext, message: string) {
  await tell(ctx, "warning", { code: "FILES_UNREADABLE", message });
  return ctx.to("accept");
}
