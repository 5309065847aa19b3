// Where everything of a project lies. A level's content is what is written and judged; its history lies beside it.

import { type Level, levels } from "../../types.ts";

export const PROJECT_FILE = "project.yaml";
export const TAXONOMY_FILE = "taxonomy.json";
/** The author's rules and a sample of the voice. */
export const STYLE_FILE = "style.md";
/** Feedback that is kept under a name. */
export const TEMPLATES_FILE = "templates.yaml";
export const STALENESS_FILE = "staleness.json";
export const ANALYSIS_FOLDER = "analysis";
export const HISTORY_NAME = "iteration_history.json";
export const PREMISE_PATH = "premise/premise_metadata.json";
export const TREATMENT_PATH = "treatment/treatment.md";
export const FOUNDATION_PATH = "chapter-beats/foundation.md";

/** More chapters than any novel has; what is beyond is a mistake of whoever wrote it. */
export const MOST_CHAPTERS = 2_000;

const folders: Readonly<Record<Level, string>> = {
  premise: "premise",
  treatment: "treatment",
  chapters: "chapter-beats",
  prose: "chapters",
};

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

/** Whether a path, from the project's folder, is a content file of a level. */
export function isContent(level: Level, path: string): boolean {
  if (level === "premise") return path === PREMISE_PATH;
  if (level === "treatment") return path === TREATMENT_PATH;
  if (level === "chapters" && path === FOUNDATION_PATH) return true;
  const number = chapterNumber(path);
  return number !== undefined && path === chapterPath(level, number);
}

/** The level whose content a path is; undefined for any other path. */
export function levelOf(path: string): Level | undefined {
  return levels.find((level) => isContent(level, path));
}

/** The order of a level's files: the foundation, then chapters by number. */
export function comparePaths(a: string, b: string): number {
  return (chapterNumber(a) ?? 0) - (chapterNumber(b) ?? 0);
}

/** The levels above a level, from the top. */
export function levelsAbove(level: Level | "analysis"): Level[] {
  return level === "analysis" ? ["chapters", "prose"] : levels.slice(0, levels.indexOf(level));
}

/** The levels below a level, nearest first. */
export function levelsBelow(level: Level): Level[] {
  return levels.slice(levels.indexOf(level) + 1);
}

/** A file of a level in people's words: `chapter 7`, `foundation`, `treatment`. */
export function nameOf(path: string): string {
  const number = chapterNumber(path);
  if (number !== undefined) return `chapter ${number}`;
  return path === FOUNDATION_PATH ? "the foundation" : path === PREMISE_PATH ? "the premise" : "the treatment";
}
