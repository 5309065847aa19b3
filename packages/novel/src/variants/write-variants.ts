// Variants of one file, or of a passage of it: written side by side, each from another side, and all of them kept.

import { readPrompt, renderPrompt } from "@loopwright/models";
import { notesFor } from "../cascade/changes-above.ts";
import { keepForDebugging } from "../debug-store.ts";
import { promptsFolder } from "../folders.ts";
import { beatsOf } from "../judging/plans.ts";
import { unwrapText } from "../manuscript/answer/text.ts";
import {
  chapterNumber,
  checkFormat,
  checkKept,
  countWords,
  FOUNDATION_PATH,
  isUnchanged,
  titleOf,
  type WritingVariables,
} from "../manuscript/index.ts";
import { headingsOf } from "../manuscript/language/headings.ts";
import { tell } from "../notes.ts";
import { loadBefore, loadContext, loadValue, toArtifactText } from "../saved.ts";
import { baseOf, type NovelContext, type NovelState, type Variant } from "../task.ts";
import type { FileBlock } from "../types.ts";
import { askWriter, type Written } from "../writing/ask-writer.ts";
import { failAttempt } from "../writing/attempts.ts";
import { hasPassages, revisePassages } from "../writing/passages.ts";
import { answerRoom, makeQuestion, writerVariables } from "../writing/questions.ts";
import { feedbackTold } from "../writing/rounds.ts";

/** Text of the neighbors that goes along. */
const NEAR = 2_400;

/** So many variants of earlier rounds are shown. */
const MOST_SEEN = 6;

/** Has the variants written. */
export async function writeVariants(state: NovelState, ctx: NovelContext) {
  const { variants: count = 2, file: path = "", passage } = ctx.input;
  const before = await loadBefore(ctx, state);
  const current = before.find((file) => file.path === path);
  const where = current ? current.content.indexOf(passage ?? "") : -1;
  if (!current || where < 0) {
    const reason = current ? `${path} does not hold that passage any more` : `There is no ${path}`;
    return ctx.end("failed", { reason });
  }
  const told = await variablesOf(ctx, state, before, current);
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  const questions = await Promise.all(
    numbers.map((variant) => makeQuestion(ctx, "variant", { ...told, variant, of: count }, roomFor(current, passage))),
  );
  const read = reader(ctx, state, before, current);
  const bodies = numbers.map((variant): [string, (own: NovelContext) => Promise<Written<string>>] => [
    `variant-${variant}`,
    async (own) => askWriter<string>(own, questions[variant - 1]!, await read),
  ]);
  const written = Object.values(await ctx.all(Object.fromEntries(bodies)));
  const round = (state.variant_rounds ?? 0) + 1;
  await keepForDebugging(ctx, "debug", state.debug, rawFilesOf(written, round));
  const usable = written.flatMap(({ work }) => work ?? []);
  const problems = written.flatMap((each) => each.problems);
  const retries = written.reduce((sum, { retry_count }) => sum + retry_count, 0);
  if (usable.length === 0) return failAttempt(ctx, state, problems, retries);
  const saved: Variant[] = [];
  for (const [index, text] of usable.entries())
    saved.push({
      ...{ number: index + 1, words: countWords(text) },
      text: await ctx.save(`variant-${round}-${index + 1}.json`, toArtifactText({ path, content: text })),
    });
  await tell(ctx, "variants-written", { path, texts: usable, refused: problems, debug: state.debug });
  return ctx.to("choose", { variants: saved, variant_rounds: round });
}

/** The level with the file, or the passage of it, replaced. */
export function withVariant(before: readonly FileBlock[], path: string, passage: string | undefined, text: string) {
  return before.map((file) => {
    if (file.path !== path) return file;
    const content = passage === undefined ? text : file.content.replace(passage, () => text.trim());
    return { path, content };
  });
}

