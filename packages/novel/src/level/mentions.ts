// Where words stand in the files of a level: how often in each, and what stands around them. Words are looked for as they are written,
// also inside longer ones; which of them matter is for the reader of the feedback to say.

import { plainLines } from "../manuscript/words.ts";
import type { FileBlock } from "../types.ts";

/** So many words are told of, the rarest; and so many signs around one are shown. */
const MOST_WORDS = 16;
const EXCERPT = 120;

interface Looked {
  pattern: RegExp;
  /** In how many places. */
  total: number;
}

/** For each file in which one of the words stands, a line: `Mara ×12, lamp ×1 ("She lit the lamp.")`, with so many excerpts at most. */
export function mentionsOf(words: readonly string[], files: readonly FileBlock[], most = 1): Map<string, string> {
  const texts = files.map(({ path, content }) => ({ path, text: plainLines(content).replace(/\s+/g, " ") }));
  const counted = [...new Set(words.map((word) => word.trim().toLowerCase()).filter(Boolean))]
    .map((word) => ({ word, pattern: patternOf(word) }))
    .map((each) => ({ ...each, counts: texts.map(({ text }) => [...text.matchAll(each.pattern)].length) }))
    .map((each) => ({ ...each, total: each.counts.reduce((sum, count) => sum + count, 0) }))
    .filter(({ total }) => total > 0)
    .sort((a, b) => a.total - b.total)
    .slice(0, MOST_WORDS);
  const lines = texts.flatMap(({ path, text }, at): [string, string][] => {
    const here = counted.filter(({ counts }) => counts[at]! > 0);
    if (here.length === 0) return [];
    const counts = here.map(({ word, counts }) => `${word} ×${counts[at]}`).join(", ");
    return [[path, `${counts} (${excerptsOf(text, here, most).join(" … ")})`]];
  });
  return new Map(lines);
}

/** What stands around the words: once for each, the rarest first, then once more for each; no place is shown twice. */
function excerptsOf(text: string, words: readonly Looked[], most: number): string[] {
  const places = words.map(({ pattern }) => [...text.matchAll(pattern)].map(({ index }) => index));
  const longest = Math.max(...places.map(({ length }) => length));
  const inTurn = Array.from({ length: longest }, (_, turn) => places.flatMap((each) => each[turn] ?? [])).flat();
  const chosen: number[] = [];
  for (const place of inTurn) {
    if (chosen.length === most) break;
    if (chosen.every((other) => Math.abs(other - place) > EXCERPT / 2)) chosen.push(place);
  }
  return chosen.sort((a, b) => a - b).map((place) => `"${around(text, place)}"`);
}

/** Whole words around a place. */
function around(text: string, place: number): string {
  const from = Math.max(0, place - EXCERPT / 2);
  const to = Math.min(text.length, place + EXCERPT / 2);
  const cut = text.slice(from, to);
  return (from > 0 ? cut.replace(/^\S*\s/, "") : cut).replace(to < text.length ? /\s\S*$/ : "", "").trim();
}

/** A word also inside longer ones; one of few letters only where a word begins with it. */
function patternOf(word: string): RegExp {
  const isShort = word.length < 5 && /^[\p{L}\p{N}]/u.test(word) && !/\p{Ideographic}/u.test(word);
  return new RegExp((isShort ? "(?<![\\p{L}\\p{N}])" : "") + word.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"), "giu");
}
