// The differences of two versions of a file, in the sections that a person reads them by.

import { PREMISE_PATH } from "../manuscript/files/layout.ts";
import { premiseToMarkdown } from "../reading/premise.ts";
import type { FileBlock } from "../types.ts";
import { byPath, changedPaths } from "./figures.ts";
import { alignTexts, type Hunk, hunksBetween, toLines } from "./lines.ts";
import { type DiffPiece, toPassages } from "./passages.ts";
import { isBoundary, placesIn } from "./titles.ts";

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
  const hunks = gather(hunksBetween(alignTexts(old, now), old.length, now.length), now);
  return hunks.flatMap((hunk) => {
    const [oldFrom, oldTo] = trimBlank(old, hunk.oldFrom, hunk.oldTo);
    const [newFrom, newTo] = trimBlank(now, hunk.newFrom, hunk.newTo);
    if (oldFrom === oldTo && newFrom === newTo) return [];
    const passages = toPassages(old.slice(oldFrom, oldTo).join("\n"), now.slice(newFrom, newTo).join("\n"));
    return passages.map((passage): DiffSection => {
      const isRemoved = passage.new.pieces.length === 0;
      const from = isRemoved ? oldFrom + passage.old.from : newFrom + passage.new.from;
      const to = isRemoved ? oldFrom + passage.old.to : newFrom + passage.new.to;
      const title = (isRemoved ? placeInOld : placeInNew)(from, to);
      return { title, lines: { from: from + 1, to }, isRemoved, old: passage.old.pieces, new: passage.new.pieces };
    });
  });
}

/** Joins changes that only empty lines part: people read paragraphs, not lines. */
function gather(hunks: readonly Hunk[], now: readonly string[]): Hunk[] {
  const gathered: Hunk[] = [];
  for (const hunk of hunks) {
    const last = gathered.at(-1);
    const gap = last ? now.slice(last.newTo, hunk.newFrom) : [];
    const isParted = gap.some((line) => line.trim() !== "") || beginsSection(hunk, now);
    if (last && !isParted) Object.assign(last, { oldTo: hunk.oldTo, newTo: hunk.newTo });
    else gathered.push({ ...hunk });
  }
  return gathered;
}

function beginsSection({ newFrom, newTo }: Hunk, now: readonly string[]): boolean {
  const first = now.slice(newFrom, newTo).find((line) => line.trim() !== "");
  return first !== undefined && isBoundary(first);
}

function trimBlank(lines: readonly string[], from: number, to: number): [number, number] {
  let [begin, end] = [from, to];
  while (begin < end && lines[begin]!.trim() === "") begin++;
  while (end > begin && lines[end - 1]!.trim() === "") end--;
  return [begin, end];
}
