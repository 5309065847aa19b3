// Count and order of chapters: from 1 without a gap, as many as before unless the writer says another number;
// and what is odd about the names in a folder of chapters.

import type { FileBlock, Level } from "../../types.ts";
import { bookPart, type ChapteredLevel, chapterNumber, chapterPath, folderOf } from "../files/layout.ts";
import { countOf } from "../words.ts";
import { type FormatOptions, isOwnWork } from "./text.ts";

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
