// Some of an attempt's files: what the author takes is an attempt of its own, shown and asked about again, for neither the
// judge nor the summary was about these files alone. The others stay as they were, and no later attempt writes them.

import { append } from "@loopwright/core";
import { checkFormat, countWords } from "../manuscript/index.ts";
import { tell } from "../notes.ts";
import { filesInWords, readSome } from "../reach/words.ts";
import { withNote } from "../said/author-notes.ts";
import { loadAttempt, loadBefore, loadContext, toArtifactText } from "../saved.ts";
import type { Attempt, NovelContext, NovelState } from "../task.ts";
import type { FileBlock } from "../types.ts";
import { attemptNumber } from "./attempts.ts";
import { withFiles } from "./standing.ts";

/** Takes the files that a note names, and goes on with them; asks again where they cannot stand without the others. */
export async function takeSome(
  ctx: NovelContext,
  state: NovelState,
  { attempt, changed, note }: { attempt: Attempt; changed: readonly string[]; note: string },
) {
  const some = readSome(note, changed);
  if ("refused" in some) return askAgain(ctx, some.refused);
  const { taken, left, reason } = some;
  if (left.length === 0) return askAgain(ctx, "that is all that was changed: 'yes' accepts it");
  const [before, after = [], { project }] = await Promise.all([
    loadBefore(ctx, state),
    loadAttempt(ctx, attempt),
    loadContext(ctx, state),
  ]);
  const files = withoutChangesTo(left, before, after);
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
  const words = `${filesInWords(taken)} only, without ${filesInWords(left)}${reason === "" ? "" : `: ${reason}`}`;
  return ctx.to("summarize", {
    ...withNote(state, "accept", { choice: "some", note: words }, attempt.number),
    ...(state.reach && { reach: withoutFiles(state.reach, left) }),
    attempts: append(part),
    chosen: number,
  });
}

async function askAgain(ctx: NovelContext, message: string) {
  await tell(ctx, "reach-refused", { message });
  return ctx.to("accept");
}

/** A level as an attempt has it, but for some files, which are as they were. */
function withoutChangesTo(
  left: readonly string[],
  before: readonly FileBlock[],
  after: readonly FileBlock[],
): FileBlock[] {
  return withFiles(
    after.filter(({ path }) => !left.includes(path)),
    before.filter(({ path }) => left.includes(path)),
  );
}

function withoutFiles(reach: NonNullable<NovelState["reach"]>, left: readonly string[]) {
  const files = reach.files.filter((path) => !left.includes(path));
  return { ...reach, files, is_all: false };
}
