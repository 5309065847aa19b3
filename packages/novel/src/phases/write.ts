// write: the writer writes the level, whole or chapter by chapter; or a person has written it; or a plain text that was imported as one chapter
// is taken apart where a model says that its chapters begin, and no word of it changes.

import { obtainObject } from "@loopwright/models";
import { z } from "zod";
import { withFiles } from "../level/plan.ts";
import { chaptersToProse } from "../manuscript/book.ts";
import { isUnchanged } from "../manuscript/files/schemas.ts";
import { checkFormat } from "../manuscript/format/format.ts";
import type { FormatOptions } from "../manuscript/format/text.ts";
import { countWords } from "../manuscript/words.ts";
import { tell } from "../notes.ts";
import { keepForDebugging, loadBefore, loadContext } from "../saved.ts";
import type { NovelContext, NovelState } from "../task.ts";
import { writeVariants } from "../variants/variants.ts";
import { finishAttempt } from "../writing/attempts.ts";
import { filesToText, makeQuestion } from "../writing/questions.ts";
import { writeChapter } from "../writing/write-chapter.ts";
import { writeLevel } from "../writing/write-level.ts";

/** Has an attempt at the level made. */
export async function write(state: NovelState, ctx: NovelContext) {
  const { kind, target } = ctx.input;
  if (ctx.input.variants !== undefined) return writeVariants(state, ctx);
  if (kind === "edit") return takeEdit(state, ctx);
  if (kind === "split") return splitChapters(state, ctx);
  if (kind === "derive" && target === "chapters")
    return (await import("../writing/derive-chapters.ts")).deriveChapters(state, ctx);
  return target === "prose" ? writeChapter(state, ctx) : writeLevel(state, ctx);
}

/** More lines than this that stand alone are verse or a list. */
const MOST_LINES = 1_500;
const Answer = z.object({ begins: z.array(z.object({ line: z.int(), title: z.string() })) });

/** Asks where the chapters begin, and makes them. */
async function splitChapters(state: NovelState, ctx: NovelContext) {
  const [[only], { variables }] = await Promise.all([loadBefore(ctx, state), loadContext(ctx, state)]);
  const { candidateLines, splitAt } = await import("../exchange/import.ts");
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
  if (known.length > 1) return finishAttempt(ctx, state, chaptersToProse(splitAt(text, known)));
  const reason = "no chapters were found in the text: it stays one";
  await tell(ctx, "declined", { reason, debug: "" });
  return ctx.end("declined", { reason, patch: { decision: "cancelled" } });
}

/** Takes what a person wrote as the attempt. What has not its form is refused with the reason, and kept in the debug store, so that nothing of
 * it is lost. */
async function takeEdit(state: NovelState, ctx: NovelContext) {
  const { target, edited = [] } = ctx.input;
  const [before, { project }] = await Promise.all([loadBefore(ctx, state), loadContext(ctx, state)]);
  const files = withFiles(before, edited);
  await keepForDebugging(ctx, "debug", state.debug, { "attempt_1_raw.md": filesToText(target, edited) });
  // Without feedback it is held to be a person's own work: as many chapters as they like.
  const options: FormatOptions = { previous: before, project, isFirst: false, feedback: [] };
  const problems = isUnchanged(before, files)
    ? ["Nothing was changed: the text is what it was before the edit."]
    : checkFormat(target, files, options);
  if (problems.length === 0) return finishAttempt(ctx, state, files);
  const kept = `${state.debug}/attempt_1_raw.md`;
  const reason = `the edit cannot be taken: ${problems.join(" ")} What was written is kept in ${kept}`;
  await tell(ctx, "format-refused", { attempt: 1, problems, debug: kept });
  await tell(ctx, "declined", { reason, debug: state.debug });
  return ctx.end("declined", { reason, patch: { decision: "rejected" } });
}
