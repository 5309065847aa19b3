// What a person calls a file of the project: `chapter-3`, `3`, `foundation`, `treatment`, or its path.

import { bookPart, chapterNumber, FOUNDATION_PATH, PREMISE_PATH, TREATMENT_PATH } from "../../layout.ts";

const CHAPTER = /^(?:chapters?-?)?0*(\d+)(?:\.md)?$/;

/** Whether a name means the file of that path. */
export function fitsName(path: string, name: string): boolean {
  const word = name.trim().toLowerCase().replace(/\s+/g, "-");
  if (word === path.toLowerCase() || word === path.slice(path.lastIndexOf("/") + 1).toLowerCase()) return true;
  const number = CHAPTER.exec(word)?.[1];
  if (number !== undefined) return chapterNumber(path) === Number(number);
  const part = bookPart(path);
  if (part !== undefined) return word === part;
  if (word === "foundation") return path === FOUNDATION_PATH;
  if (word === "premise") return path === PREMISE_PATH;
  return word === "treatment" && path === TREATMENT_PATH;
}
