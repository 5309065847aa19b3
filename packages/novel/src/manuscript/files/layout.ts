// Where everything of a project lies. A level's content is what is written and judged; its history lies beside it.

import { type Level, levels } from "../../types.ts";

/** Title, author, language and settings of a book. */
export const PROJECT_FILE = "project.yaml";
/** The genre and its words. */
export const TAXONOMY_FILE = "taxonomy.json";
/** The author's rules and a sample of the voice. */
export const STYLE_FILE = "style.md";
/** Feedback that is kept under a name. */
export const TEMPLATES_FILE = "templates.yaml";
/** Which levels are behind those above them. */
export const STALENESS_FILE = "staleness.json";
/** Where reports of analyzes lie. */
export const ANALYSIS_FOLDER = "analysis";
/** The reports of an analysis by topic, beside their overview. */
export const reportTitles: Readonly<Record<string, string>> = {
  format: "Format and staleness",
  length: "Length",
  repetition: "Repetition",
  phrases: "Banned phrases",
  beats: "Chapters without prose",
};
/** The history of a level, in its folder. */
const HISTORY_NAME = "iteration_history.json";
/** The file of the premise. */
export const PREMISE_PATH = "premise/premise_metadata.json";
/** The file of the treatment. */
export const TREATMENT_PATH = "treatment/treatment.md";
/** The file of what all chapter beats share. */
export const FOUNDATION_PATH = "chapter-beats/foundation.md";

/** More chapters than any novel has; what is beyond is a mistake of whoever wrote it. */
export const MOST_CHAPTERS = 2_000;

const folders: Readonly<Record<Level, string>> = {
  premise: "premise",
  treatment: "treatment",
  chapters: "chapter-beats",
  prose: "chapters",
};

const partsBefore = ["front-matter", "prologue"] as const;
const partsAfter = ["epilogue", "back-matter"] as const;
/** A part of a book that is no chapter and has no number. */
export type BookPart = (typeof partsBefore)[number] | (typeof partsAfter)[number];
/** These parts in a book's order: those before the chapters, then those after. */
const bookParts: readonly BookPart[] = [...partsBefore, ...partsAfter];
/** Parts that tell the story, and so have a plan. */
const toldParts: readonly BookPart[] = ["prologue", "epilogue"];

/** A level that has chapters. */
export type ChapteredLevel = "chapters" | "prose";

/** The folder of a level. */
export function folderOf(level: Level): string {
  return folders[level];
}

/** The path of a level's history. */
export function historyPath(level: Level): string {
  return `${folders[level]}/${HISTORY_NAME}`;
}

/** The path of a chapter: two digits, and more where they are needed. */
export function chapterPath(level: ChapteredLevel, number: number): string {
  return `${folders[level]}/chapter-${String(number).padStart(2, "0")}.md`;
}

/** The number of a chapter's file; undefined for any other path. */
export function chapterNumber(path: string): number | undefined {
  const digits = /(?:^|\/)chapter-(\d{2,4})\.md$/.exec(path)?.[1];
  if (digits === undefined) return undefined;
  const number = Number(digits);
  return number >= 1 && String(number).padStart(2, "0") === digits ? number : undefined;
}

/** The path of a part without a number. */
export function partPath(level: ChapteredLevel, part: BookPart): string {
  return `${folders[level]}/${part}.md`;
}

/** The part without a number that a path is; undefined for any other path. */
export function bookPart(path: string): BookPart | undefined {
  const name = /(?:^|\/)([a-z-]+)\.md$/.exec(path)?.[1];
  return bookParts.find((part) => part === name);
}

/** Whether a level has more than parts without a number: no generation writes these again, and so no cull takes them. */
export function isBegun(paths: readonly string[]): boolean {
  return paths.some((path) => bookPart(path) === undefined);
}

/** Whether a file tells the story: a chapter, a prologue, an epilogue; front and back matter do not. */
export function isTold(path: string): boolean {
  const part = bookPart(path);
  return part === undefined || toldParts.includes(part);
}

/** Whether a path, from the project's folder, is a content file of a level. */
export function isContent(level: Level, path: string): boolean {
  if (level === "premise") return path === PREMISE_PATH;
  if (level === "treatment") return path === TREATMENT_PATH;
  if (level === "chapters" && path === FOUNDATION_PATH) return true;
  const part = bookPart(path);
  if (part !== undefined) return path === partPath(level, part) && (level === "prose" || toldParts.includes(part));
  const number = chapterNumber(path);
  return number !== undefined && path === chapterPath(level, number);
}

/** The level whose content a path is; undefined for any other path. */
export function levelOf(path: string): Level | undefined {
  return levels.find((level) => isContent(level, path));
}

/** The order of a level's files: the foundation, what stands before the chapters, chapters by number, what stands after. */
export function comparePaths(a: string, b: string): number {
  return placeOf(a) - placeOf(b);
}

/** Where a file stands in its level: a chapter at its number. */
export function placeOf(path: string): number {
  const part = bookPart(path);
  if (part === undefined) return chapterNumber(path) ?? -1;
  const at = bookParts.indexOf(part);
  return at < partsBefore.length ? at / bookParts.length : MOST_CHAPTERS + at;
}

/** The levels above a level, from the top. */
export function levelsAbove(level: Level | "analysis"): Level[] {
  return level === "analysis" ? ["chapters", "prose"] : levels.slice(0, levels.indexOf(level));
}

/** The levels below a level, nearest first. */
export function levelsBelow(level: Level): Level[] {
  return levels.slice(levels.indexOf(level) + 1);
}

/** Whether a file of analysis/ is one that an analysis makes; any other was put there by somebody. */
export function isReport(path: string): boolean {
  return ["overview", ...Object.keys(reportTitles)].some((topic) => path === `${ANALYSIS_FOLDER}/${topic}.md`);
}

/** A file of a level in people's words: `chapter 7`, `foundation`, `treatment`. */
export function nameOf(path: string): string {
  const number = chapterNumber(path);
  if (number !== undefined) return `chapter ${number}`;
  const part = bookPart(path);
  if (part !== undefined) return `the ${part.replace("-", " ")}`;
  return path === FOUNDATION_PATH ? "the foundation" : path === PREMISE_PATH ? "the premise" : "the treatment";
}
