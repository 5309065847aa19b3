// A file in a few sentences of its own: how it begins, how it ends, and those between that most of its recurring words stand in. No
// model is asked: it is the same for the same text, and costs a millisecond.

import { readBeat } from "../manuscript/format/chapters.ts";
import { titleOf } from "../manuscript/headings.ts";
import { countWords, plainLines, shorten, withoutComments } from "../manuscript/words.ts";
import type { FileBlock } from "../types.ts";

/** A file as those are told of it who do not get it whole. */
export interface Digest {
  title: string;
  words: number;
  text: string;
}

/** Signs of a digest, more for a long text; those of its first and last sentence at most. */
const LONGEST = 640;
const LONGEST_OF_LONG = 1_600;
const SIGNS_PER_WORD = 0.3;
const EDGE = 160;
const SENTENCE = 200;

/** A file in a few sentences. */
export function digestOf(file: FileBlock): Digest {
  const title = titleOf(file.content) ?? "";
  const words = countWords(file.content);
  const events = readBeat(file.content, "Key Events");
  if (events) return { title, words, text: shorten(plainList(events), LONGEST) };
  const longest = Math.min(LONGEST_OF_LONG, Math.max(LONGEST, words * SIGNS_PER_WORD));
  const body = withoutComments(plainLines(file.content)).replace(/^#.*$/gm, "");
  return { title, words, text: extract(sentencesOf(body), longest) };
}

/** A list of a plan as one text. */
export function plainList(text: string): string {
  return text
    .replace(/^[ \t]*(?:[-*+]|\d+[.)])[ \t]+/gm, "")
    .replace(/\s+/g, " ")
    .trim();
}

/** Sentences of a text, on one line each. */
export function sentencesOf(text: string): string[] {
  const parts = text.split(/\n\s*\n/).flatMap((paragraph) => [...sentences.segment(paragraph)]);
  return parts
    .map(({ segment }) => segment.replace(/\s+/g, " ").trim())
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
}

const sentences = new Intl.Segmenter(undefined, { granularity: "sentence" });

function extract(all: readonly string[], longest: number): string {
  if (all.length === 0) return "";
  const first = shorten(all[0]!, EDGE);
  const last = all.length > 1 ? shorten(all.at(-1)!, EDGE) : "";
  const weights = weightsOf(all);
  const inner = all
    .slice(1, -1)
    .map((sentence, at) => ({ at, text: shorten(sentence, SENTENCE), weight: scoreOf(sentence, weights) }));
  const chosen: typeof inner = [];
  let room = longest - first.length - last.length;
  for (const each of inner.sort((a, b) => b.weight - a.weight || a.at - b.at)) {
    if (each.text.length > room) continue;
    chosen.push(each);
    room -= each.text.length + 3;
    if (room < 40) break;
  }
  const middle = chosen.sort((a, b) => a.at - b.at).map(({ text }) => text);
  return [first, ...middle, last].filter((part) => part !== "").join(" … ");
}

/** Longer words that come back and say something, each by how often it does; one that is everywhere says nothing. */
function weightsOf(all: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const sentence of all)
    for (const word of wordsIn(sentence)) if (word.length >= 5) counts.set(word, (counts.get(word) ?? 0) + 1);
  const most = Math.max(3, all.length / 5);
  return new Map([...counts].filter(([, count]) => count >= 2 && count <= most));
}

/** The weight of a sentence, for its length: a long one is not better for being long. */
function scoreOf(sentence: string, weights: ReadonlyMap<string, number>): number {
  const words = wordsIn(sentence);
  let sum = 0;
  for (const word of words) sum += weights.get(word) ?? 0;
  return words.size < 4 ? 0 : sum / Math.sqrt(words.size);
}

function wordsIn(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu));
}
