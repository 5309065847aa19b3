// The files of a level that are not sent whole, a few lines for each: what a change must not contradict.

import type { FileBlock } from "../types.ts";
import { digestOf } from "./digest.ts";
import { nameOfFile } from "./words.ts";

/** Files as lines: what each is called, its title, and what it says in short. */
export function restLines(files: readonly FileBlock[]): string {
  return files
    .map((file) => {
      const { title, text } = digestOf(file);
      return `- ${nameOfFile(file.path)}${title === "" ? "" : ` (${title})`}: ${text}`;
    })
    .join("\n");
}
