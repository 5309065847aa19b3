// What project.yaml and the plan ask for: beats, key events, lengths, and phrases that are not to stand there.

import { goalOf, missedGoal } from "../../style/style-file.ts";
import type { FileBlock } from "../../types.ts";
import { chapterNumber, chapterPath } from "../files/layout.ts";
import type { ProjectFile } from "../files/schemas.ts";
import { readBeat } from "../format/chapters.ts";
import { planOf } from "../history/staleness.ts";
import { countWords, shorten } from "../words.ts";
import { type AnalysisFinding, foldWord, hard, placeAt, soft, wordsOf } from "./text.ts";

/** The least share of an event's own words that the prose must have. */
const SHARE = 0.34;
const LEAST_WORDS = 3;

/** Beats that are missing. `plan` is where named beats are looked for. */
export function findMissingBeats(
  beats: readonly FileBlock[],
  prose: readonly FileBlock[],
  plan: readonly FileBlock[],
  required: readonly string[],
): AnalysisFinding[] {
  return [
    ...findMissingNames(plan, required),
    ...unwritten(beats, prose),
    ...prose.flatMap((file) => missingEvents(beats, file)),
  ];
}

/** The beats that project.yaml names and the plan does not. */
export function findMissingNames(plan: readonly FileBlock[], required: readonly string[]): AnalysisFinding[] {
  if (plan.length === 0) return [];
  const text = spaced(plan.map(({ content }) => content).join("\n"));
  return required
    .filter((beat) => !text.includes(spaced(beat)))
    .map((beat) =>
      hard(`The beat '${beat}' is required by project.yaml, and neither the treatment nor a chapter names it.`),
    );
}

/** Chapters that have beats and no prose, once prose is there at all. */
function unwritten(beats: readonly FileBlock[], prose: readonly FileBlock[]): AnalysisFinding[] {
  const written = new Set(prose.map(({ path }) => path));
  const missing = beats
    .flatMap(({ path }) => chapterNumber(path) ?? [])
    .filter((number) => !written.has(chapterPath("prose", number)));
  if (prose.length === 0 || missing.length === 0) return [];
  const which = `${missing.slice(0, 10).join(", ")}${missing.length > 10 ? " …" : ""}`;
  return [soft(`${missing.length} of ${beats.length - 1} chapters have no prose: ${which}.`)];
}

function missingEvents(beats: readonly FileBlock[], { path, content }: FileBlock): AnalysisFinding[] {
  const plan = beats.find((file) => file.path === planOf(path));
  const events = readBeat(plan?.content ?? "", "Key Events")?.match(/^[ \t]*(?:[-*+]|\d+[.)])[ \t]+.+$/gm) ?? [];
  const has = new Set(wordsOf(content).map(({ text }) => stemOf(text)));
  return events.flatMap((event) => {
    const long = wordsOf(event).filter(({ text }) => text.length >= 4);
    const words = [...new Set(long.map(({ text }) => stemOf(text)))];
    if (words.length < LEAST_WORDS || words.filter((word) => has.has(word)).length / words.length >= SHARE) return [];
    const shown = shorten(event.replace(/^[ \t]*(?:[-*+]|\d+[.)])[ \t]+/, ""), 90).replace(/\.$/, "");
    return [soft(`${path} seems to leave out a key event: '${shown}'.`)];
  });
}

/** Endings of words change; their beginnings hardly do. */
function stemOf(word: string): string {
  return foldWord(word).slice(0, 5);
}

function spaced(text: string): string {
  return ` ${foldWord(text)
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()} `;
}

/** Nobody wants these in a novel. */
const alwaysBanned: readonly string[] = [
  "as an ai",
  "as a language model",
  "i cannot fulfill",
  "i can't assist with",
  "lorem ipsum",
  "[insert",
  "===file:",
  "===end file===",
];

/** Where phrases stand that should not: case and kind of space do not matter. */
export function findBannedPhrases(files: readonly FileBlock[], banned: readonly string[]): AnalysisFinding[] {
  const patterns = [...new Set([...banned, ...alwaysBanned])].map((phrase) => ({ phrase, pattern: patternOf(phrase) }));
  return files.flatMap(({ path, content }) =>
    patterns.flatMap(({ phrase, pattern }) =>
      Array.from(content.matchAll(pattern), ({ index }) => hard(`${placeAt(path, content, index)} has '${phrase}'.`)),
    ),
  );
}

/** Whole words where the phrase begins or ends with one. */
function patternOf(phrase: string): RegExp {
  const words = phrase
    .trim()
    .split(/\s+/)
    .map((word) => word.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&").replace(/['’]/g, "['’]"));
  const before = /^\s*[\p{L}\p{N}]/u.test(phrase) ? "(?<![\\p{L}\\p{N}])" : "";
  const after = /[\p{L}\p{N}]\s*$/u.test(phrase) ? "(?![\\p{L}\\p{N}])" : "";
  return new RegExp(`${before}${words.join("\\s+")}${after}`, "giu");
}

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
