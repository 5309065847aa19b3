// What can be counted in an attempt and needs no judge to see: banned phrases, missing beats, lengths, lost characters. The
// judge is told, and so is the author.

import { changedPaths } from "../diff/lines.ts";
import { findBannedPhrases, findMissingNames } from "../manuscript/analysis/checks.ts";
import type { WritingVariables } from "../manuscript/context.ts";
import { chapterNumber, FOUNDATION_PATH, nameOf } from "../manuscript/files/layout.ts";
import type { ProjectFile } from "../manuscript/files/schemas.ts";
import { countWords } from "../manuscript/words.ts";
import type { FileBlock, Level } from "../types.ts";
import { lostCharacters } from "./cast.ts";
import { missedGoal } from "./style-file.ts";

/** A chapter that loses more than this is said to. */
export const SHRUNK = 0.3;

export interface Measured {
  level: Level;
  before: readonly FileBlock[];
  /** The level as it would be, and which of its files changed. */
  after: readonly FileBlock[];
  changed: readonly string[];
  feedback: readonly string[];
  project: ProjectFile;
  variables: WritingVariables;
}

/** What was measured, a sentence each. */
export function measureAttempt({ level, before, after, changed, feedback, project, variables }: Measured): string[] {
  const files = after.filter(({ path }) => changed.includes(path));
  const banned = findBannedPhrases(files, project.analysis?.banned_phrases ?? []).map(({ message }) => message);
  return [
    ...banned,
    ...missingBeats(level, after, project, variables),
    ...(level === "premise" ? [] : files.flatMap((file) => lengthOf(level, file, before, project))),
    ...lostNames(level, before, after, feedback, variables),
  ];
}

function missingBeats(
  level: Level,
  after: readonly FileBlock[],
  { analysis }: ProjectFile,
  { treatment }: WritingVariables,
): string[] {
  if (level !== "treatment" && level !== "chapters") return [];
  const above = level === "chapters" ? [{ path: "treatment/treatment.md", content: treatment }] : [];
  return findMissingNames([...above, ...after], analysis?.required_beats ?? []).map(({ message }) => message);
}

function lengthOf(
  level: Level,
  { path, content }: FileBlock,
  before: readonly FileBlock[],
  project: ProjectFile,
): string[] {
  const words = countWords(content);
  const old = before.find((file) => file.path === path);
  const number = level === "prose" ? chapterNumber(path) : undefined;
  // A prologue or a dedication is no chapter, and has no goal.
  const goal = number === undefined ? undefined : missedGoal(project, number, words);
  const hadWords = old ? countWords(old.content) : 0;
  return [
    ...(goal !== undefined ? [`${nameOf(path)} has ${words} words where the author wants about ${goal}.`] : []),
    ...(words < hadWords * (1 - SHRUNK) ? [`${nameOf(path)} shrank from ${hadWords} to ${words} words.`] : []),
  ];
}

function lostNames(
  level: Level,
  before: readonly FileBlock[],
  after: readonly FileBlock[],
  feedback: readonly string[],
  { cast = [] }: WritingVariables,
): string[] {
  const foundation = after.find(({ path }) => path === FOUNDATION_PATH);
  if (level !== "chapters" || !foundation || before.length === 0) return [];
  return lostCharacters(cast, foundation.content, feedback).map(
    (name) => `${name} is no longer among the characters of the foundation, and the feedback does not ask for it.`,
  );
}

/** The words of each file that changed, before and after; of one that is new or gone, 0 on one side. */
export function countChanges(before: readonly FileBlock[], after: readonly FileBlock[]) {
  const count = (files: readonly FileBlock[], path: string) => {
    const file = files.find((each) => each.path === path);
    return file ? countWords(file.content) : 0;
  };
  return changedPaths(before, after).map((path) => ({ path, before: count(before, path), after: count(after, path) }));
}
