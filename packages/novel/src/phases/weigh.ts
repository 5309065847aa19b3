// weigh: feedback with a condition, or without anything in it that could be done, before it is acted on.
//
//   a condition does not hold  → its item is left out; where none is left, the run ends and nothing is written
//   it says too little         → one question back, which may be skipped
//
// The run that takes over has the feedback as it is then meant.

import { obtainObject } from "@loopwright/models";
import { z } from "zod";
import { projectOf } from "../debug-store.ts";
import { openManuscript } from "../manuscript/index.ts";
import { tell } from "../notes.ts";
import { namedFiles } from "../reach/named.ts";
import { filesInWords } from "../reach/words.ts";
import { hasCondition, readCondition } from "../said/conditions.ts";
import { outlineOf } from "../said/outline.ts";
import { isVague } from "../said/vague.ts";
import type { NovelContext, NovelState, NovelTask } from "../task.ts";
import type { FileBlock } from "../types.ts";
import { makeQuestion } from "../writing/questions.ts";

const text = z.string().refine((value) => value.trim() !== "", "it is empty");
const Held = z.object({ is_condition: z.boolean().default(true), holds: z.boolean(), reasoning: text });
const Read = z.object({ bears: z.string() });
const Asked = z.object({ is_clear: z.boolean(), question: z.string().default("") });

/** Whether a task is weighed before anything else. */
export function mustBeWeighed(task: NovelTask): boolean {
  const { kind, feedback, is_weighed, may_ask_back, cascade } = task;
  // A step of a cascade repeats what was weighed where it began.
  if (kind !== "iterate" || is_weighed === true || cascade) return false;
  return hasCondition(task) || (may_ask_back === true && feedback.every(isVague));
}

/** Weighs the feedback; another run takes over with what it comes to. */
export async function weigh(_state: NovelState, ctx: NovelContext) {
  const { target, feedback } = ctx.input;
  const folder = projectOf(ctx);
  const files = await ctx.effect<FileBlock[]>("read", {
    input: { target },
    run: async () => (await openManuscript(folder)).read(target),
  });
  const held = await holdConditions(ctx, files);
  if (held.feedback.length === 0) {
    const reasons = held.conditions.map(({ reasoning }) => reasoning).join(" ");
    const reason = `nothing was written, for the condition does not hold: ${reasons}`;
    // The reasoning stands on the screen already.
    await tell(ctx, "declined", { reason: "nothing was written, for the condition does not hold", debug: "" });
    return ctx.end("declined", { reason, patch: { decision: "cancelled" } });
  }
  const isUnclear = ctx.input.may_ask_back === true && feedback.every(isVague);
  const clear = isUnclear ? await askBack(ctx, files, held.feedback) : held.feedback;
  return ctx.end("superseded", {
    reason: "the feedback was weighed",
    by: {
      ...{ ...ctx.input, feedback: clear, is_weighed: true },
      ...(held.conditions.length > 0 && { conditions: held.conditions }),
    },
  });
}

/** The items whose condition holds, as they were said, and those without one; and what was judged. */
async function holdConditions(ctx: NovelContext, files: readonly FileBlock[]) {
  const feedback: string[] = [];
  const conditions: NonNullable<NovelTask["conditions"]> = [];
  for (const [index, item] of ctx.input.feedback.entries()) {
    const condition = readCondition(item, ctx.input.language);
    if (condition === undefined) {
      feedback.push(item);
      continue;
    }
    const judged = await judgeCondition(ctx, `condition-${index + 1}`, { condition, item }, namedIn(condition, files));
    const { holds, reasoning } = judged;
    // "When Mara waits in the hall, …" only says where: it is feedback like any other.
    if (!judged.is_condition) {
      await tell(ctx, "no-condition", { condition });
      feedback.push(item);
      continue;
    }
    await tell(ctx, "condition-judged", { condition, holds, reasoning });
    conditions.push({ condition, holds, reasoning });
    if (holds) feedback.push(item);
  }
  return { feedback, conditions };
}

/** The chapters that a condition names by number, for it is about these; else all of the level. */
function namedIn(condition: string, files: readonly FileBlock[]): readonly FileBlock[] {
  const named = namedFiles(
    [condition],
    files.map(({ path }) => path),
  );
  return named && named.length > 0 ? files.filter(({ path }) => named.includes(path)) : files;
}

/** Words that are judged at once, by the judge's window where it is known: of more, each part is read for what bears on the condition,
 * and that is judged. */
const PART_WORDS = { unknown: 20_000, least: 4_000, most: 60_000 };
/** Tokens of a window beside the text, and of a word. */
const BESIDE = 4_000;
const TOKENS = 1.6;

function partWords({ windows, has_judge }: NovelTask): number {
  const context = has_judge ? windows?.judge?.context : undefined;
  if (context === undefined) return PART_WORDS.unknown;
  return Math.min(PART_WORDS.most, Math.max(PART_WORDS.least, Math.floor((context - BESIDE) / TOKENS)));
}

async function judgeCondition(
  ctx: NovelContext,
  key: string,
  asked: { condition: string; item: string },
  files: readonly FileBlock[],
) {
  const { target: level, has_judge } = ctx.input;
  const parts = partsOf(files, partWords(ctx.input));
  const ask = async <Answer>(form: z.ZodType<Answer>, part: number, found: readonly string[] = []) => {
    const told = { level, ...asked, files: parts[part - 1] ?? [], part, of: parts.length, found };
    const question = await makeQuestion(ctx, "condition", told);
    return obtainObject(ctx, `${key}-${part}`, form, { ...question, role: has_judge ? "judge" : "writer" });
  };
  if (parts.length < 2) return ask(Held, 1);
  const found: string[] = [];
  for (const [index, part] of parts.entries()) {
    const { bears } = await ask(Read, index + 1);
    found.push(`${filesInWords(part.map(({ path }) => path))}: ${bears.trim() || "nothing bears on it."}`);
  }
  return ask(Held, 0, found);
}

function partsOf(files: readonly FileBlock[], most: number): FileBlock[][] {
  const parts: FileBlock[][] = [];
  let left = 0;
  for (const file of files) {
    const words = file.content.split(/\s+/).length;
    if (parts.length === 0 || words > left) [parts[parts.length], left] = [[], most];
    parts.at(-1)!.push(file);
    left -= words;
  }
  return parts;
}

/** One question back, and the feedback with what was answered. */
async function askBack(ctx: NovelContext, files: readonly FileBlock[], feedback: string[]): Promise<string[]> {
  const told = { level: ctx.input.target, feedback, outline: outlineOf(files) };
  const { is_clear, question } = await obtainObject(ctx, "ask-back", Asked, await makeQuestion(ctx, "ask-back", told));
  const asked = question.trim();
  if (is_clear || asked === "") return feedback;
  const { choice, note } = await ctx.ask({
    name: "clarify",
    question: asked,
    choices: ["answer", "skip"],
    default: "skip",
    about: { feedback, asked },
  });
  if (choice === "skip" || note === undefined) return feedback;
  return [`${note} (said of "${feedback.join(" ")}", when asked "${asked}")`];
}
