// Checks that every text of a writer has to stand: it is whole, no chapter is missing, and what is kept was not changed.

import type { FileBlock, Level } from "../../types.ts";
import {
  bookPart,
  type ChapteredLevel,
  chapterNumber,
  chapterPath,
  comparePaths,
  folderOf,
  nameOf,
} from "../files/layout.ts";
import type { ProjectFile } from "../files/schemas.ts";
import { countOf, hasWords, plainLines, shorten, withoutComments } from "../words.ts";

/** What the form of an answer is checked against. */
export interface FormatOptions {
  /** The level as it was; empty for a first generation. */
  previous: readonly FileBlock[];
  project: ProjectFile;
  /** Whether the level did not exist before. */
  isFirst: boolean;
  /**
   * The feedback. A level that is changed without any is a person's own
   * work: any number of chapters will do, and a text may stop where it likes.
   */
  feedback?: readonly string[];
  /** How many chapters there must be, where the caller knows. */
  chapters?: number;
  /** Whether the level may stay as it is, as where it only follows a change elsewhere. */
  mayStay?: boolean;
  /** How many chapters the writer said there would be. */
  declared?: number;
}

/** Whether a text is a person's own. */
export function isOwnWork({ isFirst, feedback = [] }: FormatOptions): boolean {
  return !isFirst && feedback.length === 0;
}

// Not a class of all of them: before `$`, Node 26 finds no sign of an emoji in one.
const ENDS_WELL = /(?:\p{P}|\p{S}|\p{Extended_Pictographic}|\ufe0f)$/u;
const ENDS_OPEN = /[,;:\p{Ps}]$/u;

