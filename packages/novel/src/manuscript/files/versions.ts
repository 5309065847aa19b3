// Versions of files: a hash of the text, so that two texts that say the same are the same version.

import { hash } from "node:crypto";
import type { FileBlock } from "../../types.ts";
import { plainLines } from "../words.ts";
import { comparableText } from "./premise-text.ts";

/** The version of one file's text, wherever it lies. */
export function hashOf(content: string): string {
  return hash("sha256", plainText(content)).slice(0, 16);
}

/** Whether two versions of a level say the same: line endings, space at the ends of lines and the layout of JSON aside. */
export function isUnchanged(before: readonly FileBlock[], after: readonly FileBlock[]): boolean {
  const told = (files: readonly FileBlock[]) =>
    JSON.stringify(files.map((file) => [file.path, plainText(comparableText(file))]).sort());
  return told(before) === told(after);
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
