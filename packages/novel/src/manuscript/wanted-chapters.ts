// How many chapters feedback asks for. Only plain cases are read; where it asks in another way, the writer says the number
// (===CHAPTERS: 9===), so that nine chapters instead of ten are never an oversight.

import { NUMBER_WORDS, wordToNumber } from "./numbers.ts";

const NUMBER = `(\\d{1,4}|${NUMBER_WORDS})`;
const AMOUNT = `(?:exactly |only |just )?${NUMBER} chapters\\b`;

/** Patterns that name the number of the whole book; a chapter's own number before them is about something else. */
const ABSOLUTE = [
  `\\b(?:cut|reduc\\w+|shorten|expand|extend|trim|condens\\w+|stretch|compress|lengthen|grow|bring|go|pare|split|divide|restructur\\w+|reorgani[sz]\\w+|rework|rewrite|turn|spread)\\b(?:(?!chapter)[^.;!?\\n]){0,60}?\\b(?:to|into|over|across) ${AMOUNT}`,
  `\\bmake (?:it|this|them|the (?:book|novel|story|whole)) ${AMOUNT}`,
  `\\b(?:should|must|to|will) (?:have|be) ${AMOUNT}(?! (?:long|later|before|after|away|ago|earlier))`,
  `\\b${AMOUNT} (?:in total|altogether|overall|in all)\\b`,
  `\\b(?:total of|exactly) ${AMOUNT}`,
].map((source) => new RegExp(source, "i"));

/** A few words that do not lead elsewhere, as `from` or `in` would. */
const WORDS =
  "(?:(?!(?:from|in|into|of|to|through|at|with|on|for|by|during|over|across|between|before|after|until)\\b)[\\p{L}\\p{N}'’-]+[ ,]+){0,4}?";
const FREE = [
  `\\b(?:remov\\w+|delet\\w+|drop\\w*|cut|cutting|merg\\w+|combin\\w+|split\\w*|divid\\w+|join\\w*|fold\\w*|collaps\\w+|insert\\w*|add|adding) ${WORDS}(?:chapters?|prologue|epilogue|interludes?)\\b`,
  "\\b(?:fewer|more|extra|additional|another|new) chapters?\\b",
  "\\b(?:number of chapters|chapter count)\\b",
].map((source) => new RegExp(source, "iu"));

/** A number of chapters where feedback names one, "free" where it changes which chapters there are, else "same". */
export function wantedChapters(feedback: readonly string[]): number | "free" | "same" {
  const text = feedback.join("\n").replace(/[ \t]+/g, " ");
  for (const pattern of ABSOLUTE) {
    const number = wordToNumber(pattern.exec(text)?.[1] ?? "");
    if (number !== undefined && number > 0) return number;
  }
  return FREE.some((pattern) => pattern.test(text)) ? "free" : "same";
}
