// What the writer of prose is asked for one after the other: a chapter each, and of a long chapter its parts. Pure.

import { countWords } from "../manuscript/index.ts";

/** A chapter, or a part of one. */
export interface Piece {
  path: string;
  /** From 1, and of how many. */
  nth: number;
  of: number;
}

/** A chapter of more words than this goes in parts, each of about so many: text and answer fit a window of 32,768 tokens. */
const LONG = 7_000;
const PART = 4_500;

/** The pieces of some files, by how many words each has or is to have. */
export function piecesOf(paths: readonly string[], words: (path: string) => number): Piece[] {
  return paths.flatMap((path) => {
    const count = words(path);
    const of = count > LONG ? Math.ceil(count / PART) : 1;
    return Array.from({ length: of }, (_, at) => ({ path, nth: at + 1, of }));
  });
}

/** `2 of 3`; "" for a chapter that is one piece. */
export function pieceName({ nth, of }: Piece): string {
  return of === 1 ? "" : `${nth} of ${of}`;
}

/** Where a text may be cut: between paragraphs, and inside of one that is too long between lines, then sentences. */
const CUTS = [/(?<=\n[ \t]*\r?\n)/, /(?<=\n)/, /(?<=[.!?…]["”»’)]*\s|[。！？])/u];

/** A text in so many parts of about the same length; one after the other they are the text to the letter. */
export function splitText(text: string, of: number): string[] {
  if (of === 1) return [text];
  // Units of half a part at most leave no part empty.
  const units = cut(text, countWords(text) / of / 2, CUTS).map((unit) => ({ unit, words: countWords(unit) }));
  const total = units.reduce((sum, { words }) => sum + words, 0);
  const parts = Array.from({ length: of }, () => "");
  let before = 0;
  for (const { unit, words } of units) {
    parts[Math.min(of - 1, Math.floor((before / Math.max(1, total)) * of))] += unit;
    before += words;
  }
  return parts;
}

function cut(text: string, most: number, [at, ...finer]: readonly RegExp[]): string[] {
  if (at === undefined || countWords(text) <= most) return [text];
  return text.split(at).flatMap((unit) => cut(unit, most, finer));
}

/** A part as it was written, with the space before the next one as it stands there. */
export function asPart(content: string, { nth, of }: Piece, standing: string | undefined): string {
  if (of === 1) return content;
  const space = /\s*$/.exec(standing ?? "")![0];
  return content.trimEnd() + (space || (nth < of ? "\n\n" : "\n"));
}
