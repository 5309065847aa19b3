// Chapters derived from prose: the plan of each chapter from its own text, one in each visit, and then the foundation from
// all of them. So a book of any length can be read, whatever the writer's window, and a run that stops goes on where it was.

import { append } from "@loopwright/core";
import { readChapter } from "../manuscript/answer/answer.ts";
import { chapterPath, FOUNDATION_PATH } from "../manuscript/files/layout.ts";
import { openManuscript } from "../manuscript/files/open.ts";
import { checkFormat, readBeat } from "../manuscript/format/format.ts";
import type { FormatOptions } from "../manuscript/format/text.ts";
import { countWords, shorten, shortenInside, titleOf } from "../manuscript/words.ts";
import { tell } from "../notes.ts";
import { keepForDebugging, loadContext, loadValue, projectOf, type SavedContext, toArtifactText } from "../saved.ts";
import { baseOf, type NovelContext, type NovelState } from "../task.ts";
import type { FileBlock } from "../types.ts";
import { askWriter, attemptNumber, failAttempt, finishAttempt, rawFiles } from "./attempts.ts";
import { answerRoom, filesToText, makeQuestion, writerVariables } from "./questions.ts";

/** Signs of what happens in a chapter, and of what it says for the first time. */
const LINE = 400;

/** Has the next chapter's plan derived; after the last one, the foundation. */
export async function deriveChapters(state: NovelState, ctx: NovelContext) {
  const { chapters: of } = baseOf(state);
  const context = await loadContext(ctx, state);
  const derived = await Promise.all(state.written.map((artifact) => loadValue<FileBlock>(ctx, artifact)));
  const number = derived.length + 1;
  if (number > of) return deriveFoundation(state, ctx, context, derived);
  const folder = projectOf(ctx);
  const text = await ctx.effect<string>("chapter", { input: { number }, run: () => readProse(folder, number) });
  const told = {
    ...(await writerVariables(ctx, state, context.variables, { level: "beats", chapter_heading: titleOf(text) ?? "" })),
    ...{ number, of, text, story_so_far: derived.map(toLine).join("\n") },
  };
  const question = await makeQuestion(ctx, "derive-chapter", told, answerRoom("prose", { current: "" }));
  const path = chapterPath("chapters", number);
  const answer = await askWriter<FileBlock>(ctx, question, (given) => readFile(given, path, number, formatOf(context)));
  const name = `attempt_${attemptNumber(state)}_chapter_${String(number).padStart(2, "0")}`;
  await keepForDebugging(ctx, "debug", state.debug, rawFiles(name, answer.raw));
  if (!answer.work) return failAttempt(ctx, state, answer.problems);
  const saved = await ctx.save(`attempt-${attemptNumber(state)}-chapter-${number}.json`, toArtifactText(answer.work));
  const words = countWords(answer.work.content);
  await tell(ctx, "chapter-finished", {
    attempt: attemptNumber(state),
    chapter: number,
    of,
    words,
    is_unchanged: false,
  });
  return ctx.to("write", { written: append(saved) });
}

async function deriveFoundation(
  state: NovelState,
  ctx: NovelContext,
  context: SavedContext,
  derived: readonly FileBlock[],
) {
  const below = filesToText("chapters", derived);
  const variables = { ...context.variables, below_level: "chapters", below };
  const told = { ...(await writerVariables(ctx, state, variables, { level: "foundation" })), level: "foundation" };
  const question = await makeQuestion(ctx, "derive", told, answerRoom("prose", { current: "" }));
  const answer = await askWriter<FileBlock>(ctx, question, (given) =>
    readFile(given, FOUNDATION_PATH, derived.length + 1, formatOf(context)),
  );
  const name = `attempt_${attemptNumber(state)}`;
  await keepForDebugging(ctx, "debug", state.debug, rawFiles(`${name}_foundation`, answer.raw));
  if (!answer.work) return failAttempt(ctx, state, answer.problems);
  const files = [answer.work, ...derived];
  const problems = checkFormat("chapters", files, { ...formatOf(context), chapters: derived.length });
  if (problems.length > 0) return failAttempt(ctx, state, problems, []);
  await keepForDebugging(ctx, "debug-whole", state.debug, { [`${name}_raw.md`]: filesToText("chapters", files) });
  return finishAttempt(ctx, state, files);
}

/** Reads one file of the level out of an answer, and checks it alone. */
function readFile(answer: string, path: string, number: number, options: FormatOptions) {
  const { file, problems } = readChapter(answer, { number });
  if (!file) return { problems: problems.map((problem) => problem.replace(chapterPath("prose", number), path)) };
  const work = { path, content: file.content };
  const own = checkFormat("chapters", [work], options).filter((problem) => problem.startsWith(path));
  return own.length > 0 ? { problems: own } : { work, problems: [] };
}

function formatOf({ project }: SavedContext): FormatOptions {
  return { previous: [], project, isFirst: true };
}

async function readProse(folder: string, number: number): Promise<string> {
  const files = await (await openManuscript(folder)).read("prose");
  return files.find(({ path }) => path === chapterPath("prose", number))?.content ?? "";
}

/** A chapter in a line, for those after it: how it begins, how it ends, and what it says for the first time. */
export function toLine({ content }: FileBlock): string {
  const part = (name: "Key Events" | "New Information") =>
    (readBeat(content, name) ?? "")
      .replace(/^[ \t]*(?:[-*+]|\d+[.)])[ \t]+/gm, "")
      .replace(/\s+/g, " ")
      .trim();
  const news = shorten(part("New Information"), LINE);
  return `- ${titleOf(content) ?? ""}: ${shortenInside(part("Key Events"), LINE)}${news === "" ? "" : ` New: ${news}`}`;
}
