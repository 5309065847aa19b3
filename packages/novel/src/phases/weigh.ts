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
import { hasCondition, readCondition } from "../said/conditions.ts";
import { outlineOf } from "../said/outline.ts";
import { isVague } from "../said/vague.ts";
import type { NovelContext, NovelState, NovelTask } from "../task.ts";
import type { FileBlock } from "../types.ts";
import { makeQuestion } from "../writing/questions.ts";

const text = z.string().refine((value) => value.trim() !== "", "it is empty");
const Held = z.object({ holds: z.boolean(), reasoning: text });
const Asked = z.object({ is_clear: z.boolean(), question: z.string().default("") });

/** Whether a task is weighed before anything else. */
export function mustBeWeighed({ kind, feedback, is_weighed, may_ask_back, cascade }: NovelTask): boolean {
  // A step of a cascade repeats what was weighed where it began.
  if (kind !== "iterate" || is_weighed === true || cascade) return false;
  return hasCondition(feedback) || (may_ask_back === true && feedback.every(isVague));
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
    const reason = `nothing was written, for the condition does not hold: ${held.reasons.join(" ")}`;
    await tell(ctx, "declined", { reason, debug: "" });
    return ctx.end("declined", { reason, patch: { decision: "cancelled" } });
  }
  const isUnclear = ctx.input.may_ask_back === true && feedback.every(isVague);
  const clear = isUnclear ? await askBack(ctx, files, held.feedback) : held.feedback;
  return ctx.end("superseded", {
    reason: "the feedback was weighed",
    by: { ...ctx.input, feedback: clear, is_weighed: true },
  });
}

/** The items whose condition holds, as what is then to be done, and those without one. */
async function holdConditions(ctx: NovelContext, files: readonly FileBlock[]) {
  const feedback: string[] = [];
  const reasons: string[] = [];
  for (const [index, item] of ctx.input.feedback.entries()) {
    const found = readCondition(item);
    if (!found) {
      feedback.push(item);
      continue;
    }
    const { holds, reasoning } = await judgeCondition(ctx, `condition-${index + 1}`, found.condition, files);
    await tell(ctx, "condition-judged", { condition: found.condition, holds, reasoning });
    if (holds) feedback.push(found.wanted);
    else reasons.push(reasoning);
  }
  return { feedback, reasons };
}

/** Words that are judged at once: what does not fit is judged in parts, and one in which it holds is enough. */
const PART_WORDS = 20_000;

async function judgeCondition(ctx: NovelContext, key: string, condition: string, files: readonly FileBlock[]) {
  const { target: level, has_judge } = ctx.input;
  const parts = partsOf(files);
  const reasons: string[] = [];
  for (const [index, part] of parts.entries()) {
    const told = { level, condition, files: part, part: index + 1, of: parts.length };
    const question = await makeQuestion(ctx, "condition", told);
    const asked = { ...question, role: has_judge ? "judge" : "writer" };
    const { holds, reasoning } = await obtainObject(ctx, `${key}-${index + 1}`, Held, asked);
    if (holds) return { holds, reasoning };
    reasons.push(reasoning);
  }
  return { holds: false, reasoning: reasons.join(" ") };
}

function partsOf(files: readonly FileBlock[]): FileBlock[][] {
  const parts: FileBlock[][] = [];
  let left = 0;
  for (const file of files) {
    const words = file.content.split(/\s+/).length;
    if (parts.length === 0 || words > left) [parts[parts.length], left] = [[], PART_WORDS];
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
  return [`${feedback.join(" ")} (asked "${asked}", the author says: ${note})`];
}
