// Checks that every text of a writer has to stand: it is whole, and nothing was left out of it with a note.

import type { FileBlock } from "../../types.ts";
import type { ProjectFile } from "../files/schemas.ts";
import { hasWords } from "../headings.ts";
import { shorten, withoutComments } from "../words.ts";

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

/** A line that stands for text that the writer did not give. */
const ELISION =
  /^[ \t>*_]*[[(<{…]+.{0,40}\b(?:rest of|remainder of|remaining|unchanged|(?:same|continues|remains?) as (?:before|above|in the)|as before|omitted|to be continued below|continues unchanged|keep existing|content here)\b.{0,120}[\])>}…]+[ \t*_.]*$/iu;
const LONGEST_ELISION = 240;
// Not a class of all of them: before `$`, Node 26 finds no sign of an emoji in one.
const ENDS_WELL = /(?:\p{P}|\p{S}|\p{Extended_Pictographic}|\ufe0f)$/u;
const ENDS_OPEN = /[,;:\p{Ps}]$/u;

/** The first line that says that something was left out. */
export function findElision(text: string): string | undefined {
  return text
    .split("\n")
    .find((line) => line.length <= LONGEST_ELISION && ELISION.test(line))
    ?.trim();
}

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
  const elision = findElision(text);
  if (elision !== undefined) return [`${path} leaves text out ('${shorten(elision, 80)}'): give the whole text.`];
  const truncated = isProse ? findTruncatedEnd(text) : undefined;
  return truncated === undefined
    ? []
    : [`${path} stops in the middle of a sentence ('${truncated}'): give it to its end.`];
}
