// Where words stand in the files of a level: how often in each, and a sentence with the rarest. Words are looked for as they are written,
// also inside longer ones; which of them matter is for the reader of the feedback to say.

import { shorten } from "../manuscript/words.ts";
import type { FileBlock } from "../types.ts";
import { sentencesOf } from "./digest.ts";

/** So many words are told of, the rarest; in so many sentences of each file. */
const MOST_WORDS = 16;
const SENTENCES = 2;
const LONGEST = 180;

/** For each file in which one of the words stands, a line: `Mara ×12, lamp ×1 ("She lit the lamp.")`. */
export function mentionsOf(words: readonly string[], files: readonly FileBlock[]): Map<string, string> {
  const texts = files.map(({ path, content }) => ({ path, content, low: content.toLowerCase() }));
  const counted = [...new Set(words.map((word) => word.trim().toLowerCase()))]
    .filter((word) => word !== "")
    .map((word) => ({ word, counts: texts.map(({ low }) => low.split(word).length - 1) }))
    .map((each) => ({ ...each, files: each.counts.filter((count) => count > 0).length }))
    .filter((each) => each.files > 0)
    .sort((a, b) => a.files - b.files)
    .slice(0, MOST_WORDS);
  const lines = texts.flatMap(({ path, content }, at): [string, string][] => {
    const here = counted.filter(({ counts }) => counts[at]! > 0);
    if (here.length === 0) return [];
    const rare = here.filter((each) => each.files <= Math.max(3, files.length / 2)).slice(0, SENTENCES);
    const sentences = rare.length === 0 ? [] : sentencesOf(content);
    const shown = rare.flatMap(({ word }) => sentences.find((each) => each.toLowerCase().includes(word)) ?? []);
    const quotes = [...new Set(shown)].map((sentence) => `"${shorten(sentence, LONGEST)}"`);
    const counts = here.map(({ word, counts }) => `${word} ×${counts[at]}`).join(", ");
    return [[path, quotes.length === 0 ? counts : `${counts} (${quotes.join(" … ")})`]];
  });
  return new Map(lines);
}
