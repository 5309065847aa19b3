// What of the feedback's own words stands in each file: how often, and where few files have it, with a sentence around it.
//
// Measured, not asked: so the question can show exact mentions, and whoever judges sees what untouched files say of them.

import { wordsOf } from "../manuscript/analysis/text.ts";
import { shorten } from "../manuscript/words.ts";
import { isVague } from "../said/vague.ts";
import type { FileBlock } from "../types.ts";
import { sentencesOf } from "./digest.ts";
import { isFiller } from "./fillers.ts";
import { type BookNames, counterpartsOf, isName } from "./names.ts";
import { countRuns, type IndexedFile, type IndexedLevel, indexLevel, stemOf, stemsOf } from "./word-index.ts";

/** How many sentences of a file are shown, one more of a file that is long in words; and how long each. */
const SENTENCES = 2;
const LONG_FILE = 2_500;
const LONGEST = 160;
/** Shorter words say too little to be looked for. */
const SHORTEST = 4;
/** A word that more of the files have is no hint at any of them; what fewer have is shown with its sentence. */
const COMMON = 0.6;
const RARE = 0.4;
/** More of either would bury the rarest. */
const MOST_TERMS = 8;

interface Term {
  /** A word, or several that stand one after the other. */
  word: string;
  /** What it stands for in the feedback, where that says it otherwise. */
  label?: string;
  countIn(file: IndexedFile): number;
  /** Whether somebody asked for it, beside the feedback. */
  isLooked?: boolean;
  /** How many of the files have it. */
  having: number;
}

/** What is found in each file, by path: in lines, and how much of it only few files have. */
export type Mentions = Map<string, { lines: string[]; weight: number }>;

/** A file's mentions, by path, in lines; rarer terms come first. `words` are looked for as well, and quoted wherever they stand. */
export function mentionsOf(
  feedback: readonly string[],
  files: readonly FileBlock[],
  book: BookNames = {},
  words: readonly string[] = [],
): Map<string, string[]> {
  return new Map([...findMentions(feedback, files, book, words)].map(([path, { lines }]) => [path, lines]));
}

/** What of the feedback's words stands in files. */
export function findMentions(
  feedback: readonly string[],
  files: readonly FileBlock[],
  book: BookNames = {},
  words: readonly string[] = [],
): Mentions {
  const level = indexLevel(files, book.language);
  const all = [...words.map((word) => lookedFor(word, level)), ...termsOf(feedback.join("\n"), level, book)];
  const terms = [...new Map(all.toReversed().map((term) => [keyOf(term.word), term])).values()].toReversed();
  const weightOf = ({ having }: Term) => Math.log(files.length / having);
  return new Map(
    level.files.map((file) => {
      const found = terms.filter((term) => term.countIn(file) > 0);
      const weight = found.reduce((sum, term) => sum + weightOf(term), 0);
      return [file.path, { lines: linesOf(file, level, found), weight }];
    }),
  );
}

function linesOf(file: IndexedFile, level: IndexedLevel, found: readonly Term[]): string[] {
  if (found.length === 0) return [];
  const counted = found.map((term) => {
    const label = term.label === undefined ? "" : ` (${term.label})`;
    return `${term.word}${label} ×${term.countIn(file)}`;
  });
  const rare = found.filter(
    ({ having, isLooked }) => isLooked === true || having <= Math.max(1, level.files.length * RARE),
  );
  const { shown, more } = sentencesWith(rare, file, level);
  const left = more > 0 ? [`and in ${more} more sentence${more === 1 ? "" : "s"}`] : [];
  return [counted.join(", "), ...shown.map((sentence) => `“${sentence}”`), ...left];
}

function lookedFor(text: string, level: IndexedLevel): Term {
  const words = wordsOf(text).map(({ text: word }) => word);
  // A year or an hour has no word in it, an oath such as "d--" hardly one: they are looked for as they stand.
  const isSign = words.every((word) => word.length < 2);
  const countIn = (file: IndexedFile) => (isSign ? file.body.split(text).length - 1 : file.phraseCount(words));
  const having = Math.max(1, level.files.filter((file) => countIn(file) > 0).length);
  return { word: isSign ? text : words.join(" "), countIn, having, isLooked: true };
}

/** The same words, whatever their endings. */
export function keyOf(word: string): string {
  return word.split(" ").map(stemOf).join(" ");
}

