// read: a model reads the feedback against the whole level and says which files change, why, and what each change is to do.
//
//   it says too little           → clarify: one question back, which may be skipped
//   nothing is to be changed     → the end: what was said does not hold, or is nowhere in the book
//   what an attempt writes       → write; a level that is short is written whole whatever is named
//
// A question about the book is answered here, and nothing is written.

import { FormatError, pass } from "@loopwright/core";
import { obtainText, parseObject, retryWithModel } from "@loopwright/models";
import { z } from "zod";
import { projectOf } from "../debug-store.ts";
import { fileCalled, nameOfFile } from "../level/names.ts";
import { type Shown, showFor } from "../level/show.ts";
import { surveyLevel } from "../level/survey.ts";
import { isTold, openManuscript } from "../manuscript/index.ts";
import { tell, tellRefused } from "../notes.ts";
import { SAY } from "../said.ts";
import { loadBefore, loadContext } from "../saved.ts";
import { type NovelContext, type NovelState, type NovelTask, type Plan, type PlannedFile, ripples } from "../task.ts";
import type { FileBlock } from "../types.ts";
import { makeQuestion } from "../writing/questions.ts";
import { announceAttempt } from "../writing/rounds.ts";

const texts = z.array(z.string()).default([]);
const Condition = z.object({ item: z.int().min(1), condition: z.string(), holds: z.boolean(), reasoning: z.string() });
const Answer = z.object({
  files: z
    .array(
      z.object({
        file: z.string(),
        kind: z.enum(ripples).default("heart"),
        why: z.string().default(""),
        does: z.string().default(""),
      }),
    )
    .default([]),
  all: z.boolean().default(false),
  conditions: z.array(Condition).default([]),
  none: z.string().default(""),
  question: z.string().default(""),
  look_for: texts,
  open: texts,
});
type Answer = z.output<typeof Answer>;
/** The same once words were looked for. */
const LastAnswer = Answer.omit({ look_for: true, open: true });

const MOST_WORDS = 12;
const MOST_OPEN = 3;

/** Reads the feedback, and goes on with what it comes to. */
export async function read(state: NovelState, ctx: NovelContext) {
  const { kind, variants } = ctx.input;
  if (kind === "ask") return answerQuestion(ctx);
  if (kind !== "iterate" || variants !== undefined) return begin(ctx, state);
  const before = await loadBefore(ctx, state);
  const paths = before.map(({ path }) => path);
  const known = planWithoutModel(ctx.input, state, paths);
  if (known) return go(ctx, state, known);
  const { answer, problem } = await askReader(ctx, state, before);
  if (!answer) {
    // Whatever is reached, nothing is missed so.
    await tell(ctx, "warning", {
      code: "FEEDBACK_UNREADABLE",
      message: `which files it reaches could not be read, so all are written: ${problem}`,
    });
    return go(ctx, state, wholePlan(ctx.input, paths));
  }
  if (answer.question.trim() !== "" && mayAsk(ctx.input, state)) return askBack(ctx, state, answer.question.trim());
  return go(ctx, state, toPlan(answer, ctx.input, paths), answer.none.trim());
}

/** Goes on with a plan: shows it, and has it carried out; one without a file ends the iteration. */
async function go(ctx: NovelContext, state: NovelState, plan: Plan, none = "") {
  const { target, follows } = ctx.input;
  const { files, is_whole, of, conditions } = plan;
  if (files.length === 0 && !is_whole) {
    const why = [...conditions, none].filter((each) => each !== "").join(" ");
    const reason = `nothing was written: ${why || "the feedback reaches no file"}`;
    if (follows) await tell(ctx, "stayed", { target });
    else await tell(ctx, "declined", { reason, debug: "" });
    if (follows) ctx.verdict(pass(1, `the ${target} is in line with what changed: ${why}`));
    return ctx.end(follows ? "done" : "declined", { reason, patch: { plan, decision: "cancelled" } });
  }
  await tell(ctx, "feedback-read", { target, files, is_whole, of: of.length, conditions });
  return begin(ctx, { ...state, plan });
}

async function begin(ctx: NovelContext, state: NovelState) {
  await announceAttempt(ctx, state);
  return ctx.to("write", state.plan && { plan: state.plan });
}

/** What needs no reader: the whole level by the author's own setting, one file alone, the files that a change above left behind. */
function planWithoutModel(task: NovelTask, { base }: NovelState, paths: readonly string[]): Plan | undefined {
  if (task.scope === "whole") return wholePlan(task, paths);
  const stale = base?.stale ?? [];
  if (task.follows?.direction !== "down" || stale.length === 0) return undefined;
  const why = "what it was made from has changed";
  const files = stale.map((path): PlannedFile => ({ path, kind: "after", why, does: "follow what changed above it" }));
  return { ...wholePlan(task, paths), files, is_whole: false };
}

function wholePlan({ feedback }: NovelTask, of: readonly string[]): Plan {
  return { files: [], is_whole: true, of: of.filter(isTold), feedback: [...feedback], conditions: [], reopened: 0 };
}

function mayAsk({ may_ask_back }: NovelTask, { said = [] }: NovelState): boolean {
  return may_ask_back === true && !said.some(({ gate }) => gate === "clarify");
}

