// Names that change their spelling: a capital word that is almost a name of the foundation, and much rarer.

import { castOf } from "../../style/cast.ts";
import type { FileBlock } from "../../types.ts";
import { FOUNDATION_PATH } from "../files/layout.ts";
import { type AnalysisFinding, bodyOf, foldWord, placeAt, soft, wordsOf } from "./text.ts";

const SHORTEST = 4;
/** So many times more often must the right spelling come. */
const TIMES = 3;

interface Written {
  count: number;
  place: string;
}

/** Words that look like misspellings of the characters' names. */
export function findNameSpellings(files: readonly FileBlock[]): AnalysisFinding[] {
  const foundation = files.find(({ path }) => path === FOUNDATION_PATH)?.content ?? "";
  const names = castOf(foundation).flatMap(({ name }) => wordsOf(name).map(({ text }) => text));
  const told = new Set(wordsOf(foundation).map(({ text }) => text));
  const written = capitalWords(files);
  return [...written].flatMap(([word, { count, place }]) => {
    const meant = names.find(
      (name) =>
        name !== word &&
        name.length >= SHORTEST &&
        isNear(foldWord(word), foldWord(name)) &&
        (written.get(name)?.count ?? 0) >= TIMES * count,
    );
    if (meant === undefined || told.has(word)) return [];
    const [times, right] = [count === 1 ? "once" : `${count} times`, written.get(meant)!.count];
    return [soft(`'${word}' (${times}) may be '${meant}' (${right} times): ${place}.`)];
  });
}

function capitalWords(files: readonly FileBlock[]): Map<string, Written> {
  const written = new Map<string, Written>();
  for (const file of files) {
    const body = bodyOf(file);
    for (const { text, at } of wordsOf(body)) {
      if (text.length < SHORTEST || !/^\p{Lu}/u.test(text) || text === text.toUpperCase()) continue;
      const { count, place } = written.get(text) ?? { count: 0, place: placeAt(file.path, body, at) };
      written.set(text, { count: count + 1, place });
    }
  }
  return written;
}

/** Whether two words differ by one letter inside them, or by two neighbors that changed places: a letter more at the end is an ending. */
function isNear(a: string, b: string): boolean {
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  const [restA, restB] = [a.slice(start), b.slice(start)];
  if (restA === "" || restB === "") return restA === restB;
  if (restA.slice(1) === restB.slice(1) || restA.slice(1) === restB || restA === restB.slice(1)) return true;
  return restA[0] === restB[1] && restA[1] === restB[0] && restA.slice(2) === restB.slice(2);
}
