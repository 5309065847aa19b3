// Versions of a level: a hash over its files, so that two texts that say the same are the same version.

import { hash } from "node:crypto";
import type { FileBlock } from "../../types.ts";
import { plainLines } from "../words.ts";
import { comparableText } from "./premise-text.ts";

/** The version of a level; undefined where it has no files. */
export function versionOf(files: readonly FileBlock[]): string | undefined {
  if (files.length === 0) return undefined;
  return hash("sha256", JSON.stringify(files.map(({ path, content }) => [path, plainText(content)]))).slice(0, 16);
}

/** The version of one file's text, wherever it lies. */
export function hashOf(content: string): string {
  return hash("sha256", plainText(content)).slice(0, 16);
}

/** Whether two versions of a level say the same: line endings, space at the ends of lines and the layout of JSON aside. */
export function isUnchanged(before: readonly FileBlock[], after: readonly FileBlock[]): boolean {
  return versionOf(compared(before)) === versionOf(compared(after));
}

/** Whether two texts say the same. */
export function isSameText(before: string, after: string): boolean {
  return before === after || plainText(before) === plainText(after);
}

function plainText(content: string): string {
  return plainLines(content)
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n")
    .trim();
}

function compared(files: readonly FileBlock[]): FileBlock[] {
  const texts = files.map((file) => ({ path: file.path, content: comparableText(file) }));
  return texts.sort((a, b) => (a.path < b.path ? -1 : 1));
}
