// A premise, a treatment or the chapters, written whole in one answer.

import { keepForDebugging } from "../debug-store.ts";
import { type FormatOptions, readAnswer } from "../manuscript/index.ts";
import { lastUsable, loadAttempt, loadBefore, loadContext } from "../saved.ts";
import { baseOf, type NovelContext, type NovelState } from "../task.ts";
import type { FileBlock } from "../types.ts";
import { askWriter, rawFiles } from "./ask-writer.ts";
import { attemptNumber, failAttempt, finishAttempt } from "./attempts.ts";
import { answerRoom, filesToText, makeQuestion, promptFor, writerVariables } from "./questions.ts";
import { feedbackOf } from "./rounds.ts";

/** Asks for the whole level. */
export async function writeLevel(state: NovelState, ctx: NovelContext) {
  const { target, chapters, feedback } = ctx.input;
  const { is_first } = baseOf(state);
  const [before, { variables, project, set_aside = [] }] = await Promise.all([
    loadBefore(ctx, state),
    loadContext(ctx, state),
  ]);
  const last = lastUsable(state);
  const previous = (last && (await loadAttempt(ctx, last))) ?? [];
  const told = {
    ...(await writerVariables(ctx, state, variables)),
    previous_attempt: filesToText(target, previous),
  };
  const wanted = chapters ?? (target === "chapters" ? variables.chapter_count : 0);
  const room = answerRoom(target, { current: variables.current, chapters: wanted });
  const question = await makeQuestion(ctx, promptFor(ctx.input, is_first), told, room);
  const options: FormatOptions = {
    previous: before,
    project,
    isFirst: is_first,
    feedback: is_first ? feedback : feedbackOf(ctx.input, is_first),
    ...(chapters !== undefined && { chapters }),
    kept: set_aside,
    mayStay: ctx.input.cascade !== undefined,
  };
  const written = await askWriter<FileBlock[]>(ctx, question, (text) => {
    const { files, problems } = readAnswer(target, text, options);
    return { work: files, problems };
  });
  await keepForDebugging(ctx, "debug", state.debug, rawFiles(`attempt_${attemptNumber(state)}`, written.raw));
  if (!written.work) return failAttempt(ctx, state, written.problems, written.retry_count);
  return finishAttempt(ctx, state, written.work, written.retry_count);
}
