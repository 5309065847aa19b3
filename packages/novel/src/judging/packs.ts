// A change in parts that fit a question each. What is judged is in exactly one of them, whole: a text that was not shown is
// never judged. A part holds files as long as there is room; a file that is too long for one goes on in the next.

import { countTokens } from "@loopwright/models";
import { byPath, changedPaths } from "../diff/figures.ts";
import type { FileBlock } from "../types.ts";
import { changesText, compareUnits, isChangedUnit, type Unit, unitText } from "./changed-text.ts";

/** Tokens of text in a part: with what goes along it fits a window of 32,768. */
export const PART_TOKENS = 16_000;

/** A file of a part, as it is told. */
export interface ShownFile {
  path: string;
  text: string;
  /** Such as `2 of 3`; "" where the file is whole. */
  piece: string;
}

/** What is told of each file: what changed with what is around it (all of a file in which much did), or what changed alone. */
export type Telling = "around" | "changes";

/** Paragraphs around a change; and the share of changed paragraphs from which a file is told whole. */
const AROUND = 1;
const MUCH = 0.3;

/** What a part has room for. */
export interface PackRoom {
  /** Tokens of text. */
  most: number;
  /** Tokens that each file takes beside its text. */
  each: number;
}

/** The files that differ, as parts. */
export function packChange(
  before: readonly FileBlock[],
  after: readonly FileBlock[],
  telling: Telling,
  room: PackRoom = { most: PART_TOKENS, each: 0 },
): ShownFile[][] {
  const [old, now] = [byPath(before), byPath(after)];
  const files = changedPaths(before, after).map((path) => {
    const units: Unit[] = compareUnits(old.get(path) ?? "", now.get(path) ?? "");
    return { path, texts: telling === "changes" ? changesText(units) : textsAround(units) };
  });
  return packTexts(files, room);
}

function textsAround(units: readonly Unit[]): string[] {
  const share = units.filter(isChangedUnit).length / Math.max(1, units.length);
  return share > MUCH ? units.map(unitText) : changesText(units, AROUND);
}

/** Texts of files in parts of at most so many tokens; one paragraph that is longer goes on in the next part. */
function packTexts(
  files: readonly { path: string; texts: readonly string[] }[],
  { most, each }: PackRoom,
): ShownFile[][] {
  const parts: ShownFile[][] = [[]];
  let used = 0;
  for (const { path, texts } of files) {
    const pieces = splitTexts(
      texts.flatMap((text) => splitLong(text, most)),
      most,
    );
    for (const [at, { text, tokens }] of pieces.entries()) {
      if (used > 0 && used + tokens + each > most) {
        parts.push([]);
        used = 0;
      }
      parts.at(-1)!.push({ path, text, piece: pieces.length > 1 ? `${at + 1} of ${pieces.length}` : "" });
      used += tokens + each;
    }
  }
  return parts.filter((part) => part.length > 0);
}

function splitTexts(texts: readonly string[], most: number): { text: string; tokens: number }[] {
  const pieces: { text: string; tokens: number }[] = [];
  let held: string[] = [];
  let tokens = 0;
  const close = () => {
    if (held.length > 0) pieces.push({ text: held.join("\n\n"), tokens });
    [held, tokens] = [[], 0];
  };
  for (const text of texts) {
    const size = countTokens(text) + 1;
    if (tokens > 0 && tokens + size > most) close();
    held.push(text);
    tokens += size;
  }
  close();
  return pieces;
}

/** A paragraph that is too long for a part, at the ends of its lines or sentences; one without any, between its words. */
function splitLong(text: string, most: number): string[] {
  if (text.length * 3 <= most || countTokens(text) <= most) return [text];
  const pieces = [/(?<=\n)/, /(?<=[.!?…。！？]["”»’)]*)(?=\s)/u, /(?<=\s)/].map((at) => text.split(at));
  const fine = pieces.find((each) => each.every((piece) => countTokens(piece) <= most)) ?? [...text];
  const joined: string[] = [];
  let tokens = 0;
  for (const piece of fine) {
    const size = countTokens(piece) + 1;
    if (joined.length > 0 && tokens + size <= most) joined[joined.length - 1] += piece;
    else joined.push(piece);
    tokens = joined.at(-1) === piece ? size : tokens + size;
  }
  return joined.map((piece) => piece.trim()).filter((piece) => piece !== "");
}
