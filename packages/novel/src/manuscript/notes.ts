// What is odd about a level's folder. Files that look like chapters and are not read are named, so that none is missed.

import type { Level } from "../types.ts";
import { chapterNumber, chapterPath, folderOf } from "./files/layout.ts";

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
export function gapsOf(numbers: readonly number[]): number[] {
  const there = new Set(numbers);
  const highest = Math.max(0, ...numbers);
  return Array.from({ length: highest }, (_, index) => index + 1).filter((number) => !there.has(number));
}
