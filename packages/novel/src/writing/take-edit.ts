// A person as the writer: what they wrote takes the place of the level's files of the same names. What has not its form is
// refused with the reason, and kept in the debug store, so that nothing of it is lost.

import { keepForDebugging } from "../debug-store.ts";
import { checkFormat, type FormatOptions, isUnchanged } from "../manuscript/index.ts";
import { tell } from "../notes.ts";
import { loadBefore, loadContext } from "../saved.ts";
import { baseOf, type NovelContext, type NovelState } from "../task.ts";
import { finishAttempt } from "./attempts.ts";
import { filesToText } from "./questions.ts";
import { withFiles } from "./standing.ts";

/** Takes what a person wrote as the attempt. */
export async function takeEdit(state: NovelState, ctx: NovelContext) {
  const { target, edited = [] } = ctx.input;
  const [before, { project }] = await Promise.all([loadBefore(ctx, state), loadContext(ctx, state)]);
  const files = withFiles(before, edited);
  await keepForDebugging(ctx, "debug", state.debug, { "attempt_1_raw.md": filesToText(target, edited) });
  // Without feedback it is held to be a person's own work: as many chapters as they like.
  const options: FormatOptions = { previous: before, project, isFirst: baseOf(state).is_first, feedback: [] };
  const problems = isUnchanged(before, files)
    ? ["Nothing was changed: the text is what it was before the edit."]
    : checkFormat(target, files, options);
  if (problems.length === 0) return finishAttempt(ctx, state, files, 0);
  const kept = `${state.debug}/attempt_1_raw.md`;
  const reason = `the edit cannot be taken: ${problems.join(" ")} What was written is kept in ${kept}`;
  await tell(ctx, "format-refused", { attempt: 1, problems, failure: "E2", retry_count: 0, debug: kept });
  await tell(ctx, "declined", { reason, debug: state.debug });
  return ctx.end("declined", { reason, patch: { decision: "rejected" } });
}
