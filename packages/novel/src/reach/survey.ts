// Looking over a level before anything is written: every file with its title, its plan, its digest and what it mentions.

import { type Artifact, type EffectContext, sha256 } from "@loopwright/core";
import { look } from "../committing/read-project.ts";
import { orRefusal } from "../committing/refusals.ts";
import { plain } from "../manuscript/context.ts";
import { readBeat } from "../manuscript/format/chapters.ts";
import { chapterNumber, chapterPath, FOUNDATION_PATH, openManuscript, titleOf } from "../manuscript/index.ts";
import { countWords, shorten } from "../manuscript/words.ts";
import { toArtifactText } from "../saved.ts";
import type { NovelTask } from "../task.ts";
import type { FileBlock } from "../types.ts";
import { digestsOf } from "./digest-cache.ts";
import { filesWith, mentionsOf, renamedName } from "./mentions.ts";
import { nameOfFile } from "./words.ts";

/** A file as the question shows it. */
export interface Surveyed {
  path: string;
  name: string;
  title: string;
  words: number;
  /** What the plan says of it, in a line; "" where there is none, or where it is the plan itself. */
  beats: string;
  digest: string;
  mentions: string[];
}

/** The level as it is looked over, and the files that have a name which is to be replaced. */
export interface Survey {
  files: Surveyed[];
  renamed: { name: string; files: string[] } | null;
}

/** Where the survey is kept and the files that it covers; or why the task cannot be done. */
export type Surveying =
  | { refused: string }
  | { refused?: undefined; survey: Artifact; paths: string[]; version: string };

const BEATS = 280;

/** Looks over the level that a task is about. */
export function surveyLevel(folder: string, task: NovelTask, effect: EffectContext): Promise<Surveying> {
  return orRefusal(async () => {
    const looked = await look(folder, task);
    if (looked.refused !== undefined) return { refused: looked.refused };
    const manuscript = await openManuscript(folder);
    const all = (await manuscript.read(task.target)).map(plain);
    // Prose is written by chapter: what has no number stays as it is.
    const files = task.target === "prose" ? all.filter(({ path }) => chapterNumber(path) !== undefined) : all;
    const beats = task.target === "prose" ? (await manuscript.read("chapters")).map(plain) : [];
    const survey = await surveyFiles(folder, task.feedback, files, beats);
    const saved = await effect.save("survey.json", toArtifactText(survey));
    return { survey: saved, paths: files.map(({ path }) => path), version: sha256(JSON.stringify(files)) };
  });
}

/** Files with what is told of them; `beats` are those of the plan, where the files are prose. */
export async function surveyFiles(
  folder: string,
  feedback: readonly string[],
  files: readonly FileBlock[],
  beats: readonly FileBlock[],
): Promise<Survey> {
  const digests = await digestsOf(folder, files);
  const mentions = mentionsOf(feedback, files);
  const name = renamedName(feedback);
  return {
    files: files.map((file, at) => ({
      path: file.path,
      name: nameOfFile(file.path),
      title: digests[at]!.title || (titleOf(file.content) ?? ""),
      words: digests[at]!.words || countWords(file.content),
      beats: planLine(file.path, beats),
      digest: digests[at]!.text,
      mentions: mentions.get(file.path) ?? [],
    })),
    renamed: name === undefined ? null : { name, files: filesWith(name, files) },
  };
}

function planLine(path: string, beats: readonly FileBlock[]): string {
  const number = chapterNumber(path);
  if (number === undefined || path === FOUNDATION_PATH) return "";
  const plan = beats.find((file) => file.path === chapterPath("chapters", number))?.content ?? "";
  const events = (readBeat(plan, "Key Events") ?? "").replace(/^[ \t]*(?:[-*+]|\d+[.)])[ \t]+/gm, "");
  return shorten(events, BEATS);
}
