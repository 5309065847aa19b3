// What the writer of prose is asked for one after the other: a chapter each, and of a long chapter its parts. Pure.

import { isDeepStrictEqual } from "node:util";
import { compareUnits, toUnits, unitText } from "../judging/changed-text.ts";
import { countWords } from "../manuscript/words.ts";

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

/** The pieces of some files, by the text of each, or how many words it is to have. */
export function piecesOf(paths: readonly string[], of: (path: string) => string | number): Piece[] {
  return paths.flatMap((path) => {
    const given = of(path);
    const count = typeof given === "number" ? countParts(given) : partsOf(given).length;
    return Array.from({ length: count }, (_, at) => ({ path, nth: at + 1, of: count }));
  });
}

/** The parts of a text: itself, where it is not long. */
export function partsOf(text: string): string[] {
  return splitText(text, countParts(countWords(text)));
}

function countParts(words: number): number {
  return words > LONG ? Math.ceil(words / PART) : 1;
}

/** `2 of 3`; "" for a chapter that is one piece. */
export function pieceName({ nth, of }: Piece): string {
  return of === 1 ? "" : `${nth} of ${of}`;
}

/** Where a text may be cut: between paragraphs, and inside of one that is too long between lines, then sentences. */
const CUTS = [/(?<=\n[ \t]*\r?\n)/, /(?<=\n)/, /(?<=[.!?…]["”»’)]*\s|[。！？])/u];

/** A text in at most so many parts of about the same length; one after the other they are the text to the letter. What is kept is in one. */
export function splitText(text: string, of: number): string[] {
  if (of === 1) return [text];
  // Units of half a part at most leave no part empty.
  const units = joinKept(cut(text, countWords(text) / of / 2, CUTS)).map((unit) => ({ unit, words: countWords(unit) }));
  const total = units.reduce((sum, { words }) => sum + words, 0);
  const parts = Array.from({ length: of }, () => "");
  let before = 0;
  for (const { unit, words } of units) {
    parts[Math.min(of - 1, Math.floor((before / Math.max(1, total)) * of))] += unit;
    before += words;
  }
  return parts.filter((part) => part !== "");
}

const KEPT = [/<!--\s*keep\s*-->/gi, /<!--\s*\/\s*keep\s*-->/gi];

function joinKept(units: readonly string[]): string[] {
  const joined: string[] = [];
  let isOpen = false;
  for (const unit of units) {
    if (isOpen) joined[joined.length - 1] += unit;
    else joined.push(unit);
    const [opens, closes] = KEPT.map((mark) => joined.at(-1)!.match(mark)?.length ?? 0);
    isOpen = opens! > closes!;
  }
  return joined;
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

/** A part of a chapter with what was there before, for the parts of the old text begin at other paragraphs; undefined where a part begins inside of one. */
export function markedPart(before: string, parts: readonly string[], nth: number): string | undefined {
  let [at, left] = [1, toUnits(parts[0]!).length];
  const own = compareUnits(before, parts.join("")).filter(({ now }) => {
    while (left === 0 && now !== "" && at < parts.length) left = toUnits(parts[at++]!).length;
    if (now !== "") left--;
    return at === nth;
  });
  const shown = own.map(({ now }) => now).filter((text) => text !== "");
  return isDeepStrictEqual(shown, toUnits(parts[nth - 1]!)) ? own.map(unitText).join("\n\n") : undefined;
}
