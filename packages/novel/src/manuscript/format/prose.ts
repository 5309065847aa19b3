// Prose: a title and the text of a chapter, whole.

import type { FileBlock } from "../../types.ts";
import { chapterNumber, isTold } from "../files/layout.ts";
import { hasWords, sectionsOf, titleOf } from "../headings.ts";
import { numberInTitle } from "./chapters.ts";
import { checkCount } from "./count.ts";
import { checkWhole, type FormatOptions, isOwnWork } from "./text.ts";

/** What is wrong with the level. */
export function checkProse(files: readonly FileBlock[], options: FormatOptions): string[] {
  const before = new Map(options.previous.map(({ path, content }) => [path, content]));
  return [
    ...checkCount("prose", files, options),
    ...files.flatMap((file) => checkChapter(file, before.get(file.path), isOwnWork(options))),
  ];
}

/** What is wrong with one chapter; `before` is its text as it was. */
export function checkChapter({ path, content }: FileBlock, before: string | undefined, isOwn = false): string[] {
  const problems = checkWhole(path, content, true, isOwn);
  if (problems.length > 0) return problems;
  const [first] = sectionsOf(content);
  // A chapter that a person wrote without a title may stay so.
  const mayLackTitle = (before !== undefined && titleOf(before) === undefined) || !isTold(path);
  if (!mayLackTitle && first?.depth !== 1) {
    return [`${path} does not begin with a title: its first line must be '# ' and the title of the chapter.`];
  }
  const number = numberInTitle(first?.title);
  // An imported book may count in another way, by parts or without its prologue.
  const counted = numberInTitle(titleOf(before ?? ""));
  if (number !== undefined && number !== chapterNumber(path) && number !== counted) {
    return [`${path} has the title '${first!.title}': the chapters are not in order.`];
  }
  return hasWords(
    content
      .split("\n")
      .slice(first?.line ?? 0)
      .join("\n"),
  )
    ? []
    : [`${path} has a title and no text.`];
}