async function reader(
  ctx: NovelContext,
  state: NovelState,
  before: readonly FileBlock[],
  { path, content }: FileBlock,
) {
  const { target, passage, feedback } = ctx.input;
  const { project } = await loadContext(ctx, state);
  const options = { previous: before, project, isFirst: false, feedback, chapters: before.filter(isChapter).length };
  return (answer: string) => {
    const isQuoted = passage === undefined && hasPassages(answer);
    const revised = isQuoted ? revisePassages(answer, content) : { content: unwrapText(answer), problems: [] };
    if (revised.content === undefined) return { problems: revised.problems };
    const text = revised.content;
    const files = withVariant(before, path, passage, text);
    const format = checkFormat(target, files, options).filter((problem) => problem.includes(path));
    const problems = [
      ...(text.trim() === "" ? ["The answer is empty."] : format),
      ...checkKept(before, files),
      ...(isUnchanged(before, files) ? ["This is the text as it was: give another version of it."] : []),
    ];
    return problems.length > 0 ? { problems } : { work: text, problems };
  };
}

async function variablesOf(ctx: NovelContext, state: NovelState, before: readonly FileBlock[], current: FileBlock) {
  const { passage = "" } = ctx.input;
  const { variables, changes } = await loadContext(ctx, state);
  const at = before.indexOf(current);
  const chapters = before.filter(isChapter);
  const wants_change = wantsChange(state);
  const form = await formOf(ctx, current, variables, { isPassage: passage !== "", mayQuote: !wants_change });
  return {
    ...(await writerVariables(ctx, state, variables)),
    ...{ passage, path: current.path, text: current.content, form, earlier: await earlierOf(ctx, state) },
    wants_change,
    feedback: feedbackTold(ctx.input, baseOf(state).is_first),
    stale_notes: changes ? notesFor(changes, current.path) : variables.stale_notes,
    plan: ctx.input.target === "prose" ? beatsOf(variables, [current.path]) : "",
    before: chapters.length > 1 ? (before[at - 1]?.content ?? "").slice(-NEAR) : "",
    after: chapters.length > 1 ? (before[at + 1]?.content ?? "").slice(0, NEAR) : "",
  };
}

/** "2, but shorter": not another idea is wanted, but that one. */
function wantsChange({ said }: NovelState): boolean {
  return (said?.findLast(({ gate }) => gate === "variant")?.choice ?? "none") !== "none";
}

/** The last of the variants that the author has seen, with what they said of each. */
async function earlierOf(ctx: NovelContext, { seen_variants = [] }: NovelState) {
  const last = seen_variants.slice(-MOST_SEEN);
  const texts = await Promise.all(last.map(({ text }) => loadValue<FileBlock>(ctx, text)));
  return texts.map(({ content }, at) => {
    const { number, why } = last[at]!;
    return { text: content, name: `variant ${number}`, why };
  });
}

async function formOf(
  ctx: NovelContext,
  { path, content }: FileBlock,
  { language, taxonomy }: WritingVariables,
  { isPassage, mayQuote }: { isPassage: boolean; mayQuote: boolean },
): Promise<string> {
  if (isPassage)
    return "Give the passage alone, as plain text that can stand in its place: no title, no remark, no fence.";
  const { target } = ctx.input;
  const level = target === "chapters" ? (path === FOUNDATION_PATH ? "foundation" : "beats") : target;
  const heading = headingsOf(language === "" ? undefined : language);
  const shape = {
    ...{
      level,
      heading,
      taxonomy,
      chapter_heading: titleOf(content) ?? "",
      chapter_count: 0,
      chapter_words: 0,
      level_words: 0,
    },
    ...{ is_revision: mayQuote && target !== "chapters", has_attempt: false, may_stay: false, is_variant: true },
  };
  const prompt = await readPrompt(ctx, { loop: "novel", folder: promptsFolder }, "form");
  return (await renderPrompt(prompt, shape)).text;
}

function roomFor({ content }: FileBlock, passage: string | undefined): number {
  return answerRoom("prose", { current: passage ?? content });
}

function isChapter({ path }: FileBlock): boolean {
  return chapterNumber(path) !== undefined;
}

function rawFilesOf(written: readonly Written<string>[], round: number): Record<string, string> {
  return Object.fromEntries(
    written.map(({ raw }, index) => [`variants_${round}_variant_${index + 1}_raw.md`, raw.at(-1) ?? ""]),
  );
}
