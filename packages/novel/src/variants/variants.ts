// Variants of a level, of one file, or of a passage of it: written side by side, each from another side, and all of them kept. choose: a
// person takes one; in their own words ("none, the mood is wrong", "2, but shorter") others are written, whose writers see these and what was
// said of them.

import { askAuthor } from "../asking.ts";
import { beatsOf } from "../judging/questions.ts";
import { nameOfFile } from "../level/names.ts";
import { readAnswer } from "../manuscript/answer/answer.ts";
import { unwrapText } from "../manuscript/answer/blocks.ts";
import { chapterNumber, FOUNDATION_PATH } from "../manuscript/files/layout.ts";
import { isUnchanged } from "../manuscript/files/schemas.ts";
import { checkFormat } from "../manuscript/format/format.ts";
import { checkKept } from "../manuscript/format/text.ts";
import { countWords, titleOf } from "../manuscript/words.ts";
import { tell } from "../notes.ts";
import { SAY, withNote } from "../said.ts";
import { keepForDebugging, loadBefore, loadContext, loadValue, toArtifactText } from "../saved.ts";
import type { NovelContext, NovelState, Variant } from "../task.ts";
import type { FileBlock } from "../types.ts";
import { askWriter, failAttempt, finishAttempt, type Written } from "../writing/attempts.ts";
import { hasPassages, revisePassages } from "../writing/passages.ts";
import { answerRoom, filesToText, makeQuestion, writerVariables } from "../writing/questions.ts";
import { announceAttempt, feedbackTold } from "../writing/rounds.ts";
import { withPassages } from "../writing/write-level.ts";

/** Text of the neighbors that goes along. */
const NEAR = 2_400;

/** So many variants of earlier rounds are shown. */
const MOST_SEEN = 6;

/** Has the variants written. */
export async function writeVariants(state: NovelState, ctx: NovelContext) {
  const { variants: count = 2, target, file, passage } = ctx.input;
  const before = await loadBefore(ctx, state);
  const own = file === undefined ? before : before.filter(({ path }) => path === file);
  if (own.length === 0 || (passage !== undefined && !own[0]!.content.includes(passage))) {
    const reason = own.length === 0 ? `There is no ${file ?? target}` : `${file} does not hold that passage any more`;
    return ctx.end("failed", { reason });
  }
  const told = await variablesOf(ctx, state, before, own);
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  const room = answerRoom(target, { current: passage ?? filesToText(target, own) });
  const read = await reader(ctx, state, before);
  const bodies = numbers.map((variant): [string, (own: NovelContext) => Promise<Written<FileBlock[]>>] => [
    `variant-${variant}`,
    async (own) =>
      askWriter<FileBlock[]>(own, await makeQuestion(own, "variant", { ...told, variant, of: count }, room), read),
  ]);
  const written = Object.values(await ctx.all(Object.fromEntries(bodies)));
  const round = (state.variant_rounds ?? 0) + 1;
  const raw = written.map((each, at) => [`variants_${round}_variant_${at + 1}_raw.md`, each.raw.at(-1) ?? ""]);
  await keepForDebugging(ctx, "debug", state.debug, Object.fromEntries(raw));
  const usable = written.flatMap(({ work }) => (work ? [work] : []));
  const problems = written.flatMap((each) => each.problems);
  if (usable.length === 0) return failAttempt(ctx, state, problems);
  const saved: Variant[] = [];
  const texts = usable.map((files) => changedText(files, before, file));
  for (const [index, files] of usable.entries())
    saved.push({
      ...{ number: index + 1, words: countWords(texts[index]!) },
      files: await ctx.save(`variant-${round}-${index + 1}.json`, toArtifactText(files)),
    });
  const name = file === undefined ? target : nameOfFile(file);
  await tell(ctx, "variants-written", { name, texts, refused: problems, debug: state.debug });
  return ctx.to("choose", { variants: saved, variant_rounds: round });
}

/** What of a variant is to be compared: its file, or the files of the level that are not as they were. */
function changedText(files: readonly FileBlock[], before: readonly FileBlock[], file: string | undefined): string {
  const old = new Map(before.map(({ path, content }) => [path, content]));
  const shown = files.filter(({ path, content }) => (file === undefined ? old.get(path) !== content : path === file));
  return shown.map(({ content }) => content.trim()).join("\n\n");
}

