// The words after a command, split at spaces, with quotation marks for those that hold one, as in `what="a gray scar"`; and what a
// person calls a file of the project: `chapter-3`, `3`, `foundation`, or its path.

import { bookPart, chapterNumber, FOUNDATION_PATH, PREMISE_PATH, TREATMENT_PATH } from "../../layout.ts";

/** The words of a text. */
export function splitWords(text: string): string[] {
  const found = text.matchAll(
    /([\p{L}\p{N}_-]+=)?(?:"([^"]*)"|'([^']*)'|“([^”]*)”|„([^“”"]*)[“”"]|»([^«]*)«|«([^»]*)»)|((?:\\.|[^\s\\])+)|\\/gu,
  );
  return [...found].map(([all, name = "", ...groups]) => {
    const bare = groups.pop();
    const quoted = groups.find((each) => each !== undefined);
    return quoted === undefined ? (bare?.replace(/\\(.)/g, "$1") ?? all) : name + quoted;
  });
}

/** The first word, and all that comes after it as it stands. */
export function firstWord(text: string): [word: string, rest: string] {
  const [, word = "", rest = ""] = /^\s*(\S*)\s*([\s\S]*)$/.exec(text) ?? [];
  return [word, rest.trimEnd()];
}

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
