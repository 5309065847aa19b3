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

/** A text in so many parts of about the same length, at the ends of paragraphs; with fewer paragraphs the last parts are empty. */
export function splitText(text: string, of: number): string[] {
  if (of === 1) return [text];
  const paragraphs = text.split(/(?<=\n)[ \t]*\n/);
  const total = countWords(text);
  const parts: string[][] = Array.from({ length: of }, () => []);
  let words = 0;
  for (const paragraph of paragraphs) {
    parts[Math.min(of - 1, Math.floor((words / Math.max(1, total)) * of))]!.push(paragraph);
    words += countWords(paragraph);
  }
  return parts.map((part) => part.join("\n"));
}

/** The parts of a text as one again. */
export function joinText(parts: readonly string[]): string {
  if (parts.length === 1) return parts[0]!;
  return `${parts
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .join("\n\n")}\n`;
}