/** The reader's answer; it may have words looked for, or files opened, once. */
async function askReader(
  ctx: NovelContext,
  state: NovelState,
  files: readonly FileBlock[],
): Promise<{ answer?: Answer; problem: string }> {
  const paths = files.map(({ path }) => path);
  let hasLooked = false;
  const { failure, work } = await retryWithModel<NovelTask, NovelState, Answer, null>(ctx, {
    ...(await readerQuestion(ctx, state, files, { mayLook: true })),
    schema: Answer,
    follow: async (scope, { text }) => {
      const wanted = hasLooked ? undefined : wantedOf(text, paths);
      if (!wanted) return undefined;
      hasLooked = true;
      await tell(scope, "read-looked", { words: wanted.words, files: wanted.open.map(nameOfFile) });
      return { ...(await readerQuestion(ctx, state, files, { mayLook: false, ...wanted })), schema: LastAnswer };
    },
    read: (text) => checked(parseObject(text, Answer), paths, mayAsk(ctx.input, state)),
    onRefused: tellRefused("writer"),
    ...(ctx.input.max_retries !== undefined && { maxRetries: ctx.input.max_retries }),
    execute: async () => null,
  });
  return failure ? { problem: failure.message.split("\n", 1)[0]! } : { answer: work as Answer, problem: "" };
}

interface Looking {
  mayLook: boolean;
  words?: string[];
  open?: string[];
}

async function readerQuestion(ctx: NovelContext, state: NovelState, files: readonly FileBlock[], looking: Looking) {
  const { target: level, scope, feedback, follows } = ctx.input;
  const { variables } = await loadContext(ctx, state);
  const { words = [], open = [], mayLook } = looking;
  const plan = variables.chapters.map(({ path, text }) => ({ path, content: text }));
  const low = files.map(({ content }) => content.toLowerCase());
  return makeQuestion(ctx, "read", {
    ...{ level, scope, feedback, follows: follows !== undefined },
    ...{ language: variables.language, foundation: variables.foundation, treatment: variables.treatment },
    history: variables.history,
    said: state.said?.map(({ text }) => text) ?? [],
    files: surveyLevel(level, files, plan, { feedback, words, open }),
    looked: words,
    nowhere: words.filter((word) => low.every((text) => !text.includes(word.toLowerCase()))),
    opened: open.map(nameOfFile),
    may_look: mayLook && level === "prose",
    may_ask: mayAsk(ctx.input, state),
  });
}

/** What an answer wants to have looked for or opened; undefined where it is the answer itself, or none. */
function wantedOf(text: string, paths: readonly string[]): { words: string[]; open: string[] } | undefined {
  try {
    const { look_for, open, files, all } = parseObject(text, Answer);
    const words = [...new Set(look_for.map((word) => word.trim()).filter((word) => word !== ""))].slice(0, MOST_WORDS);
    const opened = open.flatMap((name) => fileCalled(name, paths) ?? []).slice(0, MOST_OPEN);
    return files.length === 0 && !all && words.length + opened.length > 0 ? { words, open: opened } : undefined;
  } catch {
    return undefined;
  }
}

/** An answer that says something and names files that there are; throws FormatError. */
function checked(answer: Answer, paths: readonly string[], mayAsk: boolean): Answer {
  const unknown = answer.files.find(({ file }) => fileCalled(file, paths) === undefined);
  if (unknown)
    throw new FormatError(
      "READ_UNKNOWN",
      `There is no file '${unknown.file}'. The files are: ${paths.map(nameOfFile).join(", ")}.`,
    );
  const says =
    answer.files.length > 0 || answer.all || answer.none.trim() !== "" || (mayAsk && answer.question.trim() !== "");
  const message = "No file is named. Name each file that must change, or say all; where none must, say why in none.";
  if (!says && answer.conditions.every(({ holds }) => holds)) throw new FormatError("READ_EMPTY", message);
  return answer;
}

/** The plan that an answer comes to: each file once, in the level's order. */
function toPlan({ files, all, conditions }: Answer, { feedback }: NovelTask, of: readonly string[]): Plan {
  const byPath = new Map(files.toReversed().map(({ file, ...each }) => [fileCalled(file, of)!, each]));
  const planned = of.flatMap((path) => {
    const each = byPath.get(path);
    return each ? [{ path, ...each }] : [];
  });
  const dropped = new Set(conditions.filter(({ holds }) => !holds).map(({ item }) => item));
  const meant = feedback.filter((_, at) => feedback.length === 1 || !dropped.has(at + 1));
  return {
    ...{ files: planned, is_whole: all, of: all ? of.filter(isTold) : [...of], feedback: meant, reopened: 0 },
    conditions: conditions.map(
      ({ condition, holds, reasoning }) => `"${condition}" ${holds ? "holds" : "does not hold"}: ${reasoning}`,
    ),
  };
}

/** One question back; the feedback is read again with what was answered. */
async function askBack(ctx: NovelContext, state: NovelState, question: string) {
  const { choice, note = "" } = await ctx.ask({
    name: "clarify",
    question,
    choices: [SAY, "skip"],
    default: "skip",
    about: { question },
  });
  const isAnswered = choice === SAY && note.trim() !== "";
  const text = isAnswered
    ? `Asked "${question}", they said: ${note.trim()}`
    : `Asked "${question}", they said nothing: do what seems best`;
  return ctx.to("read", { said: [...(state.said ?? []), { gate: "clarify", choice, text }] });
}

/** A question about the book is answered, and what the answer was made from is said. */
async function answerQuestion(ctx: NovelContext) {
  const { talk: earlier = [] } = ctx.input;
  const question = ctx.input.feedback.join("\n");
  const folder = projectOf(ctx);
  const shown = await ctx.effect<Shown>("look", {
    input: { question },
    run: async () => showFor(await openManuscript(folder), `${earlier.at(-1)?.question ?? ""}\n${question}`),
  });
  const asked = await makeQuestion(ctx, "talk", { question, earlier, ...shown });
  const text = await obtainText(ctx, "answer", asked);
  await tell(ctx, "answered", { question, text: text.trim(), shown: shown.description });
  ctx.verdict(pass(1, "the question was answered; nothing was changed"));
  return ctx.end("done", { reason: "the question was answered; nothing was changed" });
}
