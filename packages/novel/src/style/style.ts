// How long project.yaml wants the chapters, and how far one may be from it.

import type { ProjectFile } from "../manuscript/files/schemas.ts";

/** The goal that project.yaml names for a chapter; undefined where it names none. */
export function goalOf({ word_goals, chapter_words }: ProjectFile, chapter: number): number | undefined {
  return word_goals?.[String(chapter)] ?? chapter_words;
}

/** A chapter that loses more than this is said to. */
export const SHRUNK = 0.3;

/** How far a chapter may be from its goal. */
const TOLERANCE = 0.25;

/** The goal that a chapter of so many words is too far from; undefined where it is near enough, or has none. */
export function missedGoal(project: ProjectFile, chapter: number, words: number): number | undefined {
  const goal = goalOf(project, chapter);
  return goal !== undefined && Math.abs(words - goal) > goal * TOLERANCE ? goal : undefined;
}

/** The goals as a writer is told them; empty where there are none. */
export function goalLines({ word_goals = {}, chapter_words }: ProjectFile): string[] {
  const own = Object.entries(word_goals)
    .sort(([a], [b]) => Number(a) - Number(b))
    .map(([chapter, words]) => `chapter ${chapter}: about ${words} words`);
  const every = own.length > 0 ? "every other chapter" : "every chapter";
  return [...own, ...(chapter_words === undefined ? [] : [`${every}: about ${chapter_words} words`])];
}