/** What is looked for: names as they stand, words that stand side by side, and plain words that only some of the files have. */
function termsOf(text: string, level: IndexedLevel, book: BookNames): Term[] {
  const found = [...new Set(wordsOf(text).map(({ text: word }) => word))];
  const own = found.filter((word) => isName(word, level, book) && !isFiller(word));
  const others = found.filter((word) => !own.includes(word) && word.length >= SHORTEST && !isFiller(word));
  const most = Math.max(2, level.files.length * COMMON);
  const isHint = (word: string) => level.files.filter(({ wordCount }) => wordCount(word) > 0).length <= most;
  const meant = new Map(counterpartsOf(own.concat(others.filter(isHint)), book).map((each) => [each.word, each]));
  for (const word of own) meant.delete(word);
  const term = (each: Pick<Term, "word" | "label">, countIn: Term["countIn"]): Term => ({
    ...{ ...each, countIn },
    having: level.files.filter((file) => countIn(file) > 0).length,
  });
  const names = [...own.map((word) => ({ word })), ...meant.values()].map((each) =>
    term(each, (file) => file.nameCount(each.word)),
  );
  const phrases = pairsOf(text).map((pair) => term({ word: pair.join(" ") }, (file) => file.phraseCount(pair)));
  const plain = [...new Map(others.map((word) => [stemOf(word), word])).values()].map((word) =>
    term({ word }, (file) => file.wordCount(word)),
  );
  const isSome = ({ having }: Term) => having > 0 && having < level.files.length;
  return [
    ...rarest(names.filter(({ having }) => having > 0)),
    ...rarest([...phrases.filter(isSome), ...plain.filter((each) => isSome(each) && each.having <= most)]),
  ];
}

/** Two words that stand side by side and say something together: "the green book". */
function pairsOf(text: string): string[][] {
  const words = wordsOf(text);
  const says = (word: string) => word.length >= SHORTEST && (!isFiller(word) || isVague(word));
  const pairs = words.slice(1).flatMap((second, at) => {
    const first = words[at]!;
    const pair = [first.text, second.text];
    const isTogether = /^\s+$/.test(text.slice(first.at + first.text.length, second.at));
    return isTogether && pair.every(says) && !pair.every(isFiller) ? [pair] : [];
  });
  return [...new Map(pairs.map((pair) => [pair.map(stemOf).join(" "), pair])).values()];
}

function rarest(terms: readonly Term[]): Term[] {
  return [...terms].sort((a, b) => a.having - b.having).slice(0, MOST_TERMS);
}

/** The sentences of a file that say most of what is rare, in their order; each next one for what is not shown yet. */
function sentencesWith(
  terms: readonly Term[],
  { body }: IndexedFile,
  { files }: IndexedLevel,
): { shown: string[]; more: number } {
  const wanted = terms.map(({ word, having }) => ({
    word,
    stems: word.split(" ").flatMap(stemsOf),
    weight: Math.log(1 + files.length / having),
  }));
  const hits = sentencesOf(body).flatMap((sentence, at) => {
    const order = wordsOf(sentence).flatMap(({ text }) => stemsOf(text));
    const said = wanted.filter(
      ({ stems, word }) => countRuns(stems, order) > 0 || (!/\p{L}{2}/u.test(word) && sentence.includes(word)),
    );
    return said.length > 0 ? [{ sentence, at, said }] : [];
  });
  const most =
    SENTENCES + (wordsOf(body).length > LONG_FILE ? 1 : 0) + 2 * terms.filter(({ isLooked }) => isLooked).length;
  const chosen: typeof hits = [];
  let left = new Set(wanted);
  while (chosen.length < most && hits.length > 0) {
    if (!hits.some(({ said }) => said.some((each) => left.has(each)))) left = new Set(wanted);
    const worth = ({ said }: (typeof hits)[number]) =>
      said.reduce((sum, each) => sum + (left.has(each) ? each.weight : 0), 0);
    hits.sort((a, b) => worth(b) - worth(a) || a.at - b.at);
    const best = hits.shift()!;
    chosen.push(best);
    for (const each of best.said) left.delete(each);
  }
  const shown = chosen
    .sort((a, b) => a.at - b.at)
    .map(({ sentence, said }) =>
      cutAround(
        sentence,
        said.map(({ stems }) => stems[0]!),
      ),
    );
  return { shown, more: hits.length };
}

/** A sentence cut to its length, with the first of these words in it. */
function cutAround(sentence: string, stems: readonly string[]): string {
  const found = wordsOf(sentence).find(({ text }) => stemsOf(text).some((stem) => stems.includes(stem)));
  if (sentence.length <= LONGEST || !found || found.at < LONGEST / 2) return shorten(sentence, LONGEST);
  const from = sentence.indexOf(" ", found.at - LONGEST / 2) + 1;
  return `…${shorten(sentence.slice(from), LONGEST - 1)}`;
}
