// style.md: the author's rules, and a sample of the voice. What stands under a heading that names a sample is the sample,
// to the next heading of the same depth; everything else is rules. And the goals that project.yaml has.

import type { ProjectFile } from "../manuscript/files/schemas.ts";
import { plainLines, sectionsOf, shorten, withoutComments } from "../manuscript/words.ts";

/** What style.md says. */
export interface Style {
  rules: string;
  sample: string;
}

const HEADING = /^(#{1,6})[ \t]+(.*)$/;
const SAMPLE = /\bsample\b/i;

/** Rules and sample of a style.md; both empty where there is none. */
export function readStyle(text = ""): Style {
  const rules: string[] = [];
  const sample: string[] = [];
  let depth: number | undefined;
  for (const line of withoutComments(plainLines(text)).split("\n")) {
    const [, marks, title = ""] = HEADING.exec(line) ?? [];
    if (marks !== undefined && (depth === undefined || marks.length <= depth)) {
      depth = SAMPLE.test(title) ? marks.length : undefined;
      if (depth !== undefined) continue;
    }
    (depth === undefined ? rules : sample).push(line);
  }
  return { rules: withoutEmptyTitle(textOf(rules)), sample: textOf(sample) };
}

/** Lines as a text, without the room that comments have left. */
function textOf(lines: readonly string[]): string {
  return lines
    .join("\n")
    .replace(/\n(?:[ \t]*\n)+/g, "\n\n")
    .trim();
}

/** A title with nothing under it says nothing. */
function withoutEmptyTitle(rules: string): string {
  return /[^\s#]/.test(rules.replace(/^#{1,6}[ \t].*$/gm, "")) ? rules : "";
}

/** The goal that project.yaml names for a chapter; undefined where it names none. */
export function goalOf({ word_goals, chapter_words }: ProjectFile, chapter: number): number | undefined {
  return word_goals?.[String(chapter)] ?? chapter_words;
}

/** A chapter that loses more than this is said to. */
export const SHRUNK = 0.3;

/** How far a chapter may be from its goal. */
const TOLERANCE = 0.25;

/** The goal that a chapter of so many words is too far from; undefined where it is near enough, or has none. */
export function missedGoal(project: ProjectFile, chapter: number, words: number): number | undefined {
  const goal = goalOf(project, chapter);
  return goal !== undefined && Math.abs(words - goal) > goal * TOLERANCE ? goal : undefined;
}

/** The goals as a writer is told them; empty where there are none. */
export function goalLines({ word_goals = {}, chapter_words }: ProjectFile): string[] {
  const own = Object.entries(word_goals)
    .sort(([a], [b]) => Number(a) - Number(b))
    .map(([chapter, words]) => `chapter ${chapter}: about ${words} words`);
  const every = own.length > 0 ? "every other chapter" : "every chapter";
  return [...own, ...(chapter_words === undefined ? [] : [`${every}: about ${chapter_words} words`])];
}

interface Character {
  name: string;
  /** What the foundation says of them, in a line. */
  about: string;
}

const LONGEST = 220;
const SECTION = /\b(?:characters?|cast)\b/i;
const ITEM = /^[ \t]*(?:[-*+]|\d+[.)])[ \t]+/;
/** `**Mara Voss** (58): …`, `Mara: …`, `Mara — …`; a name begins with a capital, or has no case at all. */
const NAMED =
  /^(?:\*\*|__)?(\p{Lu}[\p{L}'’.-]*(?:[ ](?:\p{Lu}|von|van|de|da|of|the|del|la|le|al)[\p{L}'’.-]*){0,4}|\p{Lo}{1,8})(?:\*\*|__)?[ ]*(?:\([^)]*\))?[ ]*(?:\*\*)?[:：—–,][ ]*(?:\*\*)?[ ]*(\S.*)$/u;

/** The characters that a foundation names. */
export function castOf(foundation: string): Character[] {
  const sections = sectionsOf(foundation);
  const at = sections.findIndex(({ title }) => SECTION.test(title));
  if (at < 0) return [];
  const { depth, body } = sections[at]!;
  const end = sections.findIndex((section, index) => index > at && section.depth <= depth);
  const below = sections.slice(at + 1, end < 0 ? undefined : end);
  const named = below.map(({ title, body: text }) => ({ name: plain(title), about: shorten(text, LONGEST) }));
  // A line may name several: what begins in bold after a sentence's end is somebody else.
  const listed = body.split(/\n|(?<=[.!?…])[ ]+(?=\*\*\p{Lu})/u).flatMap((line) => readLine(line.replace(ITEM, "")));
  return unique([...named.filter(({ name }) => name !== ""), ...listed]);
}

function readLine(line: string): Character[] {
  const [, name, about] = NAMED.exec(line.trim()) ?? [];
  return name === undefined || about === undefined ? [] : [{ name: plain(name), about: shorten(about, LONGEST) }];
}

function plain(text: string): string {
  return text
    .replace(/[*_`]/g, "")
    .replace(/\s*[(:—–].*$/, "")
    .trim();
}

/** The same people, each once. */
function unique(cast: readonly Character[]): Character[] {
  return cast.filter(({ name }, index) => cast.findIndex((other) => other.name === name) === index);
}
