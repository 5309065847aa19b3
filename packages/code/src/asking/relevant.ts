// Which files of a repository a task is about, by its words and by where its failing tests end. Pure.

import type { FileBlock } from "@loopwright/workspace";

/** A file that a task may be about, and the lines of it that were named. */
export interface Relevant {
  path: string;
  lines: number[];
}

const WORD = /[A-Za-z_][A-Za-z0-9_]{2,}/g;
/** What a line of a failure that was traced to it weighs, beside words. */
const TRACED = 12;
const MOST_OF_ONE_WORD = 4;

/** The files that matter most, the first above the others; those that no word and no trace leads to are left out. */
export function relevantFiles(task: string, failures: string, files: readonly FileBlock[], most: number): Relevant[] {
  const traced = tracedLines(failures);
  const words = rareWords(`${task}\n${failures}`, files);
  const scored = files.map(({ path, content }) => {
    const lines = traced.get(path) ?? [];
    let score = lines.length > 0 ? TRACED + lines.length : 0;
    const counts = countWords(`${path}\n${content}`);
    for (const [word, weight] of words) score += weight * Math.min(counts.get(word) ?? 0, MOST_OF_ONE_WORD);
    return { path, lines, score };
  });
  return scored
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1))
    .slice(0, most)
    .map(({ path, lines }) => ({ path, lines }));
}

/** Words of a text that few files hold, each with a weight: the fewer, the heavier. */
function rareWords(text: string, files: readonly FileBlock[]): Map<string, number> {
  const wanted = new Set(text.match(WORD) ?? []);
  const holders = new Map<string, number>();
  for (const { path, content } of files)
    for (const word of countWords(`${path}\n${content}`).keys())
      if (wanted.has(word)) holders.set(word, (holders.get(word) ?? 0) + 1);
  const weights = [...holders].map(([word, count]) => [word, Math.log((files.length + 1) / count)] as const);
  return new Map(weights.filter(([, weight]) => weight > 1));
}

function countWords(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of text.match(WORD) ?? []) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
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
