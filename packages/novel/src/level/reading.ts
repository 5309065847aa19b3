// How feedback is read: what a model is asked about it, and the plan that its answer comes to. Pure.

import { FormatError } from "@loopwright/core";
import { parseObject } from "@loopwright/models";
import { z } from "zod";
import { isTold } from "../manuscript/files/layout.ts";
import { type NovelTask, type Plan, ripples } from "../task.ts";
import type { FileBlock, Level } from "../types.ts";
import { fileCalled, nameOfFile } from "./names.ts";
import { isShownWhole, surveyLevel } from "./survey.ts";

export { filesCalled } from "./names.ts";

const texts = z.array(z.string()).default([]);
const Condition = z.object({ item: z.int().min(1), condition: z.string(), holds: z.boolean(), reasoning: z.string() });

/** What a reader answers. */
export const Reading = z.object({
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
export type Reading = z.output<typeof Reading>;

/** What a reader is asked for: nothing to be looked for where that is done, or all is shown; `foundation` is a kind where that is a file. */
export function readingForm(level: Level, mayLook: boolean) {
  const kinds = level === "chapters" ? ripples : (["heart", "before", "after"] as const);
  const files = z
    .array(Reading.shape.files.unwrap().element.extend({ kind: z.enum(kinds).default("heart") }))
    .default([]);
  const form = Reading.extend({ files });
  return mayLook ? form : form.omit({ look_for: true, open: true });
}

const MOST_WORDS = 12;
/** Files that are opened, and the signs that they may have, the first aside. */
const MOST_OPEN = 3;
const MOST_OPENED = 36_000;

/** What a reader is shown of the book; `plan` are the chapter plans. */
interface ReadBook {
  files: readonly FileBlock[];
  plan: readonly FileBlock[];
  foundation: string;
  treatment: string;
  history: string;
  language: string;
}

/** What is looked for and opened for the reader, and whether it may be. */
export interface Looking {
  mayLook: boolean;
  words?: string[];
  open?: string[];
}

/** The variables of the prompt `read`. */
export function readingVariables(
  { target: level, scope, feedback, follows }: Pick<NovelTask, "target" | "scope" | "feedback" | "follows">,
  { files, plan, ...book }: ReadBook,
  { words = [], open = [], mayLook, said, mayAsk }: Looking & { said: readonly string[]; mayAsk: boolean },
) {
  const low = files.map(({ content }) => content.toLowerCase());
  const opened = fitting(open, files);
  return {
    ...{ level, scope, feedback, follows: follows !== undefined, said, ...book },
    files: surveyLevel(level, files, plan, { feedback, words, open: opened }),
    looked: words,
    nowhere: words.filter((word) => low.every((text) => !text.includes(word.toLowerCase()))),
    opened: opened.map(nameOfFile),
    may_look: mayLook && !isShownWhole(level, files),
    may_ask: mayAsk,
  };
}

/** Of the files to be opened the first, and those after it for which there is room. */
export function fitting(open: readonly string[], files: readonly FileBlock[]): string[] {
  let left = MOST_OPENED;
  return open.filter((path, at) => {
    left -= files.find((file) => file.path === path)?.content.length ?? 0;
    return at === 0 || left >= 0;
  });
}

/** What an answer wants to have looked for or opened; undefined where it is the answer itself, or none. */
export function wantedIn(text: string, paths: readonly string[]): { words: string[]; open: string[] } | undefined {
  try {
    const { look_for, open, files, all } = parseObject(text, Reading);
    const words = [...new Set(look_for.map((word) => word.trim()).filter((word) => word !== ""))].slice(0, MOST_WORDS);
    const opened = open.flatMap((name) => fileCalled(name, paths) ?? []).slice(0, MOST_OPEN);
    return files.length === 0 && !all && words.length + opened.length > 0 ? { words, open: opened } : undefined;
  } catch {
    return undefined;
  }
}

/** An answer that says something and names files that there are; throws FormatError. */
export function readAnswer(text: string, paths: readonly string[], mayAsk: boolean): Reading {
  const answer = parseObject(text, Reading);
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
export function planIn(
  { files, all, conditions }: Reading,
  { feedback }: Pick<NovelTask, "feedback">,
  of: readonly string[],
): Plan {
  const byPath = new Map(files.toReversed().map(({ file, ...each }) => [fileCalled(file, of)!, each]));
  const planned = of.flatMap((path) => {
    const each = byPath.get(path);
    return each ? [{ path, ...each }] : [];
  });
  const meant = feedback.flatMap((item, at) => {
    const own = conditions.filter((each) => feedback.length === 1 || each.item === at + 1);
    if (feedback.length > 1 && own.some(({ holds }) => !holds)) return [];
    return [[item, ...own.map((each) => `(${conditionText(each)})`)].join(" ")];
  });
  return {
    ...{ files: planned, is_whole: all, of: all ? of.filter(isTold) : [...of], feedback: meant, reopened: 0 },
    conditions: conditions.map(conditionText),
  };
}

function conditionText({ condition, holds, reasoning }: Reading["conditions"][number]): string {
  return `"${condition}" ${holds ? "holds" : "does not hold"}: ${reasoning}`;
}
