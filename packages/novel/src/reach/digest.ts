// A file in a few sentences of its own: how it begins, how it ends, and those between that most of its recurring words
// stand in. No model is asked: it is the same for the same text, costs a millisecond, and is kept by the text's hash.

import { sha256 } from "@loopwright/core";
import { bodyOf, foldWord, wordsOf } from "../manuscript/analysis/text.ts";
import { readBeat } from "../manuscript/format/chapters.ts";
import { titleOf } from "../manuscript/headings.ts";
import { countWords, shorten } from "../manuscript/words.ts";
import type { FileBlock } from "../types.ts";
import { isFiller } from "./fillers.ts";

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

/** Raised when a digest is made in another way, so that none of the old ones is taken. */
const VERSION = 2;

/** What a digest is kept under. */
export function digestKey({ content }: Pick<FileBlock, "content">): string {
  return `${VERSION}-${sha256(content).slice(0, 20)}`;
}

/** A file in a few sentences. */
export function digestOf(file: FileBlock): Digest {
  const events = readBeat(file.content, "Key Events");
  const words = countWords(file.content);
  const longest = Math.min(LONGEST_OF_LONG, Math.max(LONGEST, words * SIGNS_PER_WORD));
  const text = events ? beatsDigest(file.content, events) : extract(sentencesOf(bodyOf(file)), longest);
  return { title: titleOf(file.content) ?? "", words, text };
}

/** Where a sentence ends: not after a title or an initial. */
const END =
  /\n\s*\n|(?<=[.!?…。！？]["”»’)]*)(?<!\b(?:M(?:rs?|s|me|lle|essrs)|Dr|Drs|Prof|St|Capt|Col|Lt|Sgt|Rev|Hon|Hr|Fr|Nr|No|\p{Lu}|\d{1,2})\.)\s+/u;

/** Sentences of a text, on one line each. */
export function sentencesOf(text: string): string[] {
  return text
    .split(END)
    .map((sentence) => sentence.replace(/\s+/g, " ").trim())
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
}

/** A plan has its own short form: what happens, and who sees it. */
function beatsDigest(content: string, events: string): string {
  const pov = shorten(readBeat(content, "POV") ?? "", 60);
  const plain = events.replace(/^[ \t]*(?:[-*+]|\d+[.)])[ \t]+/gm, "");
  return shorten(`${pov === "" ? "" : `(${pov}) `}${plain}`, LONGEST);
}

function extract(sentences: readonly string[], longest: number): string {
  if (sentences.length === 0) return "";
  const first = shorten(sentences[0]!, EDGE);
  const last = sentences.length > 1 ? shorten(sentences.at(-1)!, EDGE) : "";
  const weights = weightsOf(sentences);
  const inner = sentences
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
function weightsOf(sentences: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const sentence of sentences) {
    for (const word of new Set(wordsOf(sentence).map(({ text }) => foldWord(text)))) {
      if (word.length >= 5 && !isFiller(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
    }
  }
  const most = Math.max(3, sentences.length / 5);
  return new Map([...counts].filter(([, count]) => count >= 2 && count <= most));
}

/** The weight of a sentence, for its length: a long one is not better for being long. */
function scoreOf(sentence: string, weights: ReadonlyMap<string, number>): number {
  const words = new Set(wordsOf(sentence).map(({ text }) => foldWord(text)));
  let sum = 0;
  for (const word of words) sum += weights.get(word) ?? 0;
  return words.size < 4 ? 0 : sum / Math.sqrt(words.size);
}
