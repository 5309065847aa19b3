// The words of a level, counted: in each file, and over all of them with how they are written, for a name is never small.

import { bodyOf, foldWord, wordsOf } from "../manuscript/analysis/text.ts";
import { detectLanguage } from "../manuscript/language/detect.ts";
import type { FileBlock } from "../types.ts";

export interface IndexedFile {
  path: string;
  /** Without headings and comments. */
  body: string;
  /** How often a name stands there to the letter, or with its genitive; and a word, whatever its ending. */
  nameCount(name: string): number;
  wordCount(word: string): number;
  /** How often words stand there one after the other, whatever their endings. */
  phraseCount(words: readonly string[]): number;
}

/** How a word is written over the whole level. */
export interface Writing {
  small: number;
  capital: number;
  /** Of those with a capital: how many stand inside a sentence, and how many follow an article or the like. */
  inside: number;
  determined: number;
}

export interface IndexedLevel {
  files: IndexedFile[];
  /** Whether every noun has a capital, as in German. */
  hasCapitalNouns: boolean;
  writingOf(word: string): Writing;
}

const CAPITAL_NOUNS = new Set(["de", "lb"]);
const STARTS_SENTENCE = /(?:^|[.!?…:;"“”„«»‘(*_\n—–-])\s*$/;
/** What stands before a noun, and hardly ever before a name. */
const DETERMINER =
  /(?<![\p{L}])(?:der|die|das|den|dem|des|ein(?:e[mnrs]?)?|(?:k|m|d|s)ein(?:e[mnrs]?)?|ihre?[mnrs]?|unsere?[mnrs]?|diese[mnrs]?|jede[mnrs]?|jene[mnrs]?|welche[mnrs]?|manche[mnrs]?|alle[mnrs]?|viele[nr]?|im|am|ins|ans|vom|zum|zur|beim)\s+(?:\p{Ll}+(?:e|en|er|es|em)\s+)?$/iu;

/** Counts the words of a level. */
export function indexLevel(files: readonly FileBlock[], language = ""): IndexedLevel {
  const writings = new Map<string, Writing>();
  const bodies = files.map((file) => ({ path: file.path, body: bodyOf(file) }));
  const sample = bodies
    .map(({ body }) => body.slice(0, 2_000))
    .join("\n")
    .slice(0, 8_000);
  const tag = (language === "" ? (detectLanguage(sample) ?? "") : language).toLowerCase().split(/[-_]/, 1)[0]!;
  const hasCapitalNouns = CAPITAL_NOUNS.has(tag);
  const indexed = bodies.map(({ path, body }) => {
    const names = new Map<string, number>();
    const stems = new Map<string, number>();
    const order: string[] = [];
    for (const { text, small, at } of wordsOf(body)) {
      const bare = withoutElision(text);
      const parts = stemsOf(text);
      order.push(...parts);
      for (const stem of new Set([stemOf(text), ...parts])) count(stems, stem);
      const writing = writings.get(small) ?? { small: 0, capital: 0, inside: 0, determined: 0 };
      writings.set(small, writing);
      if (bare !== text) count(names, bare);
      if (!/^\p{Lu}/u.test(text)) {
        writing.small++;
        continue;
      }
      count(names, text);
      writing.capital++;
      if (!STARTS_SENTENCE.test(body.slice(Math.max(0, at - 4), at))) writing.inside++;
      if (hasCapitalNouns && DETERMINER.test(body.slice(Math.max(0, at - 40), at))) writing.determined++;
    }
    return {
      ...{ path, body },
      nameCount: (name: string) => (names.get(name) ?? 0) + (hasCapitalNouns ? (names.get(`${name}s`) ?? 0) : 0),
      wordCount: (word: string) => stems.get(stemOf(word)) ?? 0,
      phraseCount: (words: readonly string[]) => countRuns(words.flatMap(stemsOf), order),
    };
  });
  const none: Writing = { small: 0, capital: 0, inside: 0, determined: 0 };
  return { files: indexed, hasCapitalNouns, writingOf: (word) => writings.get(word.toLowerCase()) ?? none };
}

/** How often words stand one after the other in a text, all as stems. */
export function countRuns(wanted: readonly string[], order: readonly string[]): number {
  return order.filter((_, at) => wanted.every((stem, next) => order[at + next] === stem)).length;
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** What French and Italian join to the word after it: `l'épicière`, `d'Armelle`, `dell'acqua`. */
const ELIDED =
  /^(?:[cdjlmnst]|(?:jus|lors|puis|quoi)?qu|(?:d|n|s|c)?all|dell|nell|dall|sull|un|quest|quell)['’](?=\p{L}{2})/iu;

function withoutElision(word: string): string {
  return word.replace(ELIDED, "");
}

/** Endings of words in Latin letters; what is left has at least four, and three before an "s". */
const ENDING = /(?<=^.{4,})(?:ings?|ed|ern|ers?|ens?|em|es|e)$|(?<=^.{2,}[^s])s$/;
const known = new Map<string, string>();

/** A word without its endings, as far as that can be done in any language. */
export function stemOf(word: string): string {
  const found = known.get(word);
  if (found !== undefined) return found;
  if (known.size > 100_000) known.clear();
  const stem = withoutEndings(withoutElision(foldWord(word)));
  known.set(word, stem);
  return stem;
}

/** The same for each part of a word with hyphens: supper stands in `supper-table`. */
export function stemsOf(word: string): string[] {
  return word
    .split("-")
    .filter((part) => part !== "")
    .map(stemOf);
}

function withoutEndings(word: string): string {
  if (!/^\p{Script=Latin}/u.test(word)) return word.length > 5 ? word.slice(0, Math.max(5, word.length - 3)) : word;
  return word.replace(/(?<=^.{3,})ies$/, "y").replace(ENDING, "");
}
