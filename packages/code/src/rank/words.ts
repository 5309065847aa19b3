// The words of a task, and what files say in them: an identifier is a word, and so is each of its parts, however they are written
// together (`do_xmlattr`, `FileSystemLoader`). A word that few files hold weighs most. Pure.

import type { FileBlock } from "@loopwright/workspace";
import { factsOf, IDENTIFIER, type Identifiers, identifiersIn } from "./facts.ts";

const SHORTEST = 3;

/** Words that say nothing about a program, most of them of how people write about changes. */
const IDLE = new Set(
  `the and for with from that this these those when where which while what who why how not are was were has have had been being
  but can could should would will shall may might must does did done into onto over under upon than then there here them they their
  its our your you some any all each every both other others another such same only also just even still very more most less
  least much many few one two new old now use used uses using user users make makes made making get gets set sets add adds added
  adding remove removes removed fix fixes fixed fixing bug bugs issue issues patch patches change changes changed upstream debian
  commit author origin forwarded applied subject description date thanks note see http https www com org github because since
  before after without within between through about against via per like due instead otherwise however therefore allow allows
  allowed need needs needed case cases way ways work works file files code line lines self return true false none null import
  class def function const let var string value values name names type types error errors test tests`.split(/\s+/),
);

/** A word of a task, and what it weighs beside the others. */
export type Terms = ReadonlyMap<string, number>;

const CODE = 3;
const PART = 0.5;

/** The words of a task: names of code weigh more than prose, and parts of names less than the whole. */
export function termsOf(task: string): Terms {
  const quoted = new Set([...task.matchAll(/`([^`\n]+)`/g)].flatMap(([, text]) => text!.match(IDENTIFIER) ?? []));
  const terms = new Map<string, number>();
  const raise = (term: string, weight: number, isShort = false) => {
    if ((term.length >= SHORTEST || isShort) && !IDLE.has(term))
      terms.set(term, Math.max(terms.get(term) ?? 0, weight));
  };
  for (const word of new Set(task.match(IDENTIFIER) ?? [])) {
    const isCode = quoted.has(word) || isName(word) || new RegExp(`\\b${quotable(word)}\\(`).test(task);
    const [whole, ...parts] = wordsOf(word);
    raise(whole!, isCode ? CODE : 1, /^[A-Z]{2}$/.test(word));
    for (const part of parts) raise(part, PART);
  }
  return terms;
}

/** Whether a word is written as names in programs are and words of prose are not. */
export function isName(word: string): boolean {
  return /[a-z0-9]_[a-z0-9]|[a-z][A-Z]|^_+[a-z]|[A-Z]_[A-Z]/i.test(word) && /_|[a-z][A-Z]/.test(word);
}

function quotable(word: string): string {
  return word.replaceAll("$", "\\$");
}

/** An identifier as a word, then its parts where it has several; plurals as the singular. */
export function wordsOf(identifier: string): string[] {
  const parts = identifier.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g) ?? [];
  const whole = stemOf(identifier);
  return parts.length < 2 ? [whole] : [...new Set([whole, ...parts.map(stemOf)])];
}

function stemOf(word: string): string {
  const lower = word.toLowerCase();
  return lower.length > SHORTEST && /[^s]s$/.test(lower) ? lower.slice(0, -1) : lower;
}

/** How often a text holds each of the terms; one counter serves many texts. */
export function termCounter(terms: Terms): (identifiers: Identifiers) => Map<string, number> {
  const known = new Map<string, readonly string[]>();
  const heard = (identifier: string) => {
    const found = wordsOf(identifier).filter((word) => terms.has(word));
    known.set(identifier, found);
    return found;
  };
  return (identifiers) => {
    const found = new Map<string, number>();
    for (const [name, count] of identifiers)
      for (const term of known.get(name) ?? heard(name)) found.set(term, (found.get(term) ?? 0) + count);
    return found;
  };
}

/** What a file says in the words of a task. */
export interface Heard {
  text: number;
  definitions: number;
  path: number;
  /** Its words of the task with what they weigh, the heaviest first. */
  words: ReadonlyMap<string, number>;
  /** The names that it defines in these words, the heaviest first. */
  names: readonly string[];
}

const SATURATION = 1.2;
const LENGTH = 0.6;

/** What each of these files says. */
export function hear(terms: Terms, files: readonly FileBlock[]): Map<string, Heard> {
  const count = termCounter(terms);
  const counts = files.map((file) => count(factsOf(file).identifiers ?? identifiersIn(file.content)));
  const rarity = rarityOf(counts, files.length);
  const pathCounts = files.map(({ path }) => count(identifiersIn(path)));
  const pathRarity = rarityOf(pathCounts, files.length);
  const defined = files.map((file) => definedTerms(terms, file));
  const definedRarity = rarityOf(defined, files.length);
  const mean = files.reduce((sum, { content }) => sum + content.length, 0) / Math.max(1, files.length);
  const heard = files.map(({ path, content }, at): [string, Heard] => {
    const norm = SATURATION * (1 - LENGTH + (LENGTH * content.length) / (mean + 1));
    const weigh = (term: string) => (terms.get(term) ?? 0) * (rarity.get(term) ?? 0);
    const words = new Map(
      [...counts[at]!.keys()].map((term) => [term, weigh(term)] as const).sort(([, a], [, b]) => b - a),
    );
    const text = sum([...counts[at]!].map(([term, n]) => (weigh(term) * n * (SATURATION + 1)) / (n + norm)));
    const worth = (term: string) => (terms.get(term) ?? 0) * (definedRarity.get(term) ?? 0);
    const names = [...defined[at]!].sort(([a], [b]) => worth(b) - worth(a)).flatMap(([, each]) => [...each]);
    const baseWords = new Set(count(identifiersIn(path.slice(path.lastIndexOf("/") + 1))).keys());
    const inPath = [...pathCounts[at]!.keys()].map(
      (term) => Math.min(1, terms.get(term) ?? 0) * (pathRarity.get(term) ?? 0) * (baseWords.has(term) ? 1 : FOLDER),
    );
    const definitions = sum([...defined[at]!.keys()].map(worth));
    return [path, { text, definitions, path: sum(inPath), words, names }];
  });
  return new Map(heard);
}

/** A word in a folder's name speaks for many files. */
const FOLDER = 0.5;

/** The terms that a file defines a name of, whole, with the names as they are written. */
function definedTerms(terms: Terms, file: FileBlock): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const { name } of factsOf(file).definitions) {
    const [whole] = wordsOf(name);
    if (terms.has(whole!)) found.set(whole!, (found.get(whole!) ?? new Set()).add(name));
  }
  return found;
}

function rarityOf(counts: readonly ReadonlyMap<string, unknown>[], files: number): Map<string, number> {
  const holders = new Map<string, number>();
  for (const each of counts) for (const term of each.keys()) holders.set(term, (holders.get(term) ?? 0) + 1);
  return new Map([...holders].map(([term, n]) => [term, Math.log(1 + (files - n + 0.5) / (n + 0.5))]));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
