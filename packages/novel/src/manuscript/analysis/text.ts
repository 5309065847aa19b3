// Texts for analysis: words with their places, folded so that case, accents and apostrophes do not matter.

import type { FileBlock } from "../../types.ts";
import { withoutComments } from "../words.ts";

export interface PlacedWord {
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

/** Finds lines by place, for places that are asked in any order. */
export function lineFinder(text: string): (at: number) => number {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return (at) => {
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (starts[middle]! <= at) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}
