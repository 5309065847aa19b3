// Which files of a repository a task is about, by its words and by where its failing tests end. Pure.

import type { FileBlock } from "@loopwright/workspace";

/** A file that a task may be about, and the lines of it that were named. */
export interface Relevant {
  path: string;
  lines: number[];
}

const WORD = /[A-Za-z_][A-Za-z0-9_]{2,}/g;
/** What a line of a failure that was traced to it weighs, beside words. */
const TRACED = 4;
const MOST_OF_ONE_WORD = 4;
/** What a word weighs in a path, beside one in a text. */
const PATH_WORD = 16;

/** The files that matter most, the first above the others; those that no word and no trace leads to are left out. */
export function relevantFiles(task: string, failures: string, files: readonly FileBlock[], most: number): Relevant[] {
  const traced = tracedLines(failures);
  const words = rareWords(task, files);
  const names = pathWords(task, files);
  const scored = files.map(({ path, content }) => {
    const lines = traced.get(path) ?? [];
    const counts = countWords(`${path}\n${content}`);
    const heard = [...words].map(([word, weight]) => weight * Math.min(counts.get(word) ?? 0, MOST_OF_ONE_WORD));
    const named = partsOf(path).map((part) => names.get(part) ?? 0);
    const score = [...heard, ...named].reduce((sum, each) => sum + each, 0) / Math.log(content.length + 10);
    return { path, content, lines, score: score + (lines.length > 0 ? TRACED + lines.length : 0) };
  });
  return scored
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1))
    .slice(0, most)
    .map(({ path, content, lines }) => ({ path, lines: [...linesWith(content, words), ...lines] }));
}

/** Words of a task that few files hold, each with a weight: the fewer, the heavier; names of code are worth more. */
function rareWords(task: string, files: readonly FileBlock[]): Map<string, number> {
  const named = new Set([...task.matchAll(/`([^`\n]+)`/g)].flatMap(([, text]) => text!.match(WORD) ?? []));
  const isCode = (word: string) => named.has(word) || /_|[a-z][A-Z]/.test(word);
  const wanted = new Set(task.match(WORD) ?? []);
  const holders = new Map<string, number>();
  for (const { path, content } of files)
    for (const word of countWords(`${path}\n${content}`).keys())
      if (wanted.has(word)) holders.set(word, (holders.get(word) ?? 0) + 1);
  const weights = [...holders].map(
    ([word, count]) => [word, Math.log((files.length + 1) / count) ** 2 * (isCode(word) ? 4 : 1)] as const,
  );
  return new Map(weights.filter(([, weight]) => weight > 1).sort(([, a], [, b]) => b - a));
}

/** Words of a task that stand in the paths of few files, however they are written, with their weights. */
function pathWords(task: string, files: readonly FileBlock[]): Map<string, number> {
  const wanted = new Set((task.match(/[A-Za-z]+/g) ?? []).map(stemOf).filter((word) => word.length > 2));
  const holders = new Map<string, number>();
  for (const { path } of files)
    for (const part of partsOf(path)) if (wanted.has(part)) holders.set(part, (holders.get(part) ?? 0) + 1);
  return new Map([...holders].map(([part, count]) => [part, PATH_WORD * Math.log((files.length + 1) / count) ** 2]));
}

function partsOf(path: string): string[] {
  return [...new Set((path.match(/[A-Za-z]+/g) ?? []).map(stemOf))];
}

function stemOf(word: string): string {
  return word.toLowerCase().replace(/(?:eter)?s$/, "");
}

/** A word is also each part of one: `xmlattr` is a word of `do_xmlattr`. */
function countWords(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of text.match(WORD) ?? [])
    for (const each of word.includes("_") ? [word, ...word.split("_")] : [word])
      counts.set(each, (counts.get(each) ?? 0) + 1);
  return counts;
}

const HEAVIEST = 3;
const MOST_LINES = 8;

/** The lines that hold the heaviest words, from 1. */
function linesWith(content: string, words: ReadonlyMap<string, number>): number[] {
  const heaviest = [...words.keys()].filter((word) => content.includes(word)).slice(0, HEAVIEST);
  const found = content
    .split("\n")
    .flatMap((line, at) => (heaviest.some((word) => line.includes(word)) ? [at + 1] : []));
  return found.slice(0, MOST_LINES);
}

/** Places of the workspace that failures name: `src/a.py:12`, `/workspace/src/a.js:3:5`. */
function tracedLines(failures: string): Map<string, number[]> {
  const found = new Map<string, number[]>();
  for (const [, path, line] of failures.matchAll(/(?:\/workspace\/)?([\w./-]+\.\w{1,4}):(\d+)/g)) {
    const known = found.get(path!) ?? [];
    if (!known.includes(Number(line))) found.set(path!, [...known, Number(line)]);
  }
  return found;
}
