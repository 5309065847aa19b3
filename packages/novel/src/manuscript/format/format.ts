// The format of each level, checked before any judge sees the text. Every problem is a sentence that its writer can act on.

import { FormatError, SECRET_MARK } from "@loopwright/core";
import { parseObject } from "@loopwright/models";
import type { FileBlock, Level } from "../../types.ts";
import {
  chapterNumber,
  FOUNDATION_PATH,
  isContent,
  isTold,
  nameOf,
  PREMISE_PATH,
  TREATMENT_PATH,
} from "../files/layout.ts";
import { PremiseMetadata } from "../files/schemas.ts";
import { hasWords, plainLines, saysSomething, sectionsOf, titleOf } from "../words.ts";
import { checkCount, checkWhole, type FormatOptions, isOwnWork } from "./text.ts";

/** More would only bury the first. */
const MOST_PROBLEMS = 12;

/** What is wrong with a level's files, in sentences; nothing where they are right. */
export function checkFormat(level: Level, files: readonly FileBlock[], options: FormatOptions): string[] {
  const plain = files.map(({ path, content }) => ({ path, content: plainLines(content) }));
  const foreign = plain.filter(({ path }) => !isContent(level, path));
  const problems = foreign.map(({ path }) => `${path} is no file of the level '${level}'.`);
  const own = plain.filter((file) => !foreign.includes(file));
  return limitProblems([...problems, ...checkMarks(own, options), ...checkLevel(level, own, options)]);
}

/** A mark that was not there before stands where a value was taken out of what the writer was shown, or of what was recorded. */
function checkMarks(files: readonly FileBlock[], { previous = [] }: FormatOptions): string[] {
  const marks = (text = "") => text.split(SECRET_MARK).length;
  const before = new Map(previous.map(({ path, content }) => [path, content]));
  return files
    .filter(({ path, content }) => marks(content) > marks(before.get(path)))
    .map(
      ({ path }) =>
        `${path} holds '${SECRET_MARK}', which stands where the value of a key, token or password was taken out.`,
    );
}

/** Not more problems than are of use. */
export function limitProblems(problems: readonly string[]): string[] {
  const distinct = [...new Set(problems)];
  if (distinct.length <= MOST_PROBLEMS) return distinct;
  return [
    ...distinct.slice(0, MOST_PROBLEMS),
    `There are ${distinct.length - MOST_PROBLEMS} more problems of this kind.`,
  ];
}

function checkLevel(level: Level, files: readonly FileBlock[], options: FormatOptions): string[] {
  if (level === "chapters") return checkChapters(files, options);
  if (level === "prose") return checkProse(files, options);
  const path = level === "premise" ? PREMISE_PATH : TREATMENT_PATH;
  const text = files.find((file) => file.path === path)?.content;
  if (text === undefined) return [`${path} is missing.`];
  return level === "premise" ? checkPremise(text) : checkTreatment(text, options);
}

function checkPremise(text: string): string[] {
  try {
    parseObject(text, PremiseMetadata);
    return [];
  } catch (error) {
    if (error instanceof FormatError) return [`${PREMISE_PATH}: ${error.message}`];
    throw error;
  }
}

/** A treatment is a title, and a heading for each act with text under it. */
function checkTreatment(text: string, options: FormatOptions): string[] {
  const problems = checkWhole(TREATMENT_PATH, text, true, isOwnWork(options));
  if (problems.length > 0) return problems;
  const sections = sectionsOf(text);
  if (sections[0]?.depth !== 1) {
    problems.push(`${TREATMENT_PATH} does not begin with a title: its first line must be '# ' and the title.`);
  }
  const acts = sections.flatMap(({ title }, index) => (/\bact\b/i.test(title) && index > 0 ? [index] : []));
  if (acts.length === 0)
    return [...problems, `${TREATMENT_PATH} has no heading for each act: give every act one, such as '## Act 1'.`];
  for (const at of acts) {
    if (!saysSomething(sections, at))
      problems.push(`${TREATMENT_PATH}: '${sections[at]!.title}' has nothing under it.`);
  }
  return problems;
}

/** What is wrong with the level. */
function checkProse(files: readonly FileBlock[], options: FormatOptions): string[] {
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
  return hasWords(
    content
      .split("\n")
      .slice(first?.line ?? 0)
      .join("\n"),
  )
    ? []
    : [`${path} has a title and no text.`];
}

// Chapter beats: a foundation (metadata, characters, world), and for each chapter a title and seven things about it.

