// The checks of an analysis: what project.yaml and the plan ask for, and what comes again.

import { goalOf, missedGoal } from "../../style/style.ts";
import type { FileBlock } from "../../types.ts";
import { chapterNumber, chapterPath } from "../files/layout.ts";
import type { ProjectFile } from "../files/schemas.ts";
import { countOf, countWords, shorten, withoutComments } from "../words.ts";

/** One finding of an analysis; its message names its place. */
export interface AnalysisFinding {
  severity: "hard" | "soft";
  message: string;
}

export const hard = (message: string): AnalysisFinding => ({ severity: "hard", message });
export const soft = (message: string): AnalysisFinding => ({ severity: "soft", message });

interface PlacedWord {
  /** As it stands, and in small letters. */
  text: string;
  small: string;
  at: number;
}

/** A hyphen joins what stands on both of its sides; two of them are a dash. */
const WORD = /\p{L}(?:[\p{L}\p{M}\p{N}'’]|-(?!-))*/gu;

/** A text without comments and headings, every other sign where it was. */
function bodyOf({ content }: FileBlock): string {
  const blank = (found: string) => found.replace(/[^\n]/g, " ");
  return withoutComments(content).replace(/^ {0,3}#{1,6}[ \t].*$/gm, blank);
}

/** The words of a text in order. */
export function wordsOf(text: string): PlacedWord[] {
  return Array.from(text.matchAll(WORD), ({ 0: word, index }) => {
    const plain = word.replace(/[’']s?$|-+$/u, "");
    return { text: plain, small: plain.toLowerCase(), at: index };
  });
}

/** `chapters/chapter-03.md:12`: the line of a place in a file. */
function placeAt(path: string, text: string, at: number): string {
  return `${path}:${text.slice(0, at).split("\n").length}`;
}

/** Chapters that have beats and no prose, once prose is there at all. */
export function findUnwritten(beats: readonly FileBlock[], prose: readonly FileBlock[]): AnalysisFinding[] {
  const written = new Set(prose.map(({ path }) => path));
  const missing = beats
    .flatMap(({ path }) => chapterNumber(path) ?? [])
    .filter((number) => !written.has(chapterPath("prose", number)));
  if (prose.length === 0 || missing.length === 0) return [];
  const which = `${missing.slice(0, 10).join(", ")}${missing.length > 10 ? " …" : ""}`;
  return [soft(`${missing.length} of ${beats.length - 1} chapters have no prose: ${which}.`)];
}

/** Where phrases stand that should not: case and kind of space do not matter. */
export function findBannedPhrases(files: readonly FileBlock[], banned: readonly string[]): AnalysisFinding[] {
  const patterns = [...new Set(banned)].map((phrase) => ({ phrase, pattern: patternOf(phrase) }));
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

/** Words of a phrase, and how often it must come. */
const PHRASE = 6;
const OFTEN = 3;
const LONG_PARAGRAPH = 20;
const MOST_FINDINGS = 25;

/** What comes again. */
export function findRepetitions(prose: readonly FileBlock[]): AnalysisFinding[] {
  const texts = prose.map((file) => ({ path: file.path, body: bodyOf(file) }));
  return [...repeatedParagraphs(texts), ...repeatedPhrases(texts)];
}

type Texts = readonly { path: string; body: string }[];

function repeatedParagraphs(texts: Texts): AnalysisFinding[] {
  const places = new Map<string, string[]>();
  for (const { path, body } of texts) {
    for (const { 0: paragraph, index } of body.matchAll(/[^\n]+(?:\n(?![ \t]*\n)[^\n]+)*/g)) {
      const words = wordsOf(paragraph).map(({ small }) => small);
      if (words.length < LONG_PARAGRAPH) continue;
      const key = words.join(" ");
      places.set(key, [...(places.get(key) ?? []), placeAt(path, body, index)]);
    }
  }
  return [...places]
    .filter(([, found]) => found.length > 1)
    .slice(0, MOST_FINDINGS)
    .map(([words, found]) =>
      hard(`A paragraph comes ${found.length} times ('${shorten(words, 60)}'): ${placesText(found)}.`),
    );
}

function repeatedPhrases(texts: Texts): AnalysisFinding[] {
  const counts = new Map<string, number>();
  const read = texts.map(({ path, body }) => {
    const words = wordsOf(body);
    const phraseAt = (from: number, to = from) =>
      words
        .slice(from, to + PHRASE)
        .map(({ small }) => small)
        .join(" ");
    const grams = words.slice(PHRASE - 1).map((_, from) => phraseAt(from));
    for (const gram of grams) counts.set(gram, (counts.get(gram) ?? 0) + 1);
    return { grams, phraseAt, placeOf: (from: number) => placeAt(path, body, words[from]!.at) };
  });
  const phrases = new Map<string, string[]>();
  for (const { grams, phraseAt, placeOf } of read) {
    for (let from = 0; from < grams.length; from++) {
      const count = counts.get(grams[from]!)!;
      if (count < OFTEN) continue;
      // Phrases that overlap and come equally often are one longer phrase.
      let to = from;
      while (counts.get(grams[to + 1] ?? "") === count) to++;
      const phrase = phraseAt(from, to);
      phrases.set(phrase, [...(phrases.get(phrase) ?? []), placeOf(from)]);
      from = to + PHRASE - 1;
    }
  }
  return [...phrases]
    .filter(([, places]) => places.length >= OFTEN)
    .sort(([a, places], [b, others]) => others.length - places.length || b.length - a.length)
    .slice(0, MOST_FINDINGS)
    .map(([phrase, places]) => soft(`'${shorten(phrase, 80)}' comes ${places.length} times: ${placesText(places)}.`));
}

function placesText(places: readonly string[]): string {
  const shown = places.slice(0, 5).join(", ");
  return places.length > 5 ? `${shown} and ${countOf(places.length - 5, "place")} more` : shown;
}
