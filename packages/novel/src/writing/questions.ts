// What is asked of models: a prompt of this loop with what the run knows in place.
//
// No time, no run's id and no path outside the project goes into any of them, so that the same state asks the same.

import {
  countTokens,
  type Question,
  type RenderedPrompt,
  type RetrySpec,
  readPrompt,
  renderPrompt,
  retryWithModel,
  roleOf,
} from "@loopwright/models";
import { byPath } from "../diff/lines.ts";
import { compareUnits, unitText } from "../judging/changed-text.ts";
import { nameOfFile } from "../level/names.ts";
import type { WritingVariables } from "../manuscript/context.ts";
import { isUnchanged } from "../manuscript/files/schemas.ts";
import { plainLines } from "../manuscript/words.ts";
import { tell } from "../notes.ts";
import { saidToText } from "../said.ts";
import { rulesText } from "../style/rules.ts";
import { baseOf, type NovelContext, type NovelState, type NovelTask } from "../task.ts";
import { type FileBlock, type Level, promptsFolder } from "../types.ts";
import { feedbackTold, roundsOf } from "./rounds.ts";

export type RenderedQuestion = Question & { prompt: RenderedPrompt };

/** A prompt of this loop, ready to be asked; `answer` is how many tokens to keep free for the answer. */
export async function makeQuestion(
  ctx: NovelContext,
  id: string,
  variables: Readonly<Record<string, unknown>>,
  answer?: number,
): Promise<RenderedQuestion> {
  const prompt = await readPrompt(ctx, { loop: "novel", folder: promptsFolder }, id);
  const { language } = variables;
  const rendered = await renderPrompt(prompt, {
    ...variables,
    ...(typeof language === "string" && { language: nameOfLanguage(language) }),
  });
  return { prompt: answer === undefined ? rendered : { ...rendered, maxTokens: rendered.maxTokens ?? answer } };
}

/** Asks, and again where an answer has not its form, as often as the project says; that none had is a result. */
export function ask<Work>(
  ctx: NovelContext,
  question: RenderedQuestion & Omit<RetrySpec<NovelTask, NovelState, Work, null>, "execute" | "prompt" | "role">,
) {
  const { max_retries } = ctx.input;
  const role = roleOf(question);
  return retryWithModel<NovelTask, NovelState, Work, null>(ctx, {
    ...question,
    onRefused: (own, { message }) => tell(own, "answer-refused", { role, problem: message }),
    ...(max_retries !== undefined && { maxRetries: max_retries }),
    execute: async () => null,
  });
}

/** A tag such as `de` as models know it, "German"; what is no tag stays. */
function nameOfLanguage(tag: string): string {
  try {
    return (tag && new Intl.DisplayNames(["en"], { type: "language" }).of(tag)) || tag;
  } catch {
    return tag;
  }
}

/** The prompt that a level is written by. */
export function promptFor({ kind, target }: NovelContext["input"], isFirst: boolean): string {
  if (kind === "derive") return "derive";
  if (isFirst) return `generate-${target}`;
  return target === "prose" ? "revise-prose" : "revise";
}

/** What every writer is told; each prompt takes what it names. `form` is what of the prompt `form` is not as it is for a whole level. */
export async function writerVariables(
  ctx: NovelContext,
  state: NovelState,
  variables: WritingVariables,
  form: Readonly<Record<string, string | number | boolean>> = {},
): Promise<Record<string, unknown>> {
  const { input } = ctx;
  const { is_first, commit } = baseOf(state);
  const shape = {
    level: input.target,
    taxonomy: variables.taxonomy,
    chapter_heading: "",
    chapter_count: input.chapters ?? chapterCount(input.target, variables),
    is_revision: !is_first,
    has_attempt: false,
    may_stay: !is_first && input.follows !== undefined,
    is_variant: false,
    is_later_part: false,
    chapter_words: plannedWords(variables),
    level_words: treatmentWords(variables),
    ...form,
  };
  const { prompt } = await makeQuestion(ctx, "form", shape);
  return {
    ...variables,
    level: input.target,
    idea: is_first ? input.feedback.join("\n\n") : "",
    feedback: feedbackTold(input, state),
    rounds: roundsOf(state.attempts, commit),
    failed: state.attempts.at(-1)?.problems ?? [],
    said: saidToText(state),
    rules: await rulesText(ctx, variables, "writer"),
    form: prompt.text,
  };
}

/** How long a chapter of the book is to be; 0 where nobody said. */
function plannedWords({ target_words, chapter_count, goals = [] }: WritingVariables): number {
  // Goals of single chapters are told on their own.
  if (goals.length > 0) return 0;
  return chapter_count > 0 ? Math.round(target_words / chapter_count) : 0;
}

/** How long a treatment of such a book is: a twentieth of it, within reason; 0 where nobody said how long the book is. */
function treatmentWords({ target_words }: WritingVariables): number {
  if (target_words === 0) return 0;
  const share = Math.round(target_words / 20 / 50) * 50;
  return Math.min(3_000, Math.max(share, Math.min(300, target_words)));
}

/** A level that exists keeps its number of chapters. */
function chapterCount(target: Level, { chapters, chapter_count }: WritingVariables): number {
  return target === "chapters" && chapters.length > 0 ? chapters.length : chapter_count;
}

/** What the reader of the feedback said that each file's change is to do, a line each; for all who write one of them. */
export function plannedLines({ plan }: Pick<NovelState, "plan">): string[] {
  return (plan?.files ?? []).map(({ path, kind, why, does }) => `${nameOfFile(path)} (${kind}): ${does || why}`);
}

/** A level as one text: one file as it is, several in the blocks that a writer gives them in. */
export function filesToText(level: Level, files: readonly FileBlock[]): string {
  if (level === "premise" || level === "treatment") return files.map(({ content }) => content).join("\n");
  return files.map(({ path, content }) => `===FILE: ${path}===\n${content.trimEnd()}\n===END FILE===\n`).join("\n");
}

/** Files as they stand, each once: with what they were before the last attempt under each paragraph that it changed. */
export function currentText(level: Level, before: readonly FileBlock[], now: readonly FileBlock[]): string {
  const [old, texts] = [byPath(before), byPath(now)];
  const told = now.map(({ path }) => {
    const content = texts.get(path)!;
    const was = old.get(path);
    const isSame = was === undefined || isUnchanged([{ path, content: was }], [{ path, content }]);
    return { path, content: isSame ? plainLines(content) : compareUnits(was, content).map(unitText).join("\n\n") };
  });
  return filesToText(level, told);
}

const LEAST_ROOM: Readonly<Record<Level, number>> = { premise: 2_048, treatment: 4_096, chapters: 6_144, prose: 4_096 };
const TOKENS_PER_CHAPTER = 400;
const TOKENS_PER_WORD = 1.6;

/** How many tokens to keep free for an answer: what is there half as much again, or what a new text of this kind takes. */
export function answerRoom(level: Level, size: { current: string; chapters?: number; words?: number }): number {
  const grown = Math.ceil(countTokens(size.current) * 1.5);
  const fresh = Math.ceil((size.chapters ?? 0) * TOKENS_PER_CHAPTER + (size.words ?? 0) * TOKENS_PER_WORD * 1.5);
  return Math.max(LEAST_ROOM[level], grown, fresh);
}
