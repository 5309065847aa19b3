// What of the feedback's own words stands in each file: names with how often, rarer words with a sentence around them.
//
// Measured, not asked: so the question can show exact mentions, and a renamed name finds every file that has it.

import { bodyOf, foldWord, wordsOf } from "../manuscript/analysis/text.ts";
import { shorten } from "../manuscript/words.ts";
import type { FileBlock } from "../types.ts";
import { sentencesOf } from "./digest.ts";

/** How many sentences of a file are shown, and how long each. */
const SENTENCES = 2;
const LONGEST = 160;
/** Shorter words say too little to be looked for. */
const SHORTEST = 4;
/** A word that more of the files have is no hint at any of them. */
const COMMON = 0.6;

/** A file's mentions, by path, in lines. */
export function mentionsOf(feedback: readonly string[], files: readonly FileBlock[]): Map<string, string[]> {
  const terms = termsOf(feedback.join("\n"));
  const texts = files.map((file) => ({ path: file.path, ...indexOf(file) }));
  const names = terms.filter((term) => texts.some(({ names }) => names.has(term)));
  const words = terms.filter((term) => {
    const having = texts.filter(({ stems }) => stems.has(stemOf(term))).length;
    return !names.includes(term) && having > 0 && having <= Math.max(3, texts.length * COMMON);
  });
  return new Map(texts.map((text) => [text.path, [...nameLines(names, text), ...wordLines(words, text)]]));
}

/** The name that feedback wants replaced; undefined where it asks for something else. */
export function renamedName(feedback: readonly string[]): string | undefined {
  if (feedback.length !== 1) return undefined;
  const name = "[“\"'‘]?(\\p{Lu}[\\p{L}\\p{M}’'-]*(?: \\p{Lu}[\\p{L}\\p{M}’'-]*)*)[”\"'’]?";
  const patterns = [
    `\\brename (?:the character |the place )?${name} (?:to|into|as)\\b`,
    `\\bchange (?:the name (?:of )?|the character name )${name} (?:to|into)\\b`,
    `\\bchange ${name}['’]s name (?:to|into)\\b`,
  ].map(
    (source) =>
      new RegExp(
        source.replace(/^\\b(\w)/, (_, letter: string) => `\\b[${letter}${letter.toUpperCase()}]`),
        "u",
      ),
  );
  for (const pattern of patterns) {
    const found = pattern.exec(feedback[0]!)?.[1];
    if (found !== undefined) return found.replace(/['’]s?$/, "");
  }
  return undefined;
}

/** The files that have a name, word for word. */
export function filesWith(name: string, files: readonly FileBlock[]): string[] {
  const pattern = new RegExp(
    `(?<![\\p{L}\\p{N}])${name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?![\\p{L}\\p{N}])`,
    "u",
  );
  return files.filter(({ content }) => pattern.test(content)).map(({ path }) => path);
}

interface Indexed {
  body: string;
  /** Names with how often they stand there; the beginnings of all words. */
  names: Map<string, number>;
  stems: Set<string>;
}

function indexOf(file: FileBlock): Indexed {
  const body = bodyOf(file);
  const names = new Map<string, number>();
  const stems = new Set<string>();
  for (const { text } of wordsOf(body)) {
    stems.add(stemOf(text));
    if (/^\p{Lu}/u.test(text)) names.set(text, (names.get(text) ?? 0) + 1);
  }
  return { body, names, stems };
}

/** The words of feedback that are looked for: with a capital as they stand, so that a name is found as one. */
function termsOf(text: string): string[] {
  const words = wordsOf(text).map(({ text: word }) => word);
  return [...new Set(words.filter((word) => word.length >= SHORTEST || /^\p{Lu}\p{Ll}/u.test(word)))];
}

/** A word without its ending, as far as that can be done in any language. */
function stemOf(word: string): string {
  const folded = foldWord(word);
  return folded.length > 5 ? folded.slice(0, Math.max(5, folded.length - 3)) : folded;
}

function nameLines(names: readonly string[], { names: counts }: Indexed): string[] {
  const found = names.filter((name) => counts.has(name)).map((name) => `${name} ×${counts.get(name)}`);
  return found.length === 0 ? [] : [found.join(", ")];
}

function wordLines(words: readonly string[], { body, stems }: Indexed): string[] {
  const wanted = new Set(words.map(stemOf).filter((stem) => stems.has(stem)));
  if (wanted.size === 0) return [];
  const hits = sentencesOf(body).flatMap((sentence, at) => {
    const stemsHere = new Set(wordsOf(sentence).map(({ text }) => stemOf(text)));
    const count = [...wanted].filter((stem) => stemsHere.has(stem)).length;
    return count > 0 ? [{ sentence, at, count }] : [];
  });
  const best = hits.sort((a, b) => b.count - a.count || a.at - b.at).slice(0, SENTENCES);
  return best.sort((a, b) => a.at - b.at).map(({ sentence }) => `“${shorten(sentence, LONGEST)}”`);
}
