// Names that change their spelling: a rare one that is almost a frequent one. Only for scripts with capital letters. German
// writes every noun with one: there a name is what hardly ever has an article before it.

import type { FileBlock } from "../../types.ts";
import { FOUNDATION_PATH } from "../files/layout.ts";
import { detectLanguage } from "../language/detect.ts";
import type { AnalysisFinding } from "./finding.ts";
import { bodyOf, foldWord, lineFinder, wordsOf } from "./text.ts";

interface Name {
  name: string;
  count: number;
  /** Of those, how many stand inside a sentence. */
  inside: number;
  /** How many have an article or the like before them, at once or before an adjective. */
  determined: number;
  path: string;
  line: number;
}

const SHORTEST = 4;
/** So often must the right spelling come, and so many times more often than the other. */
const FREQUENT = 3;
const TIMES = 3;
/** So rarely may a German name have an article: a title or a figure of speech may bring one. */
const DETERMINED = 0.1;
const DETERMINER =
  /(?<!\p{L})(?:d(?:er|ie|as|em|en|es)|(?:ein|kein|mein|dein|sein|ihr|unser|euer|dies|jen|jed|welch|manch|solch|viel|wenig|all|beid)(?:e[mnrs]?)?|[ai]m|vom|zu[mr]|beim|[ai]ns|aufs|zwei|drei|vier)\s+(?:\p{Ll}+(?:e|e[mnrs])\s+)?$/iu;
const STARTS_SENTENCE = /(?:^|[.!?…:;"“”«»‘(*_\n—–-])\s*$/;

/** Pairs of names of which one looks like a misspelling of the other. */
export function findNameSpellings(files: readonly FileBlock[], language?: string): AnalysisFinding[] {
  const names = namesOf(files);
  const spoken = language ?? detectLanguage(files.map(({ content }) => content.slice(0, 2_000)).join("\n"));
  if (spoken?.startsWith("de"))
    for (const [name, { count, determined }] of names) if (determined > count * DETERMINED) names.delete(name);
  const foundation = files.find(({ path }) => path === FOUNDATION_PATH);
  const cast = new Set(foundation ? wordsOf(foundation.content).map(({ text }) => text) : []);
  const byKey = new Map<string, Name[]>();
  for (const name of names.values()) {
    for (const key of keysOf(name.name)) byKey.set(key, [...(byKey.get(key) ?? []), name]);
  }
  const found = new Map<string, AnalysisFinding>();
  for (const rare of names.values()) {
    const likely = [...new Set(keysOf(rare.name).flatMap((key) => byKey.get(key) ?? []))]
      .filter((other) => isMisspelling(rare, other) && !(cast.has(rare.name) && cast.has(other.name)))
      .sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1))[0];
    if (!likely) continue;
    const times = rare.count === 1 ? "once" : `${rare.count} times`;
    const message = `'${rare.name}' (${times}) may be '${likely.name}' (${likely.count} times): ${rare.path}:${rare.line}.`;
    found.set(rare.name, {
      code: "NAME_SPELLING",
      severity: "soft",
      priority: 2,
      message,
      path: rare.path,
      line: rare.line,
    });
  }
  return [...found.values()];
}

/** Words that are written with a capital inside a sentence, and never small. */
function namesOf(files: readonly FileBlock[]): Map<string, Name> {
  const names = new Map<string, Name>();
  const small = new Set<string>();
  for (const file of files) {
    const body = bodyOf(file);
    const lineOf = lineFinder(body);
    for (const { text, at } of wordsOf(body)) {
      if (!/^\p{Lu}/u.test(text)) {
        small.add(foldWord(text));
        continue;
      }
      if (text.length < SHORTEST || text === text.toUpperCase()) continue;
      const isInside = !STARTS_SENTENCE.test(body.slice(Math.max(0, at - 4), at));
      const known = names.get(text) ?? newName(text, file.path, lineOf(at));
      known.count++;
      known.inside += Number(isInside);
      known.determined += Number(DETERMINER.test(body.slice(Math.max(0, at - 40), at)));
      names.set(text, known);
    }
  }
  for (const [name, { inside }] of names) if (inside === 0 || small.has(foldWord(name))) names.delete(name);
  return names;
}

function newName(name: string, path: string, line: number): Name {
  return { name, count: 0, inside: 0, determined: 0, path, line };
}

function isMisspelling(rare: Name, other: Name): boolean {
  if (rare === other || other.count < FREQUENT || other.count < rare.count * TIMES) return false;
  const [a, b] = [foldWord(rare.name), foldWord(other.name)];
  if (a === b) return true;
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  // One may be the plural, or the name of a people.
  return !/^(?:e?s|n|an|ian|ish)$/.test(long.startsWith(short) ? long.slice(short.length) : "-") && isNear(a, b);
}

/** Whether two words differ by one letter, or by two neighbors that changed places. */
function isNear(a: string, b: string): boolean {
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  const [restA, restB] = [a.slice(start), b.slice(start)];
  if (restA.slice(1) === restB.slice(1) || restA.slice(1) === restB || restA === restB.slice(1)) return true;
  return restA[0] === restB[1] && restA[1] === restB[0] && restA.slice(2) === restB.slice(2);
}

/** Keys that two near words share: the word itself, and the word with each letter left out. */
function keysOf(name: string): string[] {
  const word = foldWord(name);
  return [word, ...Array.from(word, (_, at) => word.slice(0, at) + word.slice(at + 1))];
}
