// A plain text that was imported as one chapter, taken apart where a model says that its chapters begin. No word of it changes.

import { obtainObject } from "@loopwright/models";
import { z } from "zod";
import { candidateLines, splitAt } from "../exchange/import.ts";
import { chaptersToProse, countWords } from "../manuscript/index.ts";
import { tell } from "../notes.ts";
import { loadBefore, loadContext } from "../saved.ts";
import type { NovelContext, NovelState } from "../task.ts";
import { finishAttempt } from "./attempts.ts";
import { makeQuestion } from "./questions.ts";

/** More lines than this that stand alone are verse or a list. */
const MOST_LINES = 1_500;
const Answer = z.object({ begins: z.array(z.object({ line: z.int(), title: z.string() })) });

/** Asks where the chapters begin, and makes them. */
export async function splitChapters(state: NovelState, ctx: NovelContext) {
  const [[only], { variables }] = await Promise.all([loadBefore(ctx, state), loadContext(ctx, state)]);
  // The title that the import gave to the whole is none of the text's own.
  const text = (only?.content ?? "").replace(/^# .*\n+/, "");
  const lines = candidateLines(text).slice(0, MOST_LINES);
  const told = {
    title: variables.title,
    words: countWords(text),
    lines: lines.map(({ line, text }) => `${line}: ${text}`),
  };
  const { begins } = await obtainObject(ctx, "split", Answer, await makeQuestion(ctx, "split", told));
  const known = begins.filter(({ line }) => lines.some((each) => each.line === line)).sort((a, b) => a.line - b.line);
  if (known.length > 1) return finishAttempt(ctx, state, chaptersToProse(splitAt(text, known)), 0);
  const reason = "no chapters were found in the text: it stays one";
  await tell(ctx, "declined", { reason, debug: "" });
  return ctx.end("declined", { reason, patch: { decision: "cancelled" } });
}
