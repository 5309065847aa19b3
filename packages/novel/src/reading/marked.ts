// A text with what is new in it marked, paragraph by paragraph, against the version before.

import { compareWords, endOf, toWords } from "../diff/words.ts";

/** A stretch of a paragraph. */
export interface MarkedPiece {
  text: string;
  isNew: boolean;
  /** What stood here before and is gone, where nothing took its place. */
  removed?: string;
}

/** The paragraphs of a text, each in stretches; without an older version nothing is marked. */
export function markChanges(before: string | undefined, now: string): MarkedPiece[][] {
  const paragraphs: MarkedPiece[][] = [[]];
  for (const piece of before === undefined ? [{ text: now, isNew: false }] : piecesOf(before, now)) {
    const [first = "", ...rest] = piece.text.split(/\n[ \t]*\n\s*/);
    push(paragraphs.at(-1)!, { ...piece, text: first });
    for (const text of rest) paragraphs.push(text === "" ? [] : [{ text, isNew: piece.isNew }]);
  }
  return paragraphs.filter((paragraph) => paragraph.some(({ text, removed }) => text.trim() !== "" || removed));
}

function push(paragraph: MarkedPiece[], piece: MarkedPiece): void {
  if (piece.text !== "" || piece.removed !== undefined) paragraph.push(piece);
}

function piecesOf(before: string, now: string): MarkedPiece[] {
  const [old, fresh] = [toWords(before), toWords(now)];
  const pieces: MarkedPiece[] = [];
  let at = 0;
  const add = (to: number, isNew: boolean) => {
    if (to > at) pieces.push({ text: now.slice(at, to), isNew });
    at = Math.max(at, to);
  };
  for (const { isSame, oldFrom, oldTo, newFrom, newTo } of compareWords(old, fresh)) {
    if (isSame) continue;
    if (newFrom === newTo) {
      add(newFrom < fresh.starts.length ? fresh.starts[newFrom]! : now.length, false);
      const removed = before.slice(old.starts[oldFrom]!, endOf(old, oldTo - 1));
      pieces.push({ text: "", isNew: true, removed });
      continue;
    }
    add(fresh.starts[newFrom]!, false);
    add(endOf(fresh, newTo - 1), true);
  }
  add(now.length, false);
  return pieces;
}
