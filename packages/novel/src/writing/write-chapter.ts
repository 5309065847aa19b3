// Prose, one chapter in each visit, with those around it in the writer's sight: a run that stops in the middle goes on with
// the next chapter. Once the last one is there, the whole is looked at; where nothing changed, there is one more pass.

import { append } from "@loopwright/core";
import { notesFor } from "../cascade/changes-above.ts";
import { keepForDebugging, projectOf } from "../debug-store.ts";
import { type ChapterOptions, takeChapter } from "../manuscript/answer/answer.ts";
import {
  bookPart,
  type ChapterVariables,
  chapterNumber,
  chapterPath,
  chapterVariables,
  checkFormat,
  countWords,
  type FormatOptions,
  isUnchanged,
  nameOf,
  openManuscript,
  type ProjectFile,
  readChapter,
  type Sight,
} from "../manuscript/index.ts";
import { tell } from "../notes.ts";
import { planOf } from "../reach/plan.ts";
import { loadContext, loadValue, type SavedContext, toArtifactText } from "../saved.ts";
import { baseOf, type NovelContext, type NovelState } from "../task.ts";
import type { FileBlock } from "../types.ts";
import { askWriter, rawFiles } from "./ask-writer.ts";
import { attemptNumber, failAttempt, finishAttempt } from "./attempts.ts";
import { hasPassages, revisePassages } from "./passages.ts";
import { answerRoom, currentText, filesToText, makeQuestion, promptFor, writerVariables } from "./questions.ts";
import { feedbackOf } from "./rounds.ts";
import { loadStanding, type Standing, withFiles } from "./standing.ts";

/** What a chapter is answered with that stays as it is. */
const UNCHANGED = /^\s*=*\s*UNCHANGED\b[^\n]*$/i;
/** Up to so many chapters each is shown those around it whole; of more, where they touch it. */
const FEW = 8;

/** Has the next chapter written; after the last one, the attempt is whole. */
export async function writeChapter(state: NovelState, ctx: NovelContext) {
  const { chapters: of } = baseOf(state);
  const plan = planOf(state, ctx.input) ?? [];
  const path = plan[state.written.length] ?? chapterPath("prose", state.written.length + 1);
  const number = chapterNumber(path) ?? 0;
  const [standing, context] = await Promise.all([loadStanding(ctx, state), loadContext(ctx, state)]);
  const written = await Promise.all(state.written.map((artifact) => loadValue<FileBlock>(ctx, artifact)));
  const question = await chapterQuestion(ctx, state, { path, number, plan, standing, context, written });
  const isOwn = (file: FileBlock) => file.path === path;
  const standingFile = standing.now.find(isOwn);
  const original = standing.before.find(isOwn);
  const answer = await askWriter<FileBlock>(ctx, question, (text) => {
    if (standingFile && UNCHANGED.test(text.trim())) return { work: standingFile, problems: [] };
    const options = { number, path, previous: original };
    const { file, problems } = hasPassages(text)
      ? readPassages(text, baseOf(state).is_first ? undefined : standingFile, options)
      : readChapter(text, options);
    return { work: file, problems };
  });
  const part = bookPart(path);
  const name = `attempt_${attemptNumber(state)}_${part ?? `chapter_${String(number).padStart(2, "0")}`}`;
  await keepForDebugging(ctx, "debug", state.debug, rawFiles(name, answer.raw));
  const retry_count = state.retry_count + answer.retry_count;
  if (!answer.work) {
    const problems = answer.problems.map((problem) => `${nameOf(path)}: ${problem}`);
    return failAttempt(ctx, state, problems, retry_count);
  }
  const saved = await ctx.save(
    `attempt-${attemptNumber(state)}-${part ?? `chapter-${number}`}.json`,
    toArtifactText(answer.work),
  );
  await tell(ctx, "chapter-finished", {
    ...{ attempt: attemptNumber(state), chapter: number, of, words: countWords(answer.work.content) },
    is_unchanged: original !== undefined && isUnchanged([original], [answer.work]),
    ...(part && { part }),
    ...((part || plan.length !== of) && { at: state.written.length + 1, count: plan.length }),
  });
  if (written.length + 1 < plan.length) return ctx.to("generate", { written: append(saved), retry_count });
  return finishProse(ctx, state, standing, [...written, answer.work], { project: context.project, retry_count, plan });
}

/** A chapter as it stands with the passages of an answer in it. */
function readPassages(text: string, standing: FileBlock | undefined, options: ChapterOptions) {
  if (!standing) return { problems: ["There is no text yet to take passages from: give the chapter whole."] };
  const { content, problems } = revisePassages(text, standing.content);
  return content === undefined ? { problems } : takeChapter(content, options);
}