/** Reads one variant: the level with it in place. */
async function reader(ctx: NovelContext, state: NovelState, before: readonly FileBlock[]) {
  const { target, file, passage, feedback } = ctx.input;
  const { project } = await loadContext(ctx, state);
  const options = { previous: before, project, isFirst: false, feedback };
  return (answer: string): { work?: FileBlock[] | undefined; problems: string[] } => {
    if (file === undefined) {
      const whole = withPassages(target, answer, before);
      if (whole.problems.length > 0) return { problems: whole.problems };
      const { files, problems } = readAnswer(target, whole.answer, options);
      return { work: files, problems };
    }
    const { content: old } = before.find(({ path }) => path === file)!;
    const revised =
      passage === undefined && hasPassages(answer)
        ? revisePassages(answer, old)
        : { content: unwrapText(answer, passage === undefined ? old : ""), problems: [] };
    if (revised.content === undefined) return { problems: revised.problems };
    const text = revised.content;
    const content = passage === undefined ? text : old.replace(passage, () => text.trim());
    const files = before.map((each) => (each.path === file ? { path: file, content } : each));
    const chapters = before.filter(isChapter).length;
    const problems = [
      ...(text.trim() === ""
        ? ["The answer is empty."]
        : checkFormat(target, files, { ...options, chapters }).filter((problem) => problem.includes(file))),
      ...checkKept(before, files),
      ...(isUnchanged(before, files) ? ["This is the text as it was: give another version of it."] : []),
    ];
    return problems.length > 0 ? { problems } : { work: files, problems };
  };
}

async function variablesOf(
  ctx: NovelContext,
  state: NovelState,
  before: readonly FileBlock[],
  own: readonly FileBlock[],
) {
  const { passage = "", file, target } = ctx.input;
  const { variables } = await loadContext(ctx, state);
  const wants_change = (state.said?.findLast(({ gate }) => gate === "variant")?.choice ?? "none") !== "none";
  const at = before.indexOf(own[0]!);
  const isOneOfMany = file !== undefined && before.filter(isChapter).length > 1;
  const common = await writerVariables(ctx, state, variables, {
    level: file === undefined || target !== "chapters" ? target : file === FOUNDATION_PATH ? "foundation" : "beats",
    is_revision: !wants_change && (file === undefined || target === "prose"),
    is_variant: true,
    chapter_heading: file === undefined ? "" : (titleOf(own[0]!.content) ?? ""),
  });
  return {
    ...common,
    ...{ passage, wants_change, level: target, path: file ?? target, text: filesToText(target, own) },
    ...(passage !== "" && {
      form: "Give the passage alone, as plain text that can stand in its place: no title, no remark, no fence.",
    }),
    earlier: await earlierOf(ctx, state, before),
    feedback: feedbackTold(ctx.input, state),
    plan:
      target === "prose"
        ? beatsOf(
            variables,
            own.map(({ path }) => path),
          )
        : "",
    before: isOneOfMany ? (before[at - 1]?.content ?? "").slice(-NEAR) : "",
    after: isOneOfMany ? (before[at + 1]?.content ?? "").slice(0, NEAR) : "",
  };
}

/** The last of the variants that the author has seen, with what they said of each. */
async function earlierOf(ctx: NovelContext, { seen_variants = [] }: NovelState, before: readonly FileBlock[]) {
  const last = seen_variants.slice(-MOST_SEEN);
  const all = await Promise.all(last.map(({ files }) => loadValue<FileBlock[]>(ctx, files)));
  return all.map((files, at) => {
    const { number, why } = last[at]!;
    return { text: changedText(files, before, ctx.input.file), name: `variant ${number}`, why };
  });
}

function isChapter({ path }: FileBlock): boolean {
  return chapterNumber(path) !== undefined;
}

/** A flag that says the same again and again would never come to an end. */
const MOST_ROUNDS = 10;

/** Asks which variant it shall be, and goes on with it as with any attempt. */
export async function choose(state: NovelState, ctx: NovelContext) {
  const { variants = [], debug, variant_rounds: rounds = 0, seen_variants: seen = [] } = state;
  const numbers = variants.map(({ number }) => String(number));
  const answer = await askAuthor(ctx, {
    name: "variant",
    question: "Which variant?",
    choices: [...numbers, "none"],
    default: "none",
    about: { digests: variants.map(({ files }) => files.digest) },
    means: {
      ...Object.fromEntries(
        numbers.map((number) => [number, `variant ${number} is taken; with a note, others are written from it`]),
      ),
      none: "none is taken; with a note, others are written",
    },
  });
  const { choice, note = "" } = answer;
  if (choice === SAY) return ctx.to("choose");
  await keepForDebugging(ctx, "debug", debug, { "user_decision.txt": `variant ${choice} ${note}`.trim().concat("\n") });
  const said = withNote(state, "variant", answer);
  if (note !== "" && rounds < MOST_ROUNDS) {
    const why = (number: number) =>
      choice === String(number) ? `the author wants this one, but: ${note}` : "not taken";
    await announceAttempt(ctx, { ...state, ...said });
    const more = variants.map((variant) => ({ ...variant, why: why(variant.number) }));
    return ctx.to("write", { ...said, seen_variants: [...seen, ...more] });
  }
  if (choice === "none") {
    const reason = "none of the variants was taken; the project is as it was";
    await tell(ctx, "declined", { reason, debug });
    return ctx.end("declined", { reason, patch: { ...said, decision: "rejected" } });
  }
  const taken = variants.find(({ number }) => String(number) === choice)!;
  return finishAttempt(ctx, state, await loadValue<FileBlock[]>(ctx, taken.files));
}
