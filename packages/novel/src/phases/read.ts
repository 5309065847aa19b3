// read: a model reads the feedback against the whole level and says which files change, why, and what each change is to do.
//
//   it says too little           → clarify: one question back, which may be skipped
//   nothing is to be changed     → the end: what was said does not hold, or is nowhere in the book
//   what an attempt writes       → write; a level that is short is written whole whatever is named
//
// A question about the book is answered here, and nothing is written.

import { pass } from "@loopwright/core";
import { nameOfFile } from "../level/names.ts";
import {
  type Looking,
  planIn,
  type Reading,
  readAnswer,
  readingForm,
  readingVariables,
  wantedIn,
} from "../level/reading.ts";
import { isTold } from "../manuscript/files/layout.ts";
import { tell } from "../notes.ts";
import { SAY } from "../said.ts";
import { loadBefore, loadContext } from "../saved.ts";
import type { NovelContext, NovelState, NovelTask, Plan, PlannedFile } from "../task.ts";
import type { FileBlock } from "../types.ts";
import { ask, makeQuestion } from "../writing/questions.ts";
import { announceAttempt } from "../writing/rounds.ts";

/** Reads the feedback, and goes on with what it comes to. */
export async function read(state: NovelState, ctx: NovelContext) {
  const { kind, variants } = ctx.input;
  if (kind === "ask") return (await import("../level/show.ts")).answerQuestion(ctx);
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
  return go(ctx, state, planIn(answer, ctx.input, paths), answer.none.trim());
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

/** What needs no reader: the whole level by the author's own setting, the files that a change above left behind. */
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
): Promise<{ answer?: Reading; problem: string }> {
  const paths = files.map(({ path }) => path);
  let hasLooked = false;
  const { failure, work } = await ask<Reading>(ctx, {
    ...(await readerQuestion(ctx, state, files, { mayLook: true })),
    follow: async (scope, { text }) => {
      const wanted = hasLooked ? undefined : wantedIn(text, paths);
      if (!wanted) return undefined;
      hasLooked = true;
      await tell(scope, "read-looked", { words: wanted.words, files: wanted.open.map(nameOfFile) });
      return readerQuestion(ctx, state, files, { mayLook: false, ...wanted });
    },
    read: (text) => readAnswer(text, paths, mayAsk(ctx.input, state)),
  });
  return failure ? { problem: failure.message.split("\n", 1)[0]! } : { answer: work as Reading, problem: "" };
}

async function readerQuestion(ctx: NovelContext, state: NovelState, files: readonly FileBlock[], looking: Looking) {
  const { variables } = await loadContext(ctx, state);
  const { language, foundation, treatment, history, chapters } = variables;
  const plan = chapters.map(({ path, text }) => ({ path, content: text }));
  const said = state.said?.map(({ text }) => text) ?? [];
  const book = { files, plan, foundation, treatment, history, language };
  const told = readingVariables(ctx.input, book, { ...looking, said, mayAsk: mayAsk(ctx.input, state) });
  return { ...(await makeQuestion(ctx, "read", told)), schema: readingForm(ctx.input.target, told.may_look) };
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
