// Texts as lines: what changed between them, how much it is, and two changes of one text joined.

import { showCount } from "@loopwright/terminal";
import { diffArrays } from "diff";
import { comparePaths } from "../manuscript/files/layout.ts";
import { comparableText } from "../manuscript/files/schemas.ts";
import { countWords, plainLines } from "../manuscript/words.ts";
import type { ChangeFigures, FileBlock } from "../types.ts";

/** A stretch that is the same: where it begins on both sides, and how long it is. */
interface Match {
  a: number;
  b: number;
  length: number;
}

/** A stretch of lines that became another; one of both may be empty. Ends are exclusive. */
export interface Hunk {
  oldFrom: number;
  oldTo: number;
  newFrom: number;
  newTo: number;
}

/** Changes past which two texts count as different altogether: the time to tell more apart grows with their square. */
const MOST_CHANGES = 1_000;

/** The lines of a text; the end of the last line begins no further one. */
export function toLines(text: string): string[] {
  const lines = plainLines(text).split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** The stretches that two lists of lines, or of words, have in common. */
export function alignTexts(before: readonly string[], after: readonly string[]): Match[] {
  const matches: Match[] = [];
  let [a, b] = [0, 0];
  const changes = diffArrays([...before], [...after], { maxEditLength: MOST_CHANGES }) ?? [];
  for (const { added, removed, value } of changes) {
    const { length } = value;
    if (!added && !removed) matches.push({ a, b, length });
    if (!added) a += length;
    if (!removed) b += length;
  }
  return matches;
}

/** What lies between the matches of two sequences. */
export function hunksBetween(matches: readonly Match[], oldLength: number, newLength: number): Hunk[] {
  const hunks: Hunk[] = [];
  let [oldFrom, newFrom] = [0, 0];
  for (const { a, b, length } of [...matches, { a: oldLength, b: newLength, length: 0 }]) {
    if (a > oldFrom || b > newFrom) hunks.push({ oldFrom, oldTo: a, newFrom, newTo: b });
    [oldFrom, newFrom] = [a + length, b + length];
  }
  return hunks;
}

/** The text with both changes; undefined where they meet, for then a person says which holds. */
export function joinTexts(base: string, mine: string, theirs: string): string | undefined {
  const old = toLines(base);
  const changes = [mine, theirs].map((text) => changesTo(old, toLines(text)));
  const [own = [], other = []] = changes;
  // Changes side by side meet too: where one ends the other may have meant to begin.
  if (own.some((each) => other.some((one) => each.oldFrom <= one.oldTo && one.oldFrom <= each.oldTo))) return undefined;
  const joined = [...old];
  for (const { oldFrom, oldTo, lines } of [...own, ...other].sort((a, b) => b.oldFrom - a.oldFrom))
    joined.splice(oldFrom, oldTo - oldFrom, ...lines);
  return `${joined.join("\n")}\n`;
}

function changesTo(old: readonly string[], now: readonly string[]): (Hunk & { lines: string[] })[] {
  return hunksBetween(alignTexts(old, now), old.length, now.length).map((hunk) => ({
    ...hunk,
    lines: now.slice(hunk.newFrom, hunk.newTo),
  }));
}

/** Of a long paragraph that stays for the most part, so many signs are shown on each side of what changed. */
const AROUND = 160;

/** Each changed stretch of lines, `-` before what is gone and `+` before what came; cut to a length, and said so. */
export function renderLineChange(before: string, after: string, longest = 12_000): string {
  const [old, now] = [toLines(before), toLines(after)];
  const hunks = hunksBetween(alignTexts(old, now), old.length, now.length);
  const blocks = hunks.map((hunk) => blockOf(hunk, old, now)).filter((block) => block !== "");
  const text = blocks.join("\n…\n");
  return text.length <= longest ? text : `${text.slice(0, longest).replace(/\n[^\n]*$/, "")}\n… (more changed)`;
}

function blockOf({ oldFrom, oldTo, newFrom, newTo }: Hunk, old: readonly string[], now: readonly string[]): string {
  const [gone, come] = [old.slice(oldFrom, oldTo), now.slice(newFrom, newTo)];
  const pairs = gone.length === come.length ? gone.map((line, at) => aroundChange(line, come[at]!)) : undefined;
  const lines = pairs
    ? pairs.flatMap(([was, is]) => [`- ${was}`, `+ ${is}`])
    : [...gone.map((line) => `- ${line}`), ...come.map((line) => `+ ${line}`)];
  return lines.filter((line) => line.trim().length > 1).join("\n");
}

/** Two versions of a line, without most of what they share at their ends. */
function aroundChange(was: string, is: string): [string, string] {
  const shortest = Math.min(was.length, is.length);
  let from = 0;
  while (from < shortest && was[from] === is[from]) from++;
  let end = 0;
  while (end < shortest - from && was.at(-1 - end) === is.at(-1 - end)) end++;
  const [before, after] = [from - AROUND, end - AROUND];
  const cut = (line: string) => {
    const head = before > 0 ? `…${line.slice(line.indexOf(" ", before))}` : line;
    const dropped = after > 0 ? head.slice(0, head.lastIndexOf(" ", head.length - after)) : undefined;
    return dropped === undefined ? head : `${dropped} …`;
  };
  return [cut(was), cut(is)];
}

/** The figures of a change from one version of a level's content files to another. */
export function measureChange(before: readonly FileBlock[], after: readonly FileBlock[]): ChangeFigures {
  const [old, now] = [byPath(before), byPath(after)];
  const changed = changedPaths(before, after);
  let [added, removed] = [0, 0];
  for (const path of changed) {
    const [oldLines, newLines] = [toLines(old.get(path) ?? ""), toLines(now.get(path) ?? "")];
    const same = alignTexts(oldLines, newLines).reduce((sum, { length }) => sum + length, 0);
    removed += oldLines.length - same;
    added += newLines.length - same;
  }
  return {
    files_changed: changed.length,
    files_total: new Set([...old.keys(), ...now.keys()]).size,
    lines_added: added,
    lines_removed: removed,
    words_before: wordsOf(before),
    words_after: wordsOf(after),
  };
}

/** The content files that differ, were added or were removed: the foundation first, then chapters by number. */
export function changedPaths(before: readonly FileBlock[], after: readonly FileBlock[]): string[] {
  const [old, now] = [byPath(before), byPath(after)];
  const paths = [...new Set([...old.keys(), ...now.keys()])].sort((a, b) => comparePaths(a, b) || (a < b ? -1 : 1));
  return paths.filter((path) => {
    const [text, other] = [old.get(path), now.get(path)];
    return text === undefined || other === undefined || (text !== other && plainLines(text) !== plainLines(other));
  });
}

/** The text of files by path, as it is compared. */
export function byPath(files: readonly FileBlock[]): Map<string, string> {
  return new Map(files.map((file) => [file.path, comparableText(file)]));
}

function wordsOf(files: readonly FileBlock[]): number {
  return files.reduce((sum, { content }) => sum + countWords(content), 0);
}

/** Figures in a sentence. */
export function figuresToText(figures: ChangeFigures): string {
  const { files_changed, files_total, lines_added, lines_removed, words_before, words_after } = figures;
  return `${files_changed} of ${files_total} files changed, ${showCount(lines_added, "line")} added, ${lines_removed} removed (a paragraph is a line), ${words_before} words before, ${words_after} after`;
}

// What changed between two texts, word by word.

/** A word or a sign; scripts that put no space between words, and pictures, sign by sign. */
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]|(?:[\p{L}\p{N}\p{M}]|['’](?=\p{L}))+|\p{RGI_Emoji}|\S/gv;

/** A text in words, and where each begins. */
export interface Words {
  text: string;
  words: string[];
  starts: number[];
}

/** A stretch of words on both sides that is the same, or not. Ends are exclusive. */
export interface Stretch extends Hunk {
  isSame: boolean;
}

/** A text's words. */
export function toWords(text: string): Words {
  const found = [...text.matchAll(WORD)];
  return { text, words: found.map(([word]) => word), starts: found.map(({ index }) => index) };
}

/** Both texts from beginning to end, in stretches that are the same or changed by turns. */
export function compareWords(old: Words, now: Words): Stretch[] {
  const matches = alignTexts(old.words, now.words);
  const changed = hunksBetween(matches, old.words.length, now.words.length).map((hunk) => ({ isSame: false, ...hunk }));
  const same = matches.map(({ a, b, length }) => ({
    ...{ isSame: true, oldFrom: a, oldTo: a + length },
    ...{ newFrom: b, newTo: b + length },
  }));
  return smooth(
    [...changed, ...same].sort((x, y) => x.oldFrom - y.oldFrom || x.newFrom - y.newFrom),
    old,
    now,
  );
}

/** How many signs a stretch of words takes up. */
export function signsBetween({ starts, words }: Words, from: number, to: number): number {
  return from === to ? 0 : starts[to - 1]! + words[to - 1]!.length - starts[from]!;
}

/** Takes a small common stretch between larger changes for changed: a lone "the" amid new sentences is chance. */
function smooth(stretches: readonly Stretch[], old: Words, now: Words): Stretch[] {
  const sizes = stretches.map(({ oldFrom, oldTo, newFrom, newTo }) =>
    Math.max(signsBetween(old, oldFrom, oldTo), signsBetween(now, newFrom, newTo)),
  );
  const smoothed: Stretch[] = [];
  stretches.forEach((stretch, at) => {
    const around = Math.min(sizes[at - 1] ?? 0, sizes[at + 1] ?? 0);
    const isSame = stretch.isSame && sizes[at]! > around / 2;
    const last = smoothed.at(-1);
    if (last && last.isSame === isSame) Object.assign(last, { oldTo: stretch.oldTo, newTo: stretch.newTo });
    else smoothed.push({ ...stretch, isSame });
  });
  return smoothed;
}
