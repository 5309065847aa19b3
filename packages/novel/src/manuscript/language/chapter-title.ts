// The number in a chapter's title, in any language that is known: found, and put there anew where chapters move.

import { NUMBER_WORDS, numberToRoman, numberToWord, wordToNumber } from "../numbers.ts";
import { bookWords, otherChapterWords } from "./words.ts";

const CHAPTER = [...new Set([...Object.values(bookWords).map(({ chapter }) => chapter), ...otherChapterWords])].join(
  "|",
);
/** `Chapter 12: …`, `Kapitel XII`, `Chapter Twelve`, `12. …`, `第12章`. */
const PATTERNS = [
  new RegExp(`^((?:${CHAPTER})\\s+)(\\d{1,4}|[ivxlc]+|${NUMBER_WORDS})(?![\\p{L}\\p{N}'’-])([\\s\\S]*)$`, "iu"),
  /^(第\s*)(\d{1,4})(\s*章[\s\S]*)$/u,
  /^(제\s*)(\d{1,4})(\s*장[\s\S]*)$/u,
  /^()(\d{1,4})((?:[.:)]|\s*[–—-])(?:\s[\s\S]*)?|)$/u,
];

/** A title with a chapter's number in it. */
export interface NumberedTitle {
  lead: string;
  /** As it is written. */
  written: string;
  number: number;
  rest: string;
}

/** A title's number and what stands round it; undefined where it has none. */
export function readChapterTitle(title: string): NumberedTitle | undefined {
  for (const pattern of PATTERNS) {
    const [, lead = "", written = "", rest = ""] = pattern.exec(title.trim()) ?? [];
    const number = written === "" ? undefined : wordToNumber(written);
    if (number !== undefined) return { lead, written, number, rest };
  }
  return undefined;
}

/** The number that a title counts itself by, in words: a bare figure may be a year. */
export function countedTitle(title: string): number | undefined {
  const found = readChapterTitle(title);
  return found && found.lead !== "" ? found.number : undefined;
}

/** A title with another number, written as the old one was. */
export function renumberTitle(title: string, number: number): string {
  const found = readChapterTitle(title);
  if (!found) return title;
  return `${found.lead}${writtenLike(found.written, number)}${found.rest}`;
}

/** What a title says beside its number: `The Mill` of `Chapter 3: The Mill`. */
export function bareTitle(title: string): string {
  const found = readChapterTitle(title);
  return (found ? found.rest.replace(/^\s*(?:章|장)?\s*[.:)–—-]*\s*/u, "") : title).trim();
}

function writtenLike(old: string, number: number): string {
  if (/^\d+$/.test(old)) return String(number);
  const isUpper = old === old.toUpperCase();
  if (/^[ivxlc]+$/i.test(old)) return isUpper ? numberToRoman(number).toUpperCase() : numberToRoman(number);
  const word = numberToWord(number);
  if (isUpper) return word.toUpperCase();
  return /^\p{Lu}/u.test(old) ? word[0]!.toUpperCase() + word.slice(1) : word;
}
