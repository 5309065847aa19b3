// The words that the parts of the novel loop share: levels, files, changes.

import { join } from "node:path";
import type { z } from "zod";
import type { Entry } from "./manuscript/files/schemas.ts";

/** The folder of the loop's prompts, from the sources and from what is built of them. */
export const promptsFolder = join(import.meta.dirname, "../prompts");

/** From the idea down to the text; each is generated from those above it. */
export const levels = ["premise", "treatment", "chapters", "prose"] as const;
/** A level of a book, from the premise to its prose. */
export type Level = (typeof levels)[number];

/** A file as a writer gives it. */
export interface FileBlock {
  path: string;
  content: string;
}

/** What is done to a level's files, all of it or nothing. */
export interface Change {
  write: readonly FileBlock[];
  remove: readonly string[];
}

/** How much a change is, measured. */
export interface ChangeFigures {
  files_changed: number;
  /** Of how many content files, those that went too. */
  files_total: number;
  lines_added: number;
  lines_removed: number;
  words_before: number;
  words_after: number;
}

/** An entry of `iteration_history.json`. `commit_sha` is not in the file: readers fill it from git. */
export type HistoryEntry = z.output<typeof Entry> & { iteration_id: string };
