// Prose, one chapter in each visit, and of a long one a part, with those around it in the writer's sight: a run that stops in the middle
// goes on with the next. Once the last one is there, the whole is looked at.

import { append } from "@loopwright/core";
import { notesFor } from "../cascade/changes-above.ts";
import { changedPaths } from "../diff/lines.ts";
import { changesInShort } from "../judging/packs.ts";
import { filesToWrite, heartsOf, loadStanding, plannedFiles, type Standing, withFiles } from "../level/plan.ts";
import { readChapter, takeChapter } from "../manuscript/answer/answer.ts";
import { type ChapterVariables, chapterVariables, type Sight } from "../manuscript/context.ts";
import { bookPart, chapterNumber, isTold, nameOf } from "../manuscript/files/layout.ts";
import { openManuscript } from "../manuscript/files/open.ts";
import { isUnchanged, type ProjectFile } from "../manuscript/files/schemas.ts";
import { checkFormat } from "../manuscript/format/format.ts";
import type { FormatOptions } from "../manuscript/format/text.ts";
import { countWords, plain } from "../manuscript/words.ts";
import { tell } from "../notes.ts";
import { keepForDebugging, loadContext, loadValue, projectOf, type SavedContext, toArtifactText } from "../saved.ts";
import { goalOf } from "../style/style.ts";
import { baseOf, type NovelContext, type NovelState } from "../task.ts";
import type { FileBlock } from "../types.ts";
import { askWriter, attemptNumber, failAttempt, finishAttempt, rawFiles } from "./attempts.ts";
import { hasPassages, revisePassages } from "./passages.ts";
import { asPart, markedPart, type Piece, partsOf, pieceName, piecesOf, splitText } from "./pieces.ts";
import {
  answerRoom,
  currentText,
  filesToText,
  makeQuestion,
  plannedLines,
  promptFor,
  writerVariables,
} from "./questions.ts";
import { feedbackOf, roundsOf } from "./rounds.ts";

/** What a chapter is answered with that stays as it is. */
const UNCHANGED = /^\s*=*\s*UNCHANGED\b[^\n]*$/i;

/** Up to so many chapters each is shown those around it; of more, where they touch it. */
const FEW = 12;
/** Tokens of the heart's passages that those who write another chapter are told. */
const MOST_OF_HEART = 2_500;

/** A piece with the text that stands there, as it was and as it is now, and how many words it has or is to have. */
interface Place extends Piece {
  number: number;
  original: string | undefined;
  current: string | undefined;
  /** The parts of its chapter as they stand, those that were written for this attempt among them. */
  parts: string[];
  words: number;
}

/** Has the next piece written; after the last one, the attempt is whole. */
export async function writeChapter(state: NovelState, ctx: NovelContext) {
  const [standing, context] = await Promise.all([loadStanding(ctx, state), loadContext(ctx, state)]);
  const wanted = filesToWrite(state, ctx.input) ?? [];
  const isNothing = wanted.length === 0 && isUnchanged(standing.before, standing.now);
  const plan = isNothing ? (plannedFiles(state) ?? []) : wanted;
  const written = await Promise.all(state.written.map((artifact) => loadValue<FileBlock>(ctx, artifact)));
  const wordsOf = (path: string) => countWords(textOf(standing.now, path) ?? "") || wantedWords(context, path);
  const pieces = piecesOf(plan, (path) => textOf(standing.now, path) ?? wordsOf(path));
  const next = pieces[written.length];
  // Files that a judge wanted put back are as they were, and nothing else is to be written.
  if (!next) return finishAttempt(ctx, state, standing.now, plan);
  const { path, nth, of } = next;
  const own = written.filter((file) => file.path === path).map(({ content }) => content);
  const [before, standingText] = [textOf(standing.before, path), textOf(standing.now, path)];
  const was = before === undefined ? [] : splitText(before, of);
  const now = standingText === undefined ? [] : partsOf(standingText);
  const place: Place = {
    ...next,
    number: chapterNumber(path) ?? 0,
    original: was[nth - 1],
    current: now[nth - 1],
    parts: [...own, ...now.slice(own.length)],
    words: Math.round(wordsOf(path) / of),
  };
  const done = joined(written, of === 1 ? undefined : path);
  const question = await pieceQuestion(ctx, state, { place, plan, standing, context, done });
  const answer = await askWriter<FileBlock>(ctx, question, (text) => readPart(text, place, baseOf(state).is_first));
  const part = bookPart(path);
  const piece = pieceName(next);
  const name = `${part ?? `chapter_${String(place.number).padStart(2, "0")}`}${piece === "" ? "" : `_part_${nth}`}`;
  await keepForDebugging(ctx, "debug", state.debug, rawFiles(`attempt_${attemptNumber(state)}_${name}`, answer.raw));
  if (!answer.work) {
    const problems = answer.problems.map((problem) => `${nameOf(path)}: ${problem}`);
    return failAttempt(ctx, state, problems);
  }
  const { work } = answer;
  const saved = await ctx.save(
    `attempt-${attemptNumber(state)}-${name.replaceAll("_", "-")}.json`,
    toArtifactText(work),
  );
  await tell(ctx, "chapter-finished", {
    ...{
      attempt: attemptNumber(state),
      chapter: place.number,
      of: baseOf(state).chapters,
      words: countWords(work.content),
    },
    is_unchanged: place.original !== undefined && isUnchanged([{ path, content: place.original }], [work]),
    ...(part && { part }),
    ...(piece !== "" && { piece }),
    ...((part || plan.length !== baseOf(state).chapters) && { at: plan.indexOf(path) + 1, count: plan.length }),
  });
  if (written.length + 1 < pieces.length) return ctx.to("write", { written: append(saved) });
  const all = joined([...written, work]);
  return finishProse(ctx, state, standing, all, { project: context.project, plan });
}

