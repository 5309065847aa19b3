// Looking over a level before anything is written: every file with its title, its plan, its digest and what it mentions.

import { type Artifact, type EffectContext, sha256 } from "@loopwright/core";
import { look } from "../committing/read-project.ts";
import { orRefusal } from "../committing/refusals.ts";
import { plain } from "../manuscript/context.ts";
import { readBeat } from "../manuscript/format/chapters.ts";
import { historyText } from "../manuscript/history/history-text.ts";
import { FOUNDATION_PATH, type Manuscript, mayReach, openManuscript, planOf, titleOf } from "../manuscript/index.ts";
import { countWords, shorten } from "../manuscript/words.ts";
import { authorsWords } from "../said/authors-words.ts";
import type { KeptNamed } from "../said/kept-named.ts";
import { toArtifactText } from "../saved.ts";
import { type Character, castOf, protagonistOf, unique } from "../style/cast.ts";
import type { NovelTask } from "../task.ts";
import type { FileBlock } from "../types.ts";
import { digestsOf } from "./digest-cache.ts";
import { mentionsOf } from "./mentions.ts";
import type { BookNames } from "./names.ts";
import { filesWith, renamedName } from "./renamed.ts";
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
  /** The book's language as a tag; absent where nobody said, or an older version looked. */
  language?: string;
  /** Who is in the book, a line each. */
  cast?: string[];
  /** What was asked and changed on this level last: feedback may speak of it. */
  history?: string;
}

/** Where the survey is kept and the files that it covers; or why the task cannot be done. */
export type Surveying =
  | { refused: string }
  | { refused?: undefined; survey: Artifact; paths: string[]; version: string; named?: KeptNamed };

const BEATS = 280;
/** Iterations that are told. */
const LAST = 5;
const MOST_CAST = 24;
const CAST_LINE = 140;

/** Looks over the level that a task is about; `words` are looked for beside those of the feedback. */
export function surveyLevel(
  folder: string,
  task: NovelTask,
  effect: EffectContext,
  words: readonly string[] = [],
): Promise<Surveying> {
  return orRefusal(async () => {
    const looked = await look(folder, task);
    if (looked.refused !== undefined) return { refused: looked.refused };
    const manuscript = await openManuscript(folder);
    const all = (await manuscript.read(task.target)).map(plain);
    const files = all.filter(({ path }) => mayReach(path, task.feedback));
    const beats = task.target === "prose" ? (await manuscript.read("chapters")).map(plain) : [];
    const entries = await manuscript.history(task.target);
    const history = historyText(entries.slice(-LAST), Math.max(0, entries.length - LAST));
    const survey = {
      ...(await surveyFiles(folder, { feedback: authorsWords(task), words }, files, beats, await namesOf(manuscript))),
      ...(history !== "" && { history }),
    };
    const saved = await effect.save(words.length > 0 ? "survey-2.json" : "survey.json", toArtifactText(survey));
    const named = looked.named && looked.named.passages.length > 0 ? { named: looked.named } : {};
    return { survey: saved, paths: files.map(({ path }) => path), version: sha256(JSON.stringify(files)), ...named };
  });
}

/** Files with what is told of them; `beats` are those of the plan, where the files are prose. */
export async function surveyFiles(
  folder: string,
  { feedback, words = [] }: { feedback: readonly string[]; words?: readonly string[] },
  files: readonly FileBlock[],
  beats: readonly FileBlock[],
  book: BookNames = {},
): Promise<Survey> {
  const digests = await digestsOf(folder, files);
  const mentions = mentionsOf(feedback, files, book, words);
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
    ...(book.language !== undefined && { language: book.language }),
    ...(book.cast && book.cast.length > 0 && { cast: book.cast.slice(0, MOST_CAST).map(castLine) }),
  };
}

function castLine({ name, about }: Character): string {
  return shorten(about === "" ? name : `${name}: ${about}`, CAST_LINE);
}

/** What is known of a book's names: who its foundation and its premise say is in it. */
async function namesOf(manuscript: Manuscript): Promise<BookNames> {
  const [[premise], plan] = await Promise.all([manuscript.read("premise"), manuscript.read("chapters")]);
  const foundation = plan.find(({ path }) => path === FOUNDATION_PATH)?.content ?? "";
  const { language } = manuscript.project;
  return {
    cast: unique([...castOf(foundation), ...protagonistOf(premise?.content ?? "{}")]),
    ...(language !== undefined && { language }),
  };
}

function planLine(path: string, beats: readonly FileBlock[]): string {
  const plan = beats.find((file) => file.path === planOf(path))?.content ?? "";
  const events = (readBeat(plan, "Key Events") ?? "").replace(/^[ \t]*(?:[-*+]|\d+[.)])[ \t]+/gm, "");
  return shorten(events, BEATS);
}