/** What a foundation has, in its headings. */
export const foundationParts = ["Metadata", "Characters", "World"] as const;

/** What the beats of a chapter have, as headings or as labels at the beginning of a line. */
export const beatParts = [
  "Act",
  "POV",
  "Key Events",
  "Character Development",
  "Emotional Beat",
  "New Information",
  "Hook",
] as const;

/** What is wrong with the level. */
function checkChapters(files: readonly FileBlock[], options: FormatOptions): string[] {
  const isOwn = isOwnWork(options);
  const foundation = files.find(({ path }) => path === FOUNDATION_PATH);
  return [
    ...checkCount("chapters", files, options),
    ...(foundation ? checkFoundation(foundation.content, isOwn) : [`${FOUNDATION_PATH} is missing.`]),
    ...files.flatMap((file) => (file.path === FOUNDATION_PATH ? [] : checkBeats(file, isOwn))),
  ];
}

function checkFoundation(text: string, isOwn: boolean): string[] {
  const problems = checkWhole(FOUNDATION_PATH, text, false, isOwn);
  if (problems.length > 0) return problems;
  const sections = sectionsOf(text);
  return foundationParts.flatMap((part) => {
    const name = part.replace(/s$/, "").toLowerCase();
    const at = sections.findIndex(({ title }) => title.toLowerCase().includes(name));
    if (at < 0) return [`${FOUNDATION_PATH} has no heading '## ${part}'.`];
    return saysSomething(sections, at) ? [] : [`${FOUNDATION_PATH}: '## ${part}' has nothing under it.`];
  });
}

function checkBeats({ path, content }: FileBlock, isOwn: boolean): string[] {
  const problems = checkWhole(path, content, false, isOwn);
  if (problems.length > 0) return problems;
  const sections = sectionsOf(content);
  const [first] = sections;
  if (first?.depth !== 1) problems.push(`${path} does not begin with a title ('# ${titleFor(path)}').`);
  const lacking = beatParts.filter((part) => !hasWords(readBeat(content, part) ?? ""));
  if (lacking.length > 0)
    problems.push(`${path} lacks: ${lacking.join(", ")}. Give each as a heading ('## Hook') with text under it.`);
  return problems;
}

/** What the beats of a chapter say under a heading or a label; undefined where they have none such. */
export function readBeat(text: string, part: (typeof beatParts)[number]): string | undefined {
  const name = part.replaceAll(" ", "\\s+").replace(/s$/, "s?");
  const heading = new RegExp(`^${name}s?\\s*(?:[:：–—-]\\s*(.*))?$`, "iu");
  const sections = sectionsOf(text);
  const at = sections.findIndex(({ title }) => heading.test(title));
  if (at >= 0) {
    const nested = sections.slice(at + 1).findIndex(({ depth }) => depth <= sections[at]!.depth);
    const own = sections.slice(at, nested < 0 ? undefined : at + 1 + nested);
    const inTitle = heading.exec(sections[at]!.title)?.[1] ?? "";
    return [inTitle, ...own.map(({ body, title }, index) => (index === 0 ? body : `${title}\n${body}`))]
      .join("\n")
      .trim();
  }
  return readLabel(text, name);
}

const ANY_LABEL =
  /^[ \t]*(?:[-*+][ \t]+)?(?:\*\*|__)[^*_\n]{1,60}(?:\*\*|__)|^[ \t]*(?:[-*+][ \t]+)?[\p{Lu}][\p{L} ]{1,30}:|^#/u;

/** `**Key Events:** …` or `POV: …`, with the lines below it up to the next label. */
function readLabel(text: string, name: string): string | undefined {
  const label = new RegExp(
    `^[ \\t]*(?:[-*+][ \\t]+)?(?:\\*\\*|__)?${name}(?:\\s*[:：]\\s*(?:\\*\\*|__)?|(?:\\*\\*|__)\\s*[:：–—-]?)(.*)$`,
    "iu",
  );
  const lines = text.split("\n");
  const at = lines.findIndex((line) => line.length < 2_000 && label.test(line));
  if (at < 0) return undefined;
  const next = lines.slice(at + 1).findIndex((line) => ANY_LABEL.test(line));
  const below = lines.slice(at + 1, next < 0 ? undefined : at + 1 + next);
  return [label.exec(lines[at]!)![1]!, ...below].join("\n").trim();
}

/** A title that would do for a file. */
function titleFor(path: string): string {
  const number = chapterNumber(path);
  return number === undefined ? nameOf(path).replace(/^the /, "") : `Chapter ${number}: …`;
}
