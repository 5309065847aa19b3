// A premise, a treatment or the chapters: the level whole, in one answer. What stays may be said to stay, and of what mostly stays the
// passages that change will do.

import { nameOfFile } from "../level/names.ts";
import { loadStanding, type Standing } from "../level/plan.ts";
import { readAnswer } from "../manuscript/answer/answer.ts";
import { unwrapFence } from "../manuscript/answer/blocks.ts";
import type { FormatOptions } from "../manuscript/format/text.ts";
import { plainLines } from "../manuscript/words.ts";
import { keepForDebugging, loadContext } from "../saved.ts";
import { baseOf, type NovelContext, type NovelState } from "../task.ts";
import type { FileBlock, Level } from "../types.ts";
import { askWriter, attemptNumber, failAttempt, finishAttempt, rawFiles } from "./attempts.ts";
import { hasPassages, revisePassages } from "./passages.ts";
import {
  answerRoom,
  currentText,
  filesToText,
  makeQuestion,
  plannedLines,
  promptFor,
  writerVariables,
} from "./questions.ts";
import { feedbackOf } from "./rounds.ts";

/** Asks for the level. */
export async function writeLevel(state: NovelState, ctx: NovelContext) {
  const { target, chapters, feedback, follows } = ctx.input;
  const { is_first } = baseOf(state);
  const [standing, { variables, project }] = await Promise.all([loadStanding(ctx, state), loadContext(ctx, state)]);
  const told = {
    ...(await writerVariables(ctx, state, variables, { has_attempt: standing.hasAttempt })),
    current: currentText(target, standing.before, standing.now),
    has_attempt: standing.hasAttempt,
    planned: plannedLines(state),
  };
  const wanted = chapters ?? (target === "chapters" ? variables.chapter_count : 0);
  const room = answerRoom(target, { current: filesToText(target, standing.now), chapters: wanted });
  const question = await makeQuestion(ctx, promptFor(ctx.input, is_first), told, room);
  const options: FormatOptions = {
    previous: standing.before,
    project,
    isFirst: is_first,
    feedback: is_first ? feedback : feedbackOf(ctx.input, is_first),
    ...(chapters !== undefined && { chapters }),
    mayStay: follows !== undefined,
  };
  const written = await askWriter<FileBlock[]>(ctx, question, (text) => {
    const { answer, problems } = withPassages(target, withStanding(target, text, standing), standing.now);
    if (problems.length > 0) return { problems };
    const read = readAnswer(target, answer, options);
    return { work: read.files, problems: read.problems };
  });
  await keepForDebugging(ctx, "debug", state.debug, rawFiles(`attempt_${attemptNumber(state)}`, written.raw));
  if (!written.work) return failAttempt(ctx, state, written.problems);
  return finishAttempt(ctx, state, written.work);
}

const FILE =
  /^(={3,}[ \t]*FILE:[ \t]*(\S+?)[ \t]*={3,}[ \t]*\n)([\s\S]*?)(?=^={3,}[ \t]*(?:END(?:[ \t]+FILE)?|FILE:.*)[ \t]*={3,}[ \t]*$)/gim;

/** An answer in which every text that was given by its passages stands whole, or what is wrong with them. */
export function withPassages(
  target: Level,
  given: string,
  now: readonly FileBlock[],
): { answer: string; problems: string[] } {
  const problems: string[] = [];
  const revise = (file: FileBlock, passages: string) => {
    const { content, problems: found } = revisePassages(passages, file.content);
    problems.push(...found.map((problem) => (now.length > 1 ? `${file.path}: ${problem}` : problem)));
    return content ?? passages;
  };
  const text = plainLines(given);
  if (target === "premise" || !hasPassages(text)) return { answer: given, problems };
  if (target === "treatment") return { answer: now[0] ? revise(now[0], unwrapFence(text)) : given, problems };
  const answer = text.replace(FILE, (block: string, mark: string, path: string, content: string) => {
    const file = now.find((each) => nameOfFile(each.path) === nameOfFile(path));
    return file && hasPassages(content) ? `${mark}${plainLines(revise(file, content)).trimEnd()}\n` : block;
  });
  return { answer, problems };
}

/** An answer in which a level or a file that is said to be unchanged stands as the last attempt has it, for that is what was shown. */
function withStanding(target: Level, text: string, { now, hasAttempt }: Standing): string {
  if (!hasAttempt) return text;
  if (/^=+\s*UNCHANGED\s*=+$/i.test(text.trim())) return filesToText(target, now);
  return text.replace(/^={2,}\s*UNCHANGED:\s*(\S+?)\s*={2,}[ \t]*$/gim, (line, path: string) => {
    const file = now.find((each) => nameOfFile(each.path) === nameOfFile(path));
    return file ? filesToText("chapters", [file]).trimEnd() : line;
  });
}
