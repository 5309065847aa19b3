// Chapter beats: a foundation (metadata, characters, world), and for each chapter a title and seven things about it.

import type { FileBlock } from "../../types.ts";
import { chapterNumber, FOUNDATION_PATH, nameOf } from "../files/layout.ts";
import { hasWords, saysSomething, sectionsOf } from "../headings.ts";
import { checkCount } from "./count.ts";
import { checkWhole, type FormatOptions, isOwnWork } from "./text.ts";

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
export function checkChapters(files: readonly FileBlock[], options: FormatOptions): string[] {
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
  const number = numberInTitle(first?.title);
  if (first?.depth !== 1) problems.push(`${path} does not begin with a title ('# ${titleFor(path)}').`);
  else if (number !== undefined && number !== chapterNumber(path)) {
    problems.push(`${path} has the title '${first.title}': the chapters are not in order.`);
  }
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

/** The number that a title counts itself by: `Chapter 12: …`. */
export function numberInTitle(title = ""): number | undefined {
  const digits = /^chapter\s+(\d{1,4})\b/i.exec(title)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
