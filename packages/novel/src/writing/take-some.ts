// Some of an attempt's files: what the author takes is an attempt of its own, shown and asked about again, for neither the
// judge nor the summary was about these files alone. The others stay as they were, and no later attempt writes them.

import { append } from "@loopwright/core";
import { filesInWords } from "../level/names.ts";
import { checkFormat, countWords } from "../manuscript/index.ts";
import { tell } from "../notes.ts";
import { withNote } from "../said.ts";
import { loadAttempt, loadBefore, loadContext, toArtifactText } from "../saved.ts";
import type { Attempt, NovelContext, NovelState, Plan } from "../task.ts";
import { attemptNumber } from "./attempts.ts";
import { withFiles } from "./standing.ts";

/** Takes some of the changed files, and goes on with them; asks again where they cannot stand without the others. */
export async function takeSome(
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
    ...{ number, problems: [], retry_count: 0, part_of: { attempt: attempt.number, left } },
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
