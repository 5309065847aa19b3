// Which files feedback reaches: proposed without a model where its own words say so, else by one question to the writer.
//
// The writer is asked, and not the summarizer: it is the one that will carry the change out, it is there in every project,
// and the question is small. A file that it misses costs a round of the judge, so the better reader is the cheaper one.

import { FormatError } from "@loopwright/core";
import { parseObject, retryWithModel } from "@loopwright/models";
import { z } from "zod";
import { wantedChapters } from "../manuscript/index.ts";
import { tell } from "../notes.ts";
import type { NamedFile, NovelContext, NovelState, NovelTask, Reach } from "../task.ts";
import { makeQuestion } from "../writing/questions.ts";
import { namedFiles } from "./named.ts";
import type { Survey } from "./survey.ts";
import { fileCalled } from "./words.ts";

/** What the writer is asked for. */
export const ReachForm = z.object({
  all: z.boolean().default(false),
  files: z.array(z.object({ file: z.string(), why: z.string().default("") })).default([]),
});

type Proposal = Pick<Reach, "files" | "is_all" | "why" | "by">;

/** A proposal, from the feedback's own words or from the writer. */
export async function proposeReach(ctx: NovelContext, survey: Survey): Promise<Proposal> {
  return plainReach(ctx.input, survey) ?? askForReach(ctx, survey);
}

/** The reach that needs no reader: chapters by number, a name that is replaced, a change of the chapters themselves. */
export function plainReach({ target, feedback, chapters }: NovelTask, survey: Survey): Proposal | undefined {
  const paths = survey.files.map(({ path }) => path);
  if (chapters !== undefined || (target === "chapters" && wantedChapters(feedback) !== "same"))
    return { files: paths, is_all: true, why: [], by: "structure" };
  const named = namedFiles(feedback, paths);
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

async function askForReach(ctx: NovelContext, survey: Survey): Promise<Proposal> {
  const question = await reachQuestion(ctx, survey);
  const { failure, work } = await retryWithModel<NovelTask, NovelState, Proposal, null>(ctx, {
    ...question,
    schema: ReachForm,
    read: (text) => readReach(text, survey),
    execute: async () => null,
  });
  if (!failure) return work as Proposal;
  const message = `nobody could say which files the feedback reaches, so all are proposed: ${failure.message.split("\n", 1)[0]}`;
  await tell(ctx, "warning", { code: "REACH_UNREADABLE", message });
  return { files: survey.files.map(({ path }) => path), is_all: true, why: [], by: "nobody" };
}

/** The question of which files the feedback reaches. */
export function reachQuestion(ctx: NovelContext, survey: Survey) {
  const { target, feedback } = ctx.input;
  return makeQuestion(ctx, "reach", { level: target, feedback, files: survey.files });
}

/** Reads the writer's answer; throws FormatError where it names no file that there is. */
export function readReach(answer: string, survey: Survey): Proposal {
  const { all, files } = parseObject(answer, ReachForm);
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
  if (why.length === 0)
    throw new FormatError("REACH_EMPTY", "No file is named. Name each file that the feedback reaches, or say all.");
  const reached = new Set(why.map(({ path }) => path));
  return { files: paths.filter((path) => reached.has(path)), is_all: false, why: inOrder(why, paths), by: "model" };
}

function inOrder(why: readonly NamedFile[], paths: readonly string[]): NamedFile[] {
  return paths.flatMap((path) => why.find((each) => each.path === path) ?? []);
}
