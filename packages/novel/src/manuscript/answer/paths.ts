// Paths as models write them: with another folder, no folder, one digit or three. What is meant is clear, so it is taken.

import {
  bookPart,
  type ChapteredLevel,
  chapterPath,
  FOUNDATION_PATH,
  isContent,
  MOST_CHAPTERS,
  partPath,
} from "../files/layout.ts";

/** The file of a level that a path means; undefined where it means none. */
export function fileNamed(level: ChapteredLevel, given: string): string | undefined {
  const name = given.replaceAll("\\", "/").split("/").at(-1)!.trim().toLowerCase();
  if (level === "chapters" && /^foundation(?:\.md)?$/.test(name)) return FOUNDATION_PATH;
  const part = bookPart(`${name.replace(/\.md$/, "").replace(/[ _]/g, "-")}.md`);
  if (part !== undefined) return isContent(level, partPath(level, part)) ? partPath(level, part) : undefined;
  const number = Number(/^chapter[ _-]*0*(\d{1,4})(?:\.md)?$/.exec(name)?.[1] ?? 0);
  return number >= 1 && number <= MOST_CHAPTERS ? chapterPath(level, number) : undefined;
}
