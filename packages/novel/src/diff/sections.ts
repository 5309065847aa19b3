// The differences of two versions of a file, in the sections that a person reads them by.

import { pairTexts } from "../judging/changed-text.ts";
import { PREMISE_PATH } from "../manuscript/files/layout.ts";
import { premiseToMarkdown } from "../manuscript/files/schemas.ts";
import { countWords } from "../manuscript/words.ts";
import type { FileBlock } from "../types.ts";
import {
  alignTexts,
  byPath,
  changedPaths,
  compareWords,
  hunksBetween,
  signsBetween,
  toLines,
  toWords,
} from "./lines.ts";

/** A stretch of text: the same in both versions, or only in this one. */
export interface DiffPiece {
  text: string;
  isChanged: boolean;
}

/** A stretch of changed lines. `old` or `new` is empty where text was only added or only removed. */
export interface DiffSection {
  /** Where it stands: the heading above it, or `Scene 2, paragraph 3`, `Middle, paragraph 20 of 41`. */
  title: string;
  /** Lines of the new version, counted from 1; of the old one where text was only removed (`isRemoved`). */
  lines: { from: number; to: number };
  isRemoved: boolean;
  old: DiffPiece[];
  new: DiffPiece[];
}

/** A file's changed sections. */
export interface FileDiff {
  path: string;
  sections: DiffSection[];
}

/** A line that is no empty one, and where it stands in its text, counted from 0. */
interface Line {
  at: number;
  text: string;
}

/** A line of either version and its pieces; both where one became the other. */
interface Row {
  old?: Line & { pieces: DiffPiece[] };
  new?: Line & { pieces: DiffPiece[] };
}

/** Words that a section should have before the next begins: some paragraphs. */
const SECTION_WORDS = 120;
/** Under this share of common signs, a paragraph was rewritten: single words that are still there say nothing. */
const REWRITTEN = 0.25;

/** The changed sections of every file that differs, the foundation first, then chapters by number. */
export function diffFiles(before: readonly FileBlock[], after: readonly FileBlock[]): FileDiff[] {
  const [old, now] = [byPath(before), byPath(after)];
  return changedPaths(before, after).map((path) => {
    // A premise is JSON; it is shown as it is read.
    const shown = (text = "") => (path === PREMISE_PATH ? premiseToMarkdown(text) : text);
    return { path, sections: diffSections(shown(old.get(path)), shown(now.get(path))) };
  });
}

/** The changed sections between two versions of one file ("" where it does not exist), in order. */
export function diffSections(before: string, after: string): DiffSection[] {
  const [old, now] = [toLines(before), toLines(after)];
  const [placeInOld, placeInNew] = [placesIn(old), placesIn(now)];
  const [olds, news] = [withText(old), withText(now)];
  const matches = alignTexts(
    olds.map(({ text }) => text),
    news.map(({ text }) => text),
  );
  const hunks = hunksBetween(matches, olds.length, news.length);
  return hunks
    .flatMap(({ oldFrom, oldTo, newFrom, newTo }) =>
      toParts(toRows(olds.slice(oldFrom, oldTo), news.slice(newFrom, newTo))),
    )
    .map((rows): DiffSection => {
      const [was, is] = [rows.flatMap((row) => row.old ?? []), rows.flatMap((row) => row.new ?? [])];
      const isRemoved = is.length === 0;
      const lines = isRemoved ? was : is;
      const [from, to] = [lines[0]!.at, lines.at(-1)!.at + 1];
      const title = (isRemoved ? placeInOld : placeInNew)(from, to);
      return { title, lines: { from: from + 1, to }, isRemoved, old: joinPieces(was), new: joinPieces(is) };
    });
}

function withText(lines: readonly string[]): Line[] {
  return lines.map((text, at) => ({ at, text: text.trimEnd() })).filter(({ text }) => text !== "");
}

/** The lines of a stretch that changed, each beside the one that it most likely was. */
function toRows(olds: readonly Line[], news: readonly Line[]): Row[] {
  const texts = (lines: readonly Line[]) => lines.map(({ text }) => text);
  let [a, b] = [0, 0];
  return pairTexts(texts(olds), texts(news)).map(([was, is]): Row => {
    const [old, now] = [was === undefined ? undefined : olds[a++], is === undefined ? undefined : news[b++]];
    const pieces = old && now ? markWords(old.text, now.text) : undefined;
    const whole = ({ text }: Line) => [{ text, isChanged: true }];
    return {
      ...(old && { old: { ...old, pieces: pieces?.old ?? whole(old) } }),
      ...(now && { new: { ...now, pieces: pieces?.new ?? whole(now) } }),
    };
  });
}

/** Rows in parts that can be read side by side; a heading or a break between scenes begins one. */
function toParts(rows: readonly Row[]): Row[][] {
  const parts: Row[][] = [];
  let words = SECTION_WORDS;
  for (const row of rows) {
    const text = (row.new ?? row.old)!.text;
    if (words >= SECTION_WORDS || isBoundary(text)) {
      parts.push([]);
      words = 0;
    }
    parts.at(-1)!.push(row);
    words += countWords(text);
  }
  return parts;
}