/** The last words of a text that stops in the middle of a sentence; undefined where it does not, or it cannot be told. */
export function findTruncatedEnd(text: string): string | undefined {
  const plain = withoutComments(text).trimEnd();
  const paragraphs = plain
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => hasWords(paragraph) && !/^(?:#|[-*+] |\d+[.)] |\|)/.test(paragraph));
  const last = paragraphs.pop();
  // A signature or "The End" is short, and some languages and verses end no sentence with a sign.
  if (last === undefined || last.split(/\s+/).length < 6 || !plain.endsWith(last)) return undefined;
  const whole = paragraphs.filter((paragraph) => ENDS_WELL.test(paragraph)).length;
  if (paragraphs.length > 0 && whole / paragraphs.length < 0.8) return undefined;
  if (paragraphs.length === 0 && !/[.!?。！？؟।]/u.test(last)) return undefined;
  return !ENDS_WELL.test(last) || ENDS_OPEN.test(last) ? `…${shorten([...last].slice(-60).join(""), 70)}` : undefined;
}

/** What is wrong with any text of a file; `isOwnWork` where a person wrote it. */
export function checkWhole(path: string, text: string, isProse: boolean, isOwnWork: boolean): string[] {
  if (!hasWords(text)) return [`${path} is empty: give the whole text.`];
  if (isOwnWork) return [];
  const truncated = isProse ? findTruncatedEnd(text) : undefined;
  return truncated === undefined
    ? []
    : [`${path} stops in the middle of a sentence ('${truncated}'): give it to its end.`];
}

// Count and order of chapters: from 1 without a gap, as many as before unless the writer says another number;
// and what is odd about the names in a folder of chapters.

/** The chapters that a level must have; undefined where any number will do. */
function expectedChapters(options: FormatOptions): number | undefined {
  const { chapters, isFirst, previous, project, declared } = options;
  if (chapters !== undefined) return chapters;
  if (isFirst) return project.chapters;
  if (isOwnWork(options)) return undefined;
  return declared ?? (numbersOf(previous).length || undefined);
}

/** What is wrong with the number and the order of chapters. */
export function checkCount(level: ChapteredLevel, files: readonly FileBlock[], options: FormatOptions): string[] {
  const numbers = numbersOf(files);
  // Prose of which only a prologue is there may stay so.
  const hadNone = options.previous.length > 0 && options.previous.every(({ path }) => bookPart(path) !== undefined);
  if (numbers.length === 0 && hadNone && !options.isFirst) return missingParts(files, options);
  if (numbers.length === 0) return ["There is no chapter: give each one as a file of its own."];
  const problems = missingParts(files, options);
  const twice = numbers.filter((number, index) => numbers.indexOf(number) < index);
  if (twice.length > 0) problems.push(`${listOf(level, twice)} is given twice: give each chapter once.`);
  const gaps = gapsOf(numbers);
  const expected = expectedChapters(options);
  if (expected === undefined || numbers.length === expected) {
    return gaps.length > 0
      ? [...problems, `${listOf(level, gaps)} is missing: number chapters from 1 without a gap.`]
      : problems;
  }
  const before = numbersOf(options.previous).length;
  const missing = Array.from({ length: expected }, (_, index) => index + 1).filter((each) => !numbers.includes(each));
  const which = missing.length > 0 ? ` Missing: ${listOf(level, missing)}.` : "";
  const wayOut =
    options.chapters === undefined && !options.isFirst && expected === before
      ? ` If the feedback asks for another number of chapters, say so with a line ===CHAPTERS: ${numbers.length}=== before the first file.`
      : "";
  return [
    ...problems,
    `There are ${countOf(numbers.length, "chapter")} where there must be ${expected}.${which}${wayOut}`,
  ];
}

/** Parts without a number that are no longer there, though nobody asked for other chapters or parts. */
function missingParts(files: readonly FileBlock[], options: FormatOptions): string[] {
  if (options.isFirst || isOwnWork(options) || options.declared !== undefined) return [];
  const there = new Set(files.map(({ path }) => path));
  const missing = options.previous.filter(({ path }) => bookPart(path) !== undefined && !there.has(path));
  return missing.map(({ path }) => `${path} is missing: give it too.`);
}

/** The numbers of the chapters among files. */
export function numbersOf(files: readonly FileBlock[]): number[] {
  return files.flatMap(({ path }) => chapterNumber(path) ?? []);
}

function listOf(level: ChapteredLevel, numbers: readonly number[]): string {
  const shown = numbers.slice(0, 5).map((number) => chapterPath(level, number));
  return numbers.length > 5 ? `${shown.join(", ")} and ${numbers.length - 5} more` : shown.join(", ");
}

/** Odd things about the names in a level's folder, in sentences. */
export function notesOf(level: Level, names: readonly string[]): string[] {
  if (level !== "chapters" && level !== "prose") return [];
  const notes: string[] = [];
  for (const name of [...names].sort()) {
    const number = Number(/^chapter[ _-]*0*(\d{1,4})\.(?:md|markdown|txt)$/i.exec(name)?.[1] ?? 0);
    if (number === 0 || chapterNumber(name) !== undefined) continue;
    notes.push(`${folderOf(level)}/${name} is not read: a chapter's file is named ${chapterPath(level, number)}.`);
  }
  const numbers = names.flatMap((name) => chapterNumber(name) ?? []);
  for (const gap of gapsOf(numbers)) notes.push(`${chapterPath(level, gap)} is missing between other chapters.`);
  return notes;
}

/** The numbers that are missing below the highest. */
function gapsOf(numbers: readonly number[]): number[] {
  const there = new Set(numbers);
  const highest = Math.max(0, ...numbers);
  return Array.from({ length: highest }, (_, index) => index + 1).filter((number) => !there.has(number));
}

// Passages between <!-- keep --> and <!-- /keep --> may not change. That is checked here, not by a judge.

/** A passage that is kept, and its file. */
interface KeptPassage {
  path: string;
  passage: string;
}

const OPEN = /<!--\s*keep\s*-->/gi;
const CLOSE = /<!--\s*\/\s*keep\s*-->/gi;

const KEEP = "<!-- keep -->";
const END_KEEP = "<!-- /keep -->";

/** The passages of a text that are kept, without their marks. One that is never closed goes to the end. */
export function keptPassages(text: string): string[] {
  const plain = plainLines(text);
  const passages: string[] = [];
  for (let at = 0; ; ) {
    OPEN.lastIndex = at;
    const open = OPEN.exec(plain);
    if (!open) return passages;
    CLOSE.lastIndex = OPEN.lastIndex;
    const close = CLOSE.exec(plain);
    passages.push(plain.slice(OPEN.lastIndex, close?.index ?? plain.length));
    if (!close) return passages;
    at = CLOSE.lastIndex;
  }
}

/** The passages of a level that are kept, with the file of each. */
export function keptOf(files: readonly FileBlock[]): KeptPassage[] {
  return files.flatMap(({ path, content }) => keptPassages(content).map((passage) => ({ path, passage })));
}

/** Kept passages that are not in the new text as they were, in sentences. */
export function checkKept(before: readonly FileBlock[], after: readonly FileBlock[]): string[] {
  const kept = keptOf(before);
  if (kept.length === 0) return [];
  // Where there are other chapters than before, a passage may have moved along with its chapter.
  const mayMove = pathsOf(before) !== pathsOf(after);
  const now = keptOf(after);
  return kept.flatMap(({ path, passage }) => {
    const found = now.findIndex((each) => each.passage.trim() === passage.trim() && (mayMove || each.path === path));
    if (found < 0) return [problemOf(path, passage, after)];
    now.splice(found, 1);
    return [];
  });
}

/** A kept passage in a few words: `chapter 3 ('The lamp …')`. */
export function describeKept({ path, passage }: KeptPassage): string {
  return `${nameOf(path)} ('${shorten(passage.trim(), 60)}')`;
}

/** Puts marks back round passages whose text is there as it was, but whose marks a writer has left out. */
export function restoreMarks(before: readonly FileBlock[], after: readonly FileBlock[]): FileBlock[] {
  const kept = keptOf(before);
  const problems = kept.length === 0 ? 0 : checkKept(before, after).length;
  if (problems === 0) return [...after];
  const restored = after.map((file) => {
    let { content } = file;
    for (const { path, passage } of kept) {
      const text = passage.trim();
      if (path !== file.path || text === "" || keptPassages(content).some((each) => each.trim() === text)) continue;
      const at = content.indexOf(text);
      if (at < 0 || content.indexOf(text, at + 1) >= 0) continue;
      const [lead, tail] = [
        passage.slice(0, passage.indexOf(text)),
        passage.slice(passage.indexOf(text) + text.length),
      ];
      content = `${content.slice(0, at)}${KEEP}${lead}${text}${tail}${END_KEEP}${content.slice(at + text.length)}`;
    }
    return { ...file, content };
  });
  return checkKept(before, restored).length < problems ? restored : [...after];
}

function problemOf(path: string, passage: string, after: readonly FileBlock[]): string {
  const text = passage.trim();
  const shown = `'${shorten(text, 80)}'`;
  const lacksMarks = text !== "" && after.some(({ content }) => plainLines(content).includes(text));
  const why = lacksMarks
    ? `is there, but not where it was between its marks: leave ${KEEP} and ${END_KEEP} round it in ${path}`
    : `was changed: give it word for word between ${KEEP} and ${END_KEEP} in ${path}`;
  return `A kept passage of ${nameOf(path)} (${shown}) ${why}.`;
}

function pathsOf(files: readonly FileBlock[]): string {
  return files
    .map(({ path }) => path)
    .sort(comparePaths)
    .join("\n");
}
