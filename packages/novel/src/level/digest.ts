// A file in a few sentences of its own: how it begins, how it ends, and those between that most of its recurring words stand in. No
// model is asked: it is the same for the same text, and costs a millisecond. The files that are not sent whole, a line for each.

import { countTokens } from "@loopwright/models";
import { chapterNumber } from "../manuscript/files/layout.ts";
import { readBeat } from "../manuscript/format/format.ts";
import { countWords, plainLines, shorten, titleOf, withoutComments } from "../manuscript/words.ts";
import type { FileBlock } from "../types.ts";
import { filesInWords, nameOfFile } from "./names.ts";

/** Signs of a digest, more for a long text; those of its first and last sentence at most, and of one between in the mean. */
const LONGEST = 640;
const LONGEST_OF_LONG = 1_600;
const SIGNS_PER_WORD = 0.3;
const EDGE = 160;
const SENTENCE = 200;
const STRETCH = 130;

/** How much a word says, by how many of a level's files have it. */
type Rarity = (word: string) => number;

/** The rarity of words among files. */
export function rarityIn(files: readonly FileBlock[]): Rarity {
  const counts = new Map<string, number>();
  for (const { content } of files)
    for (const word of wordsIn(content)) if (word.length >= 5) counts.set(word, (counts.get(word) ?? 0) + 1);
  return (word) => Math.log((1 + files.length) / (counts.get(word) ?? 1));
}

/** A file in a few sentences, of `longest` signs where that is said, for those who do not get it whole. */
export function digestOf(file: FileBlock, { longest, rarity }: { longest?: number; rarity?: Rarity } = {}) {
  const title = titleOf(file.content) ?? "";
  const words = countWords(file.content);
  const events = readBeat(file.content, "Key Events");
  if (events) return { title, words, text: shorten(plainList(events), longest ?? LONGEST) };
  const signs = longest ?? Math.min(LONGEST_OF_LONG, Math.max(LONGEST, words * SIGNS_PER_WORD));
  const body = withoutComments(plainLines(file.content)).replace(/^#.*$/gm, "");
  return { title, words, text: extract(sentencesOf(body), signs, rarity) };
}

/** Files by name and title, for whoever reads which of them are meant. */
export function titled(paths: readonly string[], files: readonly FileBlock[]): string[] {
  return paths.map((path) => {
    const title = titleOf(files.find((file) => file.path === path)?.content ?? "");
    return title === undefined ? nameOfFile(path) : `${nameOfFile(path)} (${title})`;
  });
}

/** A list of a plan as one text. */
export function plainList(text: string): string {
  return text
    .replace(/^[ \t]*(?:[-*+]|\d+[.)])[ \t]+/gm, "")
    .replace(/\s+/g, " ")
    .trim();
}

/** Sentences of a text, on one line each. */
function sentencesOf(text: string): string[] {
  const parts = text.split(/\n\s*\n/).flatMap((paragraph) => [...sentences.segment(paragraph)]);
  return parts
    .map(({ segment }) => segment.replace(/\s+/g, " ").trim())
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
}

const sentences = new Intl.Segmenter(undefined, { granularity: "sentence" });

/** The first and the last sentence, and from each stretch between them the one that says most of what this text alone has. */
function extract(all: readonly string[], longest: number, rarity: Rarity = () => 1): string {
  if (all.length === 0) return "";
  const first = shorten(all[0]!, EDGE);
  const last = all.length > 1 ? shorten(all.at(-1)!, EDGE) : "";
  const weights = weightsOf(all, rarity);
  const inner = all.slice(1, -1).map((sentence) => ({ text: shorten(sentence, SENTENCE), words: wordsIn(sentence) }));
  const room = longest - first.length - last.length;
  const stretches = Math.max(1, Math.min(inner.length, Math.floor(room / STRETCH)));
  const chosen: string[] = [];
  let used = 0;
  for (let at = 0; at < stretches; at++) {
    const left = ((at + 1) * room) / stretches - used;
    const [from, to] = [at, at + 1].map((each) => Math.floor((each * inner.length) / stretches));
    const fitting = inner.slice(from, to).filter(({ text }) => text.length + 3 <= left);
    const best = fitting.sort((a, b) => scoreOf(b.words, weights) - scoreOf(a.words, weights))[0];
    if (!best) continue;
    chosen.push(best.text);
    used += best.text.length + 3;
    // What is told already says less.
    for (const word of best.words) if (weights.has(word)) weights.set(word, weights.get(word)! / 2);
  }
  return [first, ...chosen, last].filter((part) => part !== "").join(" … ");
}

/** Longer words, each by how often it stands here and how rare it is elsewhere; one that is everywhere says nothing. */
function weightsOf(all: readonly string[], rarity: Rarity): Map<string, number> {
  const counts = new Map<string, number>();
  for (const sentence of all)
    for (const word of wordsIn(sentence)) if (word.length >= 5) counts.set(word, (counts.get(word) ?? 0) + 1);
  const most = Math.max(3, all.length / 5);
  const kept = [...counts].filter(([, count]) => count <= most);
  return new Map(kept.map(([word, count]) => [word, Math.sqrt(count) * rarity(word)]));
}

/** The weight of a sentence, for its length: a long one is not better for being long. */
function scoreOf(words: ReadonlySet<string>, weights: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const word of words) sum += weights.get(word) ?? 0;
  return words.size < 4 ? 0 : sum / Math.sqrt(words.size);
}

function wordsIn(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu));
}

/** Signs of a file that is told in a line. */
const LINE = 200;

/** Files as lines: what each is called, its title, and what it says in short. Those that are nearest to what changed are told at length,
 * the others in a line, as far as there is room; what is left out is said. */
export function restLines(files: readonly FileBlock[], near: readonly string[] = [], room = 4_000): string {
  const numbers = near.flatMap((path) => chapterNumber(path) ?? []);
  const told = files
    .map((file, at) => ({ at, path: file.path, distance: distanceTo(file.path, numbers), ...digestOf(file) }))
    .sort((a, b) => a.distance - b.distance || a.at - b.at);
  const lines = new Map<string, string>();
  let left = room;
  for (const longest of [LINE, Number.POSITIVE_INFINITY])
    for (const { path, title, text } of told) {
      const before = lines.get(path);
      const line = `- ${nameOfFile(path)}${title === "" ? "" : ` (${title})`}: ${shorten(text, longest)}`;
      const cost = countTokens(line) - (before === undefined ? 0 : countTokens(before));
      if (cost > left || (before === undefined && longest !== LINE)) continue;
      lines.set(path, line);
      left -= cost;
    }
  const missing = files.map(({ path }) => path).filter((path) => !lines.has(path));
  return [
    ...files.flatMap(({ path }) => lines.get(path) ?? []),
    ...(missing.length === 0 ? [] : [`Left out for want of room: ${filesInWords(missing)}.`]),
  ].join("\n");
}

/** How many chapters lie between a file and the nearest one that changed; what all chapters share is near to each. */
function distanceTo(path: string, numbers: readonly number[]): number {
  const own = chapterNumber(path);
  return own === undefined ? 0 : Math.min(...numbers.map((number) => Math.abs(number - own)), 10_000);
}
