// A change in parts that fit a question each. What is judged is in exactly one of them, whole: a text that was not shown is
// never judged. A part holds files as long as there is room; a file that is too long for one goes on in the next.

import { countTokens } from "@loopwright/models";
import { changedPaths } from "../diff/index.ts";
import type { FileBlock } from "../types.ts";
import { changesText, compareUnits, type Unit, unitText } from "./changed-text.ts";

/** Tokens of text in a part: with what goes along it fits a window of 32,768. */
export const PART_TOKENS = 16_000;

/** A file of a part, as it is told. */
export interface ShownFile {
  path: string;
  text: string;
  /** Such as `2 of 3`; "" where the file is whole. */
  piece: string;
}

/** What is told of each file: all of it, or what changed. */
export type Telling = "whole" | "changes";

/** The files that differ, as parts. */
export function packChange(
  before: readonly FileBlock[],
  after: readonly FileBlock[],
  telling: Telling,
  most = PART_TOKENS,
): ShownFile[][] {
  const [old, now] = [before, after].map((files) => new Map(files.map(({ path, content }) => [path, content])));
  const files = changedPaths(before, after).map((path) => {
    const units: Unit[] = compareUnits(old!.get(path) ?? "", now!.get(path) ?? "");
    return { path, texts: telling === "whole" ? units.map(unitText) : changesText(units) };
  });
  return packTexts(files, most);
}

/** Texts of files in parts of at most so many tokens; one paragraph that is longer is a part of its own. */
export function packTexts(files: readonly { path: string; texts: readonly string[] }[], most: number): ShownFile[][] {
  const parts: ShownFile[][] = [[]];
  let used = 0;
  for (const { path, texts } of files) {
    const pieces = splitTexts(texts, most);
    for (const [at, { text, tokens }] of pieces.entries()) {
      if (used > 0 && used + tokens > most) {
        parts.push([]);
        used = 0;
      }
      parts.at(-1)!.push({ path, text, piece: pieces.length > 1 ? `${at + 1} of ${pieces.length}` : "" });
      used += tokens;
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
