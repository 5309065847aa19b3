// What files say in a task's words: in their text, in the names that they define, and in their paths. A word that few files hold
// weighs most. Pure.

import type { FileBlock } from "@loopwright/workspace";
import { factsOf } from "./facts.ts";
import { identifiersIn, type Terms, termCounter, wordsOf } from "./words.ts";

/** What a file says in the words of a task. */
export interface Heard {
  text: number;
  definitions: number;
  path: number;
  /** Its words of the task, the heaviest first. */
  words: readonly string[];
  /** The names that it defines in these words, the heaviest first. */
  names: readonly string[];
}

const SATURATION = 1.2;
const LENGTH = 0.6;

/** What each of these files says. */
export function hear(terms: Terms, files: readonly FileBlock[]): Map<string, Heard> {
  const count = termCounter(terms);
  const counts = files.map(({ path, content }) => count(factsOf(path, content).identifiers));
  const rarity = rarityOf(counts, files.length);
  const pathCounts = files.map(({ path }) => count(identifiersIn(path)));
  const pathRarity = rarityOf(pathCounts, files.length);
  const defined = files.map(({ path, content }) => definedTerms(terms, path, content));
  const definedRarity = rarityOf(defined, files.length);
  const mean = files.reduce((sum, { content }) => sum + content.length, 0) / Math.max(1, files.length);
  const heard = files.map(({ path, content }, at): [string, Heard] => {
    const norm = SATURATION * (1 - LENGTH + (LENGTH * content.length) / (mean + 1));
    const weigh = (term: string) => (terms.get(term) ?? 0) * (rarity.get(term) ?? 0);
    const words = [...counts[at]!.keys()].sort((a, b) => weigh(b) - weigh(a));
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
function definedTerms(terms: Terms, path: string, content: string): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const { name } of factsOf(path, content).definitions) {
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
