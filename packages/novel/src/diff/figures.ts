// How much changed, counted and not estimated.

import { showCount } from "@loopwright/terminal";
import { comparePaths } from "../manuscript/files/layout.ts";
import { comparableText } from "../manuscript/files/premise-text.ts";
import { countWords, plainLines } from "../manuscript/words.ts";
import type { ChangeFigures, FileBlock } from "../types.ts";
import { alignTexts, toLines } from "./lines.ts";

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