/** Two versions of a line with the words marked that changed; undefined where it was rewritten. */
function markWords(before: string, after: string): { old: DiffPiece[]; new: DiffPiece[] } | undefined {
  const [old, now] = [toWords(before), toWords(after)];
  const least = REWRITTEN * Math.min(before.length, after.length);
  if (sharedSigns(old.words, now.words) < least) return undefined;
  const stretches = compareWords(old, now);
  const same = stretches.reduce(
    (sum, { isSame, oldFrom, oldTo }) => sum + (isSame ? signsBetween(old, oldFrom, oldTo) : 0),
    0,
  );
  if (same < least) return undefined;
  const pieces = ({ text, starts, words }: typeof old, changed: readonly { from: number; to: number }[]) => {
    let at = 0;
    const found: DiffPiece[] = [];
    for (const { from, to } of changed) {
      const end = starts[to - 1]! + words[to - 1]!.length;
      found.push({ text: text.slice(at, starts[from]), isChanged: false });
      found.push({ text: text.slice(starts[from], end), isChanged: true });
      at = end;
    }
    return [...found, { text: text.slice(at), isChanged: false }].filter((piece) => piece.text !== "");
  };
  const changed = stretches.filter(({ isSame }) => !isSame);
  return {
    old: pieces(
      old,
      changed.filter((each) => each.oldTo > each.oldFrom).map(({ oldFrom, oldTo }) => ({ from: oldFrom, to: oldTo })),
    ),
    new: pieces(
      now,
      changed.filter((each) => each.newTo > each.newFrom).map(({ newFrom, newTo }) => ({ from: newFrom, to: newTo })),
    ),
  };
}

/** About how many signs two texts can have in common at most, wherever their words stand: much sooner known than what did not change. */
function sharedSigns(words: readonly string[], others: readonly string[]): number {
  const left = new Map<string, number>();
  for (const word of words) left.set(word, (left.get(word) ?? 0) + 1);
  let signs = 0;
  for (const word of others) {
    const count = left.get(word) ?? 0;
    if (count > 0) signs += word.length + 1;
    left.set(word, count - 1);
  }
  return signs;
}

/** The pieces of lines as one text, with the line ends and empty lines that stood between them. */
function joinPieces(lines: readonly (Line & { pieces: readonly DiffPiece[] })[]): DiffPiece[] {
  const joined: DiffPiece[] = [];
  for (const [index, { at, pieces }] of lines.entries()) {
    const gap = index === 0 ? "" : "\n".repeat(at - lines[index - 1]!.at);
    for (const [place, piece] of pieces.entries()) {
      const text = place === 0 ? gap + piece.text : piece.text;
      const last = joined.at(-1);
      if (last?.isChanged === piece.isChanged) last.text += text;
      else joined.push({ ...piece, text });
    }
  }
  return joined;
}

const HEADING = /^#{1,6}[ \t]+(.*?)[ \t]*#*$/;
const SCENE_BREAK = /^[ \t]*(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,}|#|⁂|§)[ \t]*$/;

/** The share of a text, at its beginning and at its end, that is called so. */
const EDGE = 0.15;

interface LinePlace {
  /** The heading above it, the text's own title not counted; empty where there is none. */
  heading: string;
  scene: number;
  /** The paragraph of the whole text, and of its scene, that it is in or comes before. */
  paragraph: number;
  inScene: number;
}

/** Says where the lines from one index up to another stand. */
function placesIn(lines: readonly string[]): (from: number, to: number) => string {
  const places = linePlaces(lines);
  const hasScenes = lines.some((line) => SCENE_BREAK.test(line));
  const hasHeadings = places.at(-1)?.heading !== "";
  const count = lines.filter((line, at) => isText(line) && !isText(lines[at - 1])).length;
  return (from, to) => {
    const [first, last] = [places[from]!, places[Math.max(from, to - 1)]!];
    const { heading, scene } = first;
    if (heading !== "") return scene === 1 ? heading : `${heading}, Scene ${scene}`;
    if (to - 1 <= titleAt(lines)) return "Title";
    if (hasScenes)
      return `${scene === 1 ? "Opening Scene" : `Scene ${scene}`}, ${paragraphs(first.inScene, last.inScene)}`;
    if (hasHeadings) return "Opening";
    if (count > 1 && first.paragraph === 1 && last.paragraph === count) return "Whole text";
    return `${partOf(first.paragraph, count)}, ${paragraphs(first.paragraph, last.paragraph)} of ${count}`;
  };
}

/** Whether a line parts a text into sections, so that changes on both of its sides are not one. */
function isBoundary(line: string): boolean {
  return SCENE_BREAK.test(line) || HEADING.test(line);
}

function isText(line: string | undefined): boolean {
  return line !== undefined && line.trim() !== "" && !isBoundary(line);
}

function linePlaces(lines: readonly string[]): LinePlace[] {
  const title = titleAt(lines);
  let [heading, scene, paragraph, inScene] = ["", 1, 0, 0];
  return lines.map((line, at) => {
    const found = HEADING.exec(line)?.[1];
    if (SCENE_BREAK.test(line)) [scene, inScene] = [scene + 1, 0];
    else if (found !== undefined && at !== title) [heading, scene, inScene] = [found, 1, 0];
    else if (isText(line) && !isText(lines[at - 1])) [paragraph, inScene] = [paragraph + 1, inScene + 1];
    return { heading, scene, paragraph: Math.max(1, paragraph), inScene: Math.max(1, inScene) };
  });
}

/** The line of the text's own title: a heading before anything else; -1 where it has none. */
function titleAt(lines: readonly string[]): number {
  const first = lines.findIndex((line) => line.trim() !== "");
  return first >= 0 && HEADING.test(lines[first]!) ? first : -1;
}

function paragraphs(first: number, last: number): string {
  return last > first ? `paragraphs ${first}-${last}` : `paragraph ${first}`;
}

function partOf(paragraph: number, count: number): string {
  const share = count === 1 ? 0 : (paragraph - 1) / (count - 1);
  return share <= EDGE ? "Opening" : share >= 1 - EDGE ? "Ending" : "Middle";
}