function textOf(files: readonly FileBlock[], path: string): string | undefined {
  return files.find((file) => file.path === path)?.content;
}

/** Pieces as files, those of one chapter together; one chapter may be left out, of which there is more to come. */
function joined(pieces: readonly FileBlock[], without?: string): FileBlock[] {
  const byPath = Map.groupBy(pieces, ({ path }) => path);
  return [...byPath]
    .filter(([path]) => path !== without)
    .map(([path, files]) => ({ path, content: files.map(({ content }) => content).join("") }));
}

function wantedWords({ variables, project }: SavedContext, path: string): number {
  const { target_words, chapter_count } = variables;
  const number = chapterNumber(path);
  if (number === undefined) return 0;
  return goalOf(project, number) ?? (chapter_count === 0 ? 0 : Math.round(target_words / chapter_count));
}

/** Reads a piece as its chapter is put together of it. */
function readPart(text: string, place: Place, isFirst: boolean) {
  const { work, problems } = readPiece(text, place, isFirst);
  return { ...(work && { work: { ...work, content: asPart(work.content, place, place.current) } }), problems };
}

/** Reads a piece out of an answer: the chapter, the passages of it that change, or that it stays. */
function readPiece(
  text: string,
  { path, number, nth, original, current }: Place,
  isFirst: boolean,
): { work?: FileBlock | undefined; problems: string[] } {
  const asFile = (content: string): FileBlock => ({ path, content });
  if (current !== undefined && UNCHANGED.test(text.trim())) return { work: asFile(current), problems: [] };
  // Only the first part of a chapter has its title: the others are read as if they had one.
  const title = nth > 1 ? "# …\n\n" : "";
  const options = { number, path, previous: original === undefined ? undefined : asFile(title + original) };
  const whole = nth > 1 ? text.trim().replace(/^# [^\n]*\n+/, "") : text.trim();
  if (!hasPassages(text)) return withoutTitle(readChapter(title + whole, options), title);
  if (isFirst || current === undefined)
    return { problems: ["There is no text yet to take passages from: give the chapter whole."] };
  const { content, problems } = revisePassages(text, current);
  return content === undefined ? { problems } : withoutTitle(takeChapter(title + content, options), title);
}

function withoutTitle({ file, problems }: { file?: FileBlock; problems: string[] }, title: string) {
  if (!file?.content.startsWith(title.trim())) return { work: file, problems };
  const content = title === "" ? file.content : file.content.slice(title.trim().length).trimStart();
  return { work: { path: file.path, content }, problems };
}

interface Asked {
  place: Place;
  plan: readonly string[];
  standing: Standing;
  context: SavedContext;
  /** The chapters that this attempt has whole by now. */
  done: readonly FileBlock[];
}

/** The question for one piece. */
async function pieceQuestion(ctx: NovelContext, state: NovelState, { place, plan, standing, context, done }: Asked) {
  const { path, number, nth, of, original, current, parts, words } = place;
  const { is_first, chapters } = baseOf(state);
  const folder = projectOf(ctx);
  const sight: Sight = is_first ? "first" : plan.length <= FEW ? "near" : "edges";
  const chapter = await ctx.effect<ChapterVariables>("chapter", {
    input: { number, sight, nth, ...(number === 0 && { path }) },
    run: async () => chapterVariables(await openManuscript(folder), path, withFiles(standing.now, done), sight),
  });
  const [was, now] = [original, current].map((content) => (content === undefined ? [] : [{ path, content }]));
  const has_attempt = standing.hasAttempt && original !== undefined && !isUnchanged(was!, now!);
  const form = {
    chapter_words: original === undefined ? words : 0,
    is_revision: !is_first && current !== undefined,
    has_attempt,
    chapter_heading: chapter.title,
    is_later_part: nth > 1,
  };
  const told = {
    ...(await writerVariables(ctx, state, context.variables, form)),
    planned: plannedLines(state),
    ...{ ...chapter, chapter_title: chapter.title, title: context.variables.title, of: chapters },
    ...nearby(state, place, standing, done, sight),
    ...(of > 1 && aroundPart(chapter, parts, nth)),
    rounds: roundsOf(state.attempts, baseOf(state).commit, { path, of: standing.now.map((file) => file.path) }),
    piece: pieceName(place),
    ...(context.changes && ctx.input.follows?.direction !== "up" && { stale_notes: notesFor(context.changes, path) }),
    ...(sight === "edges" && { treatment: "", premise: "", taxonomy: "" }),
    current:
      (of > 1 && has_attempt && markedPart(textOf(standing.before, path)!, parts, nth)) ||
      currentText("treatment", was!, now!),
    word_count: current === undefined ? 0 : countWords(current),
    has_attempt,
  };
  const room = answerRoom("prose", { current: current ?? "", words });
  return makeQuestion(ctx, promptFor(ctx.input, is_first), told, room);
}

/** What changed that this chapter must agree with: the heart's passages, and the chapter before it whole, where that is another by now. */
function nearby(
  { plan }: NovelState,
  { path }: Place,
  { before, now }: Standing,
  done: readonly FileBlock[],
  sight: Sight,
) {
  const prose = withFiles(now, done).filter((file) => isTold(file.path));
  const last = prose[prose.findIndex((file) => file.path === path) - 1];
  const isWhole = sight === "near" && last !== undefined && changedPaths(before, prose).includes(last.path);
  const hearts = heartsOf(plan).filter((each) => each !== path && !(isWhole && each === last.path));
  return {
    heart: changesInShort(before, prose, hearts, MOST_OF_HEART),
    ...(isWhole && { last_chapters: plain(last).content.trim() }),
  };
}

/** What stands around a part of a chapter: its other parts, and where it begins or ends the chapters beside it. */
function aroundPart({ last_chapters, later_chapters }: ChapterVariables, parts: readonly string[], nth: number) {
  return {
    last_chapters: nth > 1 ? (parts[nth - 2] ?? "") : last_chapters,
    later_chapters: nth < parts.length ? (parts[nth] ?? "") : later_chapters,
  };
}

interface Pass {
  project: ProjectFile;
  plan: readonly string[];
}

/** Looks at the whole: what changed nothing, or has not its form, is a failed attempt. */
async function finishProse(
  ctx: NovelContext,
  state: NovelState,
  standing: Standing,
  written: readonly FileBlock[],
  { project, plan }: Pass,
) {
  const isFirst = baseOf(state).is_first;
  const { chapters } = baseOf(state);
  // Prose that is generated anew for fewer chapters has no more than these.
  const files = withFiles(standing.now, written).filter(({ path }) => (chapterNumber(path) ?? 0) <= chapters);
  const options: FormatOptions = {
    previous: standing.before,
    project,
    isFirst,
    feedback: feedbackOf(ctx.input, isFirst),
    chapters: files.filter(({ path }) => chapterNumber(path) !== undefined).length,
  };
  const unchanged =
    isUnchanged(standing.before, files) && !ctx.input.follows
      ? ["Nothing was changed: the prose is what it was before the feedback."]
      : [];
  const problems = [...unchanged, ...checkFormat("prose", files, options)];
  if (problems.length > 0) return failAttempt(ctx, state, problems, []);
  const raw = filesToText("prose", written);
  await keepForDebugging(ctx, "debug-whole", state.debug, { [`attempt_${attemptNumber(state)}_raw.md`]: raw });
  return finishAttempt(ctx, state, files, plan);
}
