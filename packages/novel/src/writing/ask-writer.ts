// Asking the writer, with fast retry where the answer has not its form (E2): it is told what was wrong and asked again.

import { FormatError } from "@loopwright/core";
import { retryWithModel, withoutThought } from "@loopwright/models";
import { tellRefused } from "../notes.ts";
import type { NovelContext, NovelState, NovelTask } from "../task.ts";
import type { RenderedQuestion } from "./questions.ts";

export interface Written<Work> {
  /** Absent where no answer had a usable form. */
  work?: Work;
  /** Why the last one had none. */
  problems: string[];
  retry_count: number;
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
  const tried = await retryWithModel<NovelTask, NovelState, Work, null>(ctx, {
    ...question,
    onAnswer: (text) => raw.push(text),
    onRefused: tellRefused("writer"),
    ...(ctx.input.max_retries !== undefined && { maxRetries: ctx.input.max_retries }),
    read: (text) => {
      const found = hasMarks(text) ? { problems: [MARKED] } : read(withoutThought(text));
      problems = [...found.problems];
      if (found.work === undefined) throw new FormatError("ANSWER_MISSHAPEN", toList(found.problems));
      return found.work;
    },
    execute: async () => null,
  });
  const { failure, retry_count } = tried;
  if (!failure) return { work: tried.work as Work, problems: [], retry_count, raw };
  // An answer that was cut off or empty never came to be read: its own message says so.
  const said = problems.length > 0 && failure.message === toList(problems) ? problems : [failure.message];
  return { problems: said, retry_count, raw };
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
