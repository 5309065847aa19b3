// What the checks of an analysis share: a finding, and texts as words with their places, folded so that case and accents do not matter.

import type { FileBlock } from "../../types.ts";
import { withoutComments } from "../words.ts";

/** One finding of an analysis; its message names its place. */
export interface AnalysisFinding {
  severity: "hard" | "soft";
  message: string;
}

export const hard = (message: string): AnalysisFinding => ({ severity: "hard", message });
export const soft = (message: string): AnalysisFinding => ({ severity: "soft", message });

interface PlacedWord {
  /** As it stands, and in small letters. */
  text: string;
  small: string;
  at: number;
}

/** A hyphen joins what stands on both of its sides; two of them are a dash. */
const WORD = /\p{L}(?:[\p{L}\p{M}\p{N}'’]|-(?!-))*/gu;

/** A text without comments and headings, every other sign where it was. */
export function bodyOf({ content }: FileBlock): string {
  const blank = (found: string) => found.replace(/[^\n]/g, " ");
  return withoutComments(content).replace(/^ {0,3}#{1,6}[ \t].*$/gm, blank);
}

/** The words of a text in order. */
export function wordsOf(text: string): PlacedWord[] {
  return Array.from(text.matchAll(WORD), ({ 0: word, index }) => {
    const plain = word.replace(/[’']s?$|-+$/u, "");
    return { text: plain, small: plain.toLowerCase(), at: index };
  });
}

/** A word without accents, in small letters. */
export function foldWord(word: string): string {
  return word.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}

/** `chapters/chapter-03.md:12`: the line of a place in a file. */
export function placeAt(path: string, text: string, at: number): string {
  return `${path}:${text.slice(0, at).split("\n").length}`;
}
