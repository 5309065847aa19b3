// An attempt: the writer is asked, and asked again where the answer has not its form (E2); what it gave is recorded and sent where it belongs.
//
//   no usable form                     → consider: a person says whether to go on
//   a level that did not exist before  → finalize: its form is its verdict, there is nothing to compare it with
//   a step of a cascade that changes nothing → finalize: it is in line, and that is all there is to record
//   a person's edit of marks alone     → finalize: no word of the text is another one
//   no judge to ask                    → summarize
//   else                               → judge

import { append, FormatError, pass } from "@loopwright/core";
import { withoutThought } from "@loopwright/models";
import { withFiles } from "../level/plan.ts";
import { bookPart } from "../manuscript/files/layout.ts";
import { isUnchanged } from "../manuscript/files/schemas.ts";
import { countWords } from "../manuscript/words.ts";
import { tell } from "../notes.ts";
import { loadBefore, toArtifactText } from "../saved.ts";
import { type Attempt, baseOf, type NovelContext, type NovelState } from "../task.ts";
import type { FileBlock } from "../types.ts";
import { ask, type RenderedQuestion } from "./questions.ts";

/** The number of the attempt that is under way. */
export function attemptNumber({ attempts }: Pick<NovelState, "attempts">): number {
  return attempts.length + 1;
}

/** Records an attempt that came to nothing; `written` is what of the prose the next one can go on from. */
export async function failAttempt(ctx: NovelContext, state: NovelState, problems: string[], written = state.written) {
  const number = attemptNumber(state);
  const attempt: Attempt = { number, problems, words: 0 };
  await tell(ctx, "format-refused", { attempt: number, problems, debug: state.debug });
  return ctx.to("consider", { attempts: append(attempt), written });
}

/** Records an attempt that can be read, and goes on to whoever looks at it. */
export async function finishAttempt(
  ctx: NovelContext,
  state: NovelState,
  written: readonly FileBlock[],
  wrote?: readonly string[],
) {
  const { target } = ctx.input;
  const number = attemptNumber(state);
  // A prologue that was there before its level stays beside what is made.
  const parts = isFirstText(state) ? (await loadBefore(ctx, state)).filter(({ path }) => bookPart(path)) : [];
  const files = withFiles(parts, written);
  const words = files.reduce((sum, { content }) => sum + countWords(content), 0);
  const saved = await ctx.save(`attempt-${number}.json`, toArtifactText(files));
  const attempt: Attempt = {
    number,
    files: saved,
    problems: [],
    words,
    on: baseOf(state).commit,
    ...(wrote && { wrote: [...wrote] }),
  };
  await tell(ctx, "generation-finished", { target, attempt: number, words, files: files.length, debug: state.debug });
  const patch = { attempts: append(attempt), written: [] };
  if (isFirstText(state) || ctx.input.kind === "split") {
    ctx.verdict(pass(1, `the ${target} has its form: ${files.length} of ${files.length} files are sound`));
    return ctx.to("finalize", { ...patch, chosen: number });
  }
  if (ctx.input.follows && isUnchanged(await loadBefore(ctx, state), files)) {
    await tell(ctx, "stayed", { target });
    ctx.verdict(pass(1, `the ${target} is in line with what changed, and stays as it is`));
    return ctx.to("finalize", { ...patch, chosen: number });
  }
  if (ctx.input.kind === "edit" && (await isMarksAlone(ctx, state, files))) {
    ctx.verdict(pass(1, "only marks and comments were edited: the text is what it was"));
    return ctx.to("finalize", { ...patch, chosen: number });
  }
  return ctx.input.has_judge ? ctx.to("judge", patch) : ctx.to("summarize", { ...patch, chosen: number });
}

/** Whether the files say what they said before, but for comments such as the marks of what is kept. */
async function isMarksAlone(ctx: NovelContext, state: NovelState, files: readonly FileBlock[]): Promise<boolean> {
  // A mark may stand inside a word: "her!<!-- /keep -->", where a quotation mark follows.
  const wordsIn = (content: string) =>
    content
      .replace(/<!--[\s\S]*?-->/g, "")
      .split(/\s+/)
      .filter(Boolean);
  const words = (all: readonly FileBlock[]) => JSON.stringify(all.map(({ path, content }) => [path, wordsIn(content)]));
  return words(await loadBefore(ctx, state)) === words(files);
}

/** Whether there is no older text that the attempt could be held against. */
function isFirstText(state: NovelState): boolean {
  return baseOf(state).is_first;
}

export interface Written<Work> {
  /** Absent where no answer had a usable form. */
  work?: Work;
  /** Why the last one had none. */
  problems: string[];
  /** Every answer as it came, the last one last. */
  raw: string[];
}

/** Asks, and reads; `read` says what is wrong with an answer in sentences for the writer. */
export async function askWriter<Work>(
  ctx: NovelContext,
  question: RenderedQuestion,
  read: (text: string) => { work?: Work | undefined; problems: readonly string[] },
): Promise<Written<Work>> {
  const raw: string[] = [];
  let problems: string[] = [];
  const tried = await ask<Work>(ctx, {
    ...question,
    onAnswer: (text) => raw.push(text),
    read: (text) => {
      const found = hasMarks(text) ? { problems: [MARKED] } : read(withoutThought(text));
      problems = [...found.problems];
      if (found.work === undefined) throw new FormatError("ANSWER_MISSHAPEN", toList(found.problems));
      return found.work;
    },
  });
  const { failure } = tried;
  if (!failure) return { work: tried.work as Work, problems: [], raw };
  // An answer that was cut off or empty never came to be read: its own message says so.
  const said = problems.length > 0 && failure.message === toList(problems) ? problems : [failure.message];
  return { problems: said, raw };
}

const MARKED =
  "The answer holds marks such as [[before: …]] or [[new]], which only show what changed. Give the text without them.";

/** Whether an answer has taken over how a change is shown. */
function hasMarks(text: string): boolean {
  return /^\[\[(?:before|removed|new|\d+ paragraphs?)\b/m.test(text);
}

function toList(problems: readonly string[]): string {
  return problems.length === 1 ? problems[0]! : problems.map((problem) => `- ${problem}`).join("\n");
}

/** An attempt's answers as files of the debug store: the last as the attempt's own, those before it by their try. */
export function rawFiles(name: string, raw: readonly string[]): Record<string, string> {
  const files: Record<string, string> = {};
  for (const [index, text] of raw.slice(0, -1).entries()) files[`${name}_try_${index + 1}_raw.md`] = text;
  files[`${name}_raw.md`] = raw.at(-1) ?? "";
  return files;
}
