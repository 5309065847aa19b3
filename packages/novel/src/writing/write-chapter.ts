// Prose, one chapter in each visit, with those before it in the writer's sight: a run that stops in the middle goes on with
// the next chapter. Once the last one is there, the whole is looked at; where nothing changed, there is one more pass.

import { append } from "@loopwright/core";
import { keepForDebugging, projectOf } from "../debug-store.ts";
import {
  type ChapterVariables,
  chapterPath,
  chapterVariables,
  checkFormat,
  countWords,
  type FormatOptions,
  isUnchanged,
  openManuscript,
  type ProjectFile,
  readChapter,
} from "../manuscript/index.ts";
import { tell } from "../notes.ts";
import { lastUsable, loadAttempt, loadBefore, loadContext, loadValue, toArtifactText } from "../saved.ts";
import { baseOf, type NovelContext, type NovelState } from "../task.ts";
import type { FileBlock } from "../types.ts";
import { askWriter, rawFiles } from "./ask-writer.ts";
import { attemptNumber, failAttempt, finishAttempt } from "./attempts.ts";
import { answerRoom, filesToText, makeQuestion, promptFor, writerVariables } from "./questions.ts";
import { feedbackOf } from "./rounds.ts";

/** What a chapter is answered with that stays as it is. */
const UNCHANGED = /^\s*=*\s*UNCHANGED\b[^\n]*$/i;

/** Has the next chapter written; after the last one, the attempt is whole. */
export async function writeChapter(state: NovelState, ctx: NovelContext) {
  const { is_first, chapters: of } = baseOf(state);
  const number = state.written.length + 1;
  const [before, context] = await Promise.all([loadBefore(ctx, state), loadContext(ctx, state)]);
  const written = await Promise.all(state.written.map((artifact) => loadValue<FileBlock>(ctx, artifact)));
  const folder = projectOf(ctx);
  const chapter = await ctx.effect<ChapterVariables>("chapter", {
    input: { number },
    run: async () => chapterVariables(await openManuscript(folder), number, written),
  });
  const previous = before.find(({ path }) => path === chapterPath("prose", number));
  const words = previous ? countWords(previous.content) : chapter.words_wanted;
  const told = {
    ...(await writerVariables(ctx, state, context.variables, { chapter_words: previous ? 0 : words })),
    ...{ ...chapter, chapter_title: chapter.title, title: context.variables.title, of },
    previous_attempt: await previousAttempt(ctx, state, number),
  };
  const room = answerRoom("prose", { current: chapter.current, words });
  const question = await makeQuestion(ctx, promptFor(ctx.input, is_first), told, room);
  const answer = await askWriter<FileBlock>(ctx, question, (text) => {
    if (previous && UNCHANGED.test(text.trim())) return { work: previous, problems: [] };
    const { file, problems } = readChapter(text, { number, previous });
    return { work: file, problems };
  });
  const name = `attempt_${attemptNumber(state)}_chapter_${String(number).padStart(2, "0")}`;
  await keepForDebugging(ctx, "debug", state.debug, rawFiles(name, answer.raw));
  const retry_count = state.retry_count + answer.retry_count;
  if (!answer.work) {
    const problems = answer.problems.map((problem) => `chapter ${number}: ${problem}`);
    return failAttempt(ctx, state, problems, retry_count);
  }
  const saved = await ctx.save(`attempt-${attemptNumber(state)}-chapter-${number}.json`, toArtifactText(answer.work));
  await tell(ctx, "chapter-finished", {
    ...{ attempt: attemptNumber(state), chapter: number, of, words: countWords(answer.work.content) },
    is_unchanged: previous !== undefined && isUnchanged([previous], [answer.work]),
  });
  if (number < of) return ctx.to("generate", { written: append(saved), retry_count });
  return finishProse(ctx, state, before, [...written, answer.work], context.project, retry_count);
}

/** Looks at the whole: a pass that changed nothing, or has not its form, is made once more with what was wrong. */
async function finishProse(
  ctx: NovelContext,
  state: NovelState,
  before: readonly FileBlock[],
  files: readonly FileBlock[],
  project: ProjectFile,
  retry_count: number,
) {
  const isFirst = baseOf(state).is_first;
  const options: FormatOptions = {
    previous: before,
    project,
    isFirst,
    feedback: feedbackOf(ctx.input, isFirst),
    chapters: files.length,
  };
  const unchanged = isUnchanged(before, files)
    ? ["Nothing was changed: the prose is what it was before the feedback."]
    : [];
  const problems = [...unchanged, ...checkFormat("prose", files, options)];
  if (problems.length > 0) {
    if (state.said_back.length > 0) return failAttempt(ctx, state, problems, retry_count, []);
    await tell(ctx, "pass-began", { pass: 2, of: 2, problems });
    return ctx.to("generate", { written: [], said_back: problems, retry_count: retry_count + 1 });
  }
  const raw = filesToText("prose", files);
  await keepForDebugging(ctx, "debug-whole", state.debug, { [`attempt_${attemptNumber(state)}_raw.md`]: raw });
  return finishAttempt(ctx, state, files, retry_count);
}

/** This chapter as the last attempt had it. */
async function previousAttempt(ctx: NovelContext, state: NovelState, number: number): Promise<string> {
  const last = lastUsable(state);
  const files = (last && (await loadAttempt(ctx, last))) ?? [];
  return files.find(({ path }) => path === chapterPath("prose", number))?.content ?? "";
}
