// What a writer or a judge of a level is told: what is above it, the level itself, what was asked before, what is stale.

import type { Lessons } from "../learning/statistics.ts";
import { castOf } from "../style/cast.ts";
import { goalLines, readStyle } from "../style/style-file.ts";
import type { FileBlock, Level } from "../types.ts";
import { titleOfBook } from "./book.ts";
import { readText } from "./files/files.ts";
import { chapterNumber, FOUNDATION_PATH, isBegun, levelsAbove, levelsBelow, STYLE_FILE } from "./files/layout.ts";
import type { Manuscript } from "./files/open.ts";
import { titleOf } from "./headings.ts";
import { historyText } from "./history/history.ts";
import { keptOf } from "./kept.ts";
import { countOf, plain } from "./words.ts";

export { plain } from "./words.ts";

/** A chapter's file as it was read. */
interface ChapterText {
  number: number;
  path: string;
  title: string;
  text: string;
}

/** What a writer is given to read. */
export type WritingContext = Awaited<ReturnType<typeof assembleContext>>;
/** Variables of prompts: plain values, "" or none where there is nothing. */
export type WritingVariables = WritingContext["variables"];

/** What is told beside what the files hold: what the author said when the premise was made, what was turned down since the last
 * change that was taken, and what the author's decisions have shown. */
export interface Beside {
  book_idea?: string;
  rejected?: string[];
  lessons?: Lessons;
}

/** All that a writer or a judge of a level is told. */
export async function assembleContext(
  manuscript: Manuscript,
  target: Level,
  { book_idea = "", rejected = [], lessons = { writer: [], judge: [] } }: Beside = {},
) {
  const { project, taxonomy } = manuscript;
  const isTold = (level: Level) => level === target || levelsAbove(target).includes(level);
  const read = async (level: Level) => (isTold(level) ? (await manuscript.read(level)).map(plain) : []);
  const [premise, treatment, beats, current, entries] = await Promise.all([
    read("premise"),
    read("treatment"),
    read("chapters"),
    read(target),
    manuscript.history(target),
  ]);
  const below = isBegun(manuscript.paths(target))
    ? undefined
    : levelsBelow(target).find((level) => isBegun(manuscript.paths(level)));
  const chapters = beats.filter(({ path }) => path !== FOUNDATION_PATH).map(toChapter);
  const foundation = beats.find(({ path }) => path === FOUNDATION_PATH)?.content ?? "";
  const variables = {
    title: titleOfBook(manuscript),
    genre: project.genre ?? taxonomy?.genre ?? "",
    language: project.language ?? "",
    /** 0 where nobody said. */
    target_words: project.target_words ?? 0,
    chapter_count: chapters.length || project.chapters || 0,
    taxonomy: taxonomyText(taxonomy),
    premise: premise[0]?.content ?? "",
    treatment: treatment[0]?.content ?? "",
    foundation,
    cast: castOf(foundation),
    /** Plans, for the levels chapters and prose. */
    chapters,
    /** The level as it is, as one text: several files between their marks. */
    current: filesToText(current),
    /** Where the level does not exist but something below it does: the nearest below, and its text. */
    below_level: below ?? "",
    below: below ? filesToText((await manuscript.read(below)).map(plain)) : "",
    history: historyText(entries),
    history_count: entries.length,
    chapter_history: target === "prose" ? historyText(await manuscript.history("chapters")) : "",
    ...{ book_idea, rejected, lessons },
    stale_notes: staleNotes(manuscript, target),
    kept: keptOf(current).map(({ passage }) => passage.trim()),
    ...(await styleOf(manuscript)),
  };
  const told = (["taxonomy", "premise", "treatment", "foundation"] as const).filter((part) => variables[part] !== "");
  const description = [
    ...told,
    ...(chapters.length === 0 ? [] : [countOf(chapters.length, "chapter")]),
    ...(target === "prose" && current.length > 0 ? [`prose of ${countOf(manuscript.count(target), "chapter")}`] : []),
    ...(below ? [`the ${below} below`] : []),
    ...(entries.length === 0 ? [] : [countOf(entries.length, "previous iteration")]),
  ];
  return { variables, description };
}

/** What is filled in of the taxonomy; "" where nothing is. */
function taxonomyText(taxonomy: Readonly<Record<string, unknown>> = {}): string {
  const told = Object.entries(taxonomy).filter(([, value]) => {
    const texts = Array.isArray(value) ? value : [value];
    return texts.some((each) => each !== null && each !== undefined && each !== "");
  });
  return told.length === 0 ? "" : JSON.stringify(Object.fromEntries(told), null, 2);
}

/** The rules that hold for the whole book. */
async function styleOf({ folder, project }: Manuscript) {
  const { rules, sample } = readStyle(await readText(folder, STYLE_FILE));
  return {
    style_rules: rules,
    voice_sample: sample,
    banned_phrases: project.analysis?.banned_phrases ?? [],
    required_beats: project.analysis?.required_beats ?? [],
    goals: goalLines(project),
  };
}

/** A level as one text: a file alone as it is, several between the marks in which a writer gives them. */
export function filesToText(files: readonly FileBlock[]): string {
  if (files.length <= 1) return files[0]?.content ?? "";
  return files.map(({ path, content }) => `===FILE: ${path}===\n${content.trimEnd()}\n===END FILE===`).join("\n");
}

/** A chapter's file with its number and title. */
export function toChapter({ path, content }: FileBlock): ChapterText {
  const number = chapterNumber(path) ?? 0;
  return { number, path, title: titleOf(content) ?? `Chapter ${number}`, text: content };
}

/** What of the level itself and of what is above it no longer agrees, in sentences. */
function staleNotes(manuscript: Manuscript, target: Level): string[] {
  const told = [...levelsAbove(target), target];
  return manuscript.stale().flatMap(({ level, because }) => {
    if (level === "analysis" || !told.includes(level)) return [];
    const verb = level === "chapters" ? "were" : "was";
    return [`The ${level} ${verb} generated from an older version of the ${because.join(" and the ")}.`];
  });
}
