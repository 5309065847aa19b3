// Which files feedback reaches: proposed without a model where its own words say so, else by one question to the writer.
//
// The writer is asked, and not the summarizer: it is the one that will carry the change out, it is there in every project,
// and the question is small. A file that it misses costs a round of the judge, so the better reader is the cheaper one.

import { FormatError } from "@loopwright/core";
import { parseObject, retryWithModel } from "@loopwright/models";
import { z } from "zod";
import { wantedChapters } from "../manuscript/index.ts";
import { shorten } from "../manuscript/words.ts";
import { tell } from "../notes.ts";
import { withoutQuestion } from "../said/authors-words.ts";
import { withJudgment } from "../said/conditions.ts";
import type { NamedFile, NovelContext, NovelState, NovelTask, Reach } from "../task.ts";
import { makeQuestion } from "../writing/questions.ts";
import { keyOf } from "./mentions.ts";
import { namedFiles } from "./named.ts";
import type { Survey } from "./survey.ts";
import { fileCalled } from "./words.ts";

/** What the writer is asked for. */
export const ReachForm = z.object({
  look_for: z.array(z.string()).default([]),
  all: z.boolean().default(false),
  files: z.array(z.object({ file: z.string(), why: z.string().default("") })).default([]),
  none: z.string().default(""),
});

/** The same once words were looked for. */
export const LastForm = ReachForm.omit({ look_for: true });

type Proposal = Pick<Reach, "files" | "is_all" | "why" | "by" | "none">;

/** The same level with other words looked for in it. */
export type LookAgain = (ctx: NovelContext, words: readonly string[]) => Promise<Survey | undefined>;

/** A proposal, from the feedback's own words or from the writer, who may have words looked for once. */
export async function proposeReach(
  ctx: NovelContext,
  survey: Survey,
  look: LookAgain,
  said: readonly string[] = [],
): Promise<Proposal> {
  return plainReach(ctx.input, survey) ?? askForReach(ctx, survey, look, said);
}

/** The reach that needs no reader: chapters by number, a name that is replaced, a change of the chapters themselves. */
export function plainReach({ target, feedback, chapters }: NovelTask, survey: Survey): Proposal | undefined {
  const paths = survey.files.map(({ path }) => path);
  if (chapters !== undefined || (target === "chapters" && wantedChapters(feedback) !== "same"))
    return { files: paths, is_all: true, why: [], by: "structure" };
  const named = namedFiles(feedback.map(withoutQuestion), paths);
  if (named && named.length > 0)
    return {
      files: named,
      is_all: false,
      why: named.map((path) => ({ path, why: "the feedback names it" })),
      by: "numbers",
    };
  const { renamed } = survey;
  if (!renamed || renamed.files.length === 0) return undefined;
  const why = renamed.files.map((path) => ({ path, why: `it has the name '${renamed.name}'` }));
  return { files: renamed.files, is_all: false, why, by: "name" };
}

async function askForReach(
  ctx: NovelContext,
  survey: Survey,
  look: LookAgain,
  said: readonly string[],
): Promise<Proposal> {
  const question = await reachQuestion(ctx, survey, [], said);
  let hasLooked = false;
  const { failure, work } = await retryWithModel<NovelTask, NovelState, Proposal, null>(ctx, {
    ...question,
    schema: ReachForm,
    follow: async (scope, { text }) => {
      const words = hasLooked ? [] : wordsWanted(text);
      if (words.length === 0) return undefined;
      hasLooked = true;
      await tell(ctx, "reach-looked", { words });
      const found = await look(scope, words);
      return found && { ...(await reachQuestion(ctx, found, words, said)), schema: LastForm };
    },
    read: (text) => readReach(text, survey),
    execute: async () => null,
  });
  if (!failure) return work as Proposal;
  const none = "the writer could not say which files the feedback reaches";
  const message = `${none}: ${failure.message.split("\n", 1)[0]}`;
  await tell(ctx, "warning", { code: "REACH_UNREADABLE", message });
  return { files: [], is_all: false, why: [], by: "nobody", none };
}

/** The question of which files the feedback reaches, with what was looked for. */
export async function reachQuestion(
  ctx: NovelContext,
  survey: Survey,
  looked: readonly string[],
  said: readonly string[] = [],
) {
  return makeQuestion(ctx, "reach", { ...reachVariables(ctx.input, survey, looked), said });
}

/** What the question tells. */
export function reachVariables(task: NovelTask, survey: Survey, looked: readonly string[]) {
  const { files, language = "", history = "", cast = [] } = survey;
  const feedback = task.feedback.map((item) => withJudgment(item, task));
  // What was counted under another ending of it stands there too: `drinking ×1`.
  const found = files.flatMap(({ mentions: [counted = ""] }) =>
    counted.split(", ").map((each) => each.split(/ \(| ×/, 1)[0]!),
  );
  const known = new Set(found.map(keyOf));
  const stands = (word: string) => known.has(keyOf(word));
  const nowhere = looked.filter((word) => !stands(word));
  return { nowhere, said: [] as string[], level: task.target, feedback, files, language, history, cast, looked };
}

const MOST_WORDS = 12;

/** The words that an answer wants to have looked for; none where it is the answer itself, or no answer. */
export function wordsWanted(answer: string): string[] {
  try {
    const { look_for } = parseObject(answer, ReachForm);
    return [...new Set(look_for.map((word) => shorten(word, 60)).filter((word) => /[\p{L}\p{N}]/u.test(word)))].slice(
      0,
      MOST_WORDS,
    );
  } catch {
    return [];
  }
}

/** Reads the writer's answer; throws FormatError where it names no file that there is. */
export function readReach(answer: string, survey: Survey): Proposal {
  const { all, files, none } = parseObject(answer, ReachForm);
  const paths = survey.files.map(({ path }) => path);
  const why: NamedFile[] = [];
  const unknown: string[] = [];
  for (const { file, why: reason } of files) {
    const path = fileCalled(file, paths);
    if (path === undefined) unknown.push(file);
    else if (!why.some((each) => each.path === path)) why.push({ path, why: reason.trim() });
  }
  if (all) return { files: paths, is_all: true, why, by: "model" };
  if (unknown.length > 0)
    throw new FormatError(
      "REACH_UNKNOWN",
      `There is no file '${unknown[0]}'. The files are: ${survey.files.map(({ name }) => name).join(", ")}.`,
    );
  if (why.length === 0 && none.trim() !== "") return { files: [], is_all: false, why, by: "model", none: none.trim() };
  if (why.length === 0)
    throw new FormatError(
      "REACH_EMPTY",
      "No file is named. Name each file that the feedback reaches, or say all; where it reaches none, say why in none.",
    );
  const reached = new Set(why.map(({ path }) => path));
  return { files: paths.filter((path) => reached.has(path)), is_all: false, why: inOrder(why, paths), by: "model" };
}

function inOrder(why: readonly NamedFile[], paths: readonly string[]): NamedFile[] {
  return paths.flatMap((path) => why.find((each) => each.path === path) ?? []);
}
