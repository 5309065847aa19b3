// Which files a question is about: those that it names, those that hold what it quotes, and those in which its names and rarer
// words stand. Plain search: no model is asked.

import { foldWord, wordsOf } from "../manuscript/analysis/text.ts";
import { bookPart, chapterNumber, countWords, partsNamed, titleOf } from "../manuscript/index.ts";
import { isFiller } from "../reach/fillers.ts";
import { numbersNamed } from "../reach/named.ts";
import { isName } from "../reach/names.ts";
import { indexLevel, stemOf } from "../reach/word-index.ts";
import type { FileBlock } from "../types.ts";
import { quotedIn } from "./quotes.ts";

/** A file, and how much a question has to do with it: Infinity where it is named, 0 where nothing of it stands there. */
export interface Hit {
  file: FileBlock;
  score: number;
}

/** How much a title counts, and a name; how soon more of the same word says no more; what the question before counts. */
const TITLE = 3;
const NAMED = 2;
const ENOUGH = 1.5;
const BEFORE = 0.3;

/** A word that more of the files have is no hint at any of them. */
const COMMON = 0.6;

/** Files with how much a question has to do with each, in their order; the question before counts a little. */
export function findFiles(files: readonly FileBlock[], question: string, before = ""): Hit[] {
  const isNamed = namedIn(files, question);
  const level = indexLevel(files);
  const terms = [...termsOf(question, 1), ...termsOf(before, BEFORE)].map((term) => ({
    ...term,
    weight: term.weight * (isName(term.word, level, {}) ? NAMED : 1),
  }));
  const titles = files.map(({ content }) => new Set(wordsOf(titleOf(content) ?? "").map(({ text }) => stemOf(text))));
  const sizes = files.map(({ content }) => countWords(content));
  const average = Math.max(1, sizes.reduce((sum, size) => sum + size, 0) / Math.max(1, files.length));
  const scores = files.map(() => 0);
  for (const { word, weight } of terms) {
    const counts = level.files.map(({ wordCount }) => wordCount(word));
    const inTitle = titles.map((title) => title.has(stemOf(word)));
    const having = files.filter((_, at) => counts[at]! > 0 || inTitle[at]).length;
    if (having > Math.max(3, files.length * COMMON)) continue;
    const rarity = Math.max(0, Math.log((files.length + 1) / (having + 0.5)));
    counts.forEach((count, at) => {
      const share = count === 0 ? 0 : count / (count + ENOUGH * (sizes[at]! / average));
      scores[at]! += rarity * weight * (share + (inTitle[at] ? TITLE : 0));
    });
  }
  return files.map((file, at) => ({ file, score: isNamed(file) ? Number.POSITIVE_INFINITY : scores[at]! }));
}

/** Whether a file is named by its number or as a part of the book, or holds what is quoted. */
function namedIn(files: readonly FileBlock[], question: string): (file: FileBlock) => boolean {
  const numbers = new Set(numbersNamed(question, Math.max(0, ...files.map(({ path }) => chapterNumber(path) ?? 0))));
  const parts = new Set<string>(partsNamed(question).map(({ part }) => part));
  const quotes = quotedIn(question).map(foldText);
  return ({ path, content }) =>
    numbers.has(chapterNumber(path) ?? 0) ||
    parts.has(bookPart(path) ?? "") ||
    (quotes.length > 0 && quotes.some((each) => foldText(content).includes(each)));
}

function termsOf(text: string, weight: number): { word: string; weight: number }[] {
  const told = wordsOf(text)
    .map(({ text: word }) => word)
    .filter((word) => (word.length > 3 || /^\p{Lu}\p{Ll}/u.test(word)) && !isFiller(word));
  return [...new Map(told.map((word) => [stemOf(word), { word, weight }])).values()];
}

function foldText(text: string): string {
  return foldWord(text.replace(/[’‘]/g, "'")).replace(/\s+/g, " ").trim();
}
