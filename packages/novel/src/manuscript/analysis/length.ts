// Length: the whole and its chapters against what project.yaml wants, and chapters without a goal against each other.

import { goalOf, missedGoal } from "../../style/style-file.ts";
import type { FileBlock } from "../../types.ts";
import { chapterNumber } from "../files/layout.ts";
import type { ProjectFile } from "../files/schemas.ts";
import { countWords } from "../words.ts";
import { type AnalysisFinding, soft } from "./text.ts";

/** How far the whole may be from what is wanted. */
const TOLERANCE = 0.15;
/** Chapters beyond these shares of the median stand out. */
const SHORT = 0.4;
const LONG = 2.5;

/** What is too short or too long. */
export function checkLengths(prose: readonly FileBlock[], project: ProjectFile): AnalysisFinding[] {
  const lengths = prose.map(({ path, content }) => ({ path, words: countWords(content) }));
  return lengths.length === 0
    ? []
    : [...wholeLength(lengths, project), ...missedGoals(lengths, project), ...unevenLengths(lengths, project)];
}

interface Length {
  path: string;
  words: number;
}

function wholeLength(lengths: readonly Length[], { target_words, chapters }: ProjectFile): AnalysisFinding[] {
  const total = lengths.reduce((sum, { words }) => sum + words, 0);
  // A book that is not all written yet is measured by its share.
  const share = chapters === undefined ? 1 : Math.min(1, lengths.length / chapters);
  const wanted = (target_words ?? 0) * share;
  if (wanted === 0 || Math.abs(total - wanted) <= wanted * TOLERANCE) return [];
  const those = share < 1 ? " of so many chapters" : "";
  return [soft(`The prose has ${figure(total)} words where ${figure(wanted)} are wanted${those}.`)];
}

function missedGoals(lengths: readonly Length[], project: ProjectFile): AnalysisFinding[] {
  return lengths.flatMap(({ path, words }) => {
    const number = chapterNumber(path);
    const goal = number === undefined ? undefined : missedGoal(project, number, words);
    return goal === undefined
      ? []
      : [soft(`${path} has ${figure(words)} words where about ${figure(goal)} are wanted.`)];
  });
}

function unevenLengths(lengths: readonly Length[], project: ProjectFile): AnalysisFinding[] {
  if (lengths.length < 3) return [];
  const median = lengths.map(({ words }) => words).sort((a, b) => a - b)[lengths.length >> 1]!;
  return lengths.flatMap(({ path, words }) => {
    const number = chapterNumber(path);
    const hasGoal = number !== undefined && goalOf(project, number) !== undefined;
    if (hasGoal || (words >= median * SHORT && words <= median * LONG)) return [];
    return [soft(`${path} has ${figure(words)} words; half of the chapters have ${figure(median)} or more.`)];
  });
}

function figure(words: number): string {
  return Math.round(words).toLocaleString("en");
}
