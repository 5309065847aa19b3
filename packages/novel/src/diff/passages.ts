// A long change in passages that can be read side by side, each with its changed words.

import { compareWords, endOf, isFirst, type Stretch, signsBetween, toWords, type Words } from "./words.ts";

/** A stretch of text: the same in both versions, or only in this one. */
export interface DiffPiece {
  text: string;
  isChanged: boolean;
}

/** One version of a passage: its pieces, and its lines in the text that it comes from, counted from 0, the end exclusive. */
export interface Side {
  pieces: DiffPiece[];
  from: number;
  to: number;
}

export interface Passage {
  old: Side;
  new: Side;
}

/** Words that a passage should have before the next begins: some paragraphs. */
const PASSAGE_WORDS = 120;
/** Under this share of common signs, a passage was rewritten: single words that are still there say nothing. */
const REWRITTEN = 0.25;

/** The changed passages between two texts. Only words count: where line breaks alone differ, it is one passage without a mark. */
export function toPassages(before: string, after: string): Passage[] {
  const [old, now] = [toWords(before), toWords(after)];
  const stretches = compareWords(old, now);
  const all = cut(stretches, old, now);
  const changed = all.filter((part) => part.some(({ isSame }) => !isSame));
  return (changed.length > 0 ? changed : [stretches]).map((part) => toPassage(part, old, now));
}

/** Stretches cut where a line begins on both sides, and a passage is long enough. */
function cut(stretches: readonly Stretch[], old: Words, now: Words): Stretch[][] {
  const parts: Stretch[][] = [[]];
  let [oldBegin, newBegin] = [0, 0];
  for (const stretch of stretches) {
    let rest = stretch;
    for (let at = 0; stretch.isSame && at <= stretch.oldTo - stretch.oldFrom; at++) {
      const [oldAt, newAt] = [stretch.oldFrom + at, stretch.newFrom + at];
      const isLong = Math.max(oldAt - oldBegin, newAt - newBegin) >= PASSAGE_WORDS;
      if (!isLong || !isFirst(old, oldAt) || !isFirst(now, newAt)) continue;
      if (oldAt > rest.oldFrom) parts.at(-1)!.push({ ...rest, oldTo: oldAt, newTo: newAt });
      rest = { ...rest, oldFrom: oldAt, newFrom: newAt };
      parts.push([]);
      [oldBegin, newBegin] = [oldAt, newAt];
    }
    if (rest.oldTo > rest.oldFrom || rest.newTo > rest.newFrom) parts.at(-1)!.push(rest);
  }
  return parts.filter((part) => part.length > 0);
}

function toPassage(part: readonly Stretch[], old: Words, now: Words): Passage {
  const [first, last] = [part[0]!, part.at(-1)!];
  const whole = { oldFrom: first.oldFrom, oldTo: last.oldTo, newFrom: first.newFrom, newTo: last.newTo };
  const same = part.reduce(
    (sum, { isSame, oldFrom, oldTo }) => sum + (isSame ? signsBetween(old, oldFrom, oldTo) : 0),
    0,
  );
  const shorter = Math.min(signsBetween(old, first.oldFrom, last.oldTo), signsBetween(now, first.newFrom, last.newTo));
  const stretches = same < REWRITTEN * shorter ? [{ isSame: false, ...whole }] : part;
  return {
    old: toSide(
      old,
      stretches.map(({ isSame, oldFrom, oldTo }) => ({ isSame, from: oldFrom, to: oldTo })),
    ),
    new: toSide(
      now,
      stretches.map(({ isSame, newFrom, newTo }) => ({ isSame, from: newFrom, to: newTo })),
    ),
  };
}

/** One version in pieces; the space between a changed and an unchanged word is unchanged. */
function toSide(words: Words, stretches: readonly { isSame: boolean; from: number; to: number }[]): Side {
  const [from, to] = [stretches[0]!.from, stretches.at(-1)!.to];
  if (from === to) return { pieces: [], from: 0, to: 0 };
  const pieces: DiffPiece[] = [];
  let at = words.starts[from]!;
  const add = (end: number, isChanged: boolean) => {
    if (end <= at) return;
    const last = pieces.at(-1);
    if (last?.isChanged === isChanged) last.text += words.text.slice(at, end);
    else pieces.push({ text: words.text.slice(at, end), isChanged });
    at = end;
  };
  for (const stretch of stretches) {
    if (stretch.isSame || stretch.from === stretch.to) continue;
    add(words.starts[stretch.from]!, false);
    add(endOf(words, stretch.to - 1), true);
  }
  add(endOf(words, to - 1), false);
  return { pieces, from: words.lines[from]!, to: words.lines[to - 1]! + 1 };
}