interface Asked {
  path: string;
  number: number;
  plan: readonly string[];
  standing: Standing;
  context: SavedContext;
  written: readonly FileBlock[];
}

/** Why a model found that feedback reaches these chapters: each of their writers is told what is whose. */
function reachedBecause({ reach }: NovelState): string[] {
  if (!reach || reach.is_all || reach.by !== "model" || reach.files.length < 2 || reach.files.length > FEW) return [];
  return reach.why
    .filter(({ path }) => reach.files.includes(path))
    .map(({ path, why }) => `${nameOf(path)}: ${why.replace(/^you added it/, "the author added it")}`);
}

/** The question for one chapter. */
async function chapterQuestion(
  ctx: NovelContext,
  state: NovelState,
  { path: ownPath, number, plan, standing, context, written }: Asked,
) {
  const { is_first, chapters: of } = baseOf(state);
  const folder = projectOf(ctx);
  // The whole level anew, by a person's own word, is worth more sight than a word that is changed everywhere.
  const sight: Sight = is_first
    ? "first"
    : plan.length <= FEW
      ? "near"
      : state.reach?.is_all === false
        ? "edges"
        : "before";
  const chapter = await ctx.effect<ChapterVariables>("chapter", {
    input: { number, sight, ...(number === 0 && { path: ownPath }) },
    run: async () => chapterVariables(await openManuscript(folder), ownPath, withFiles(standing.now, written), sight),
  });
  const own = (files: readonly FileBlock[]) => files.filter(({ path }) => path === ownPath);
  const [original, now] = [own(standing.before), own(standing.now)];
  const words = original[0] ? countWords(original[0].content) : chapter.words_wanted;
  const has_attempt = standing.hasAttempt && original[0] !== undefined && !isUnchanged(original, now);
  const form = {
    chapter_words: original[0] ? 0 : words,
    is_revision: !is_first && now[0] !== undefined,
    has_attempt,
    chapter_heading: chapter.title,
  };
  const told = {
    ...(await writerVariables(ctx, state, context.variables, form)),
    reached: reachedBecause(state),
    ...{ ...chapter, chapter_title: chapter.title, title: context.variables.title, of },
    ...(context.changes &&
      ctx.input.cascade?.direction !== "up" && {
        stale_notes: notesFor(context.changes, ownPath),
      }),
    ...(sight === "edges" && { treatment: "", premise: "", taxonomy: "" }),
    current: currentText("treatment", original, now),
    word_count: now[0] ? countWords(now[0].content) : 0,
    has_attempt,
  };
  const room = answerRoom("prose", { current: now[0]?.content ?? "", words });
  return makeQuestion(ctx, promptFor(ctx.input, is_first), told, room);
}

interface Pass {
  project: ProjectFile;
  retry_count: number;
  plan: readonly string[];
}

/** Looks at the whole: a pass that changed nothing, or has not its form, is made once more with what was wrong. */
async function finishProse(
  ctx: NovelContext,
  state: NovelState,
  standing: Standing,
  written: readonly FileBlock[],
  { project, retry_count, plan }: Pass,
) {
  const isFirst = baseOf(state).is_first;
  const files = kept(withFiles(standing.now, written), baseOf(state).chapters);
  const options: FormatOptions = {
    previous: standing.before,
    project,
    isFirst,
    feedback: feedbackOf(ctx.input, isFirst),
    chapters: files.filter(({ path }) => chapterNumber(path) !== undefined).length,
  };
  const unchanged =
    isUnchanged(standing.before, files) && !ctx.input.cascade
      ? ["Nothing was changed: the prose is what it was before the feedback."]
      : [];
  const problems = [...unchanged, ...checkFormat("prose", files, options)];
  if (problems.length > 0) {
    if (state.answer_problems.length > 0) return failAttempt(ctx, state, problems, retry_count, []);
    await tell(ctx, "pass-began", { pass: 2, of: 2, problems });
    return ctx.to("generate", { written: [], answer_problems: problems, retry_count: retry_count + 1 });
  }
  const raw = filesToText("prose", written);
  await keepForDebugging(ctx, "debug-whole", state.debug, { [`attempt_${attemptNumber(state)}_raw.md`]: raw });
  return finishAttempt(ctx, state, files, retry_count, plan);
}

/** The chapters that there are to be: prose that is generated anew for fewer chapters has no more than these. */
function kept(files: readonly FileBlock[], chapters: number): FileBlock[] {
  return files.filter(({ path }) => (chapterNumber(path) ?? 0) <= chapters);
}
