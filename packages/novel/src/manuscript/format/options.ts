// What a format check must know beside the files.

import type { FileBlock } from "../../types.ts";
import type { ProjectFile } from "../files/schemas.ts";

/** What the form of an answer is checked against. */
export interface FormatOptions {
  /** The level as it was; empty for a first generation. */
  previous: readonly FileBlock[];
  project: ProjectFile;
  /** Whether the level did not exist before. */
  isFirst: boolean;
  /**
   * The feedback. A level that is changed without any is a person's own
   * work: any number of chapters will do, and a text may stop where it likes.
   */
  feedback?: readonly string[];
  /** How many chapters there must be, where the caller knows. */
  chapters?: number;
  /** Whether the level may stay as it is, as where it only follows a change elsewhere. */
  mayStay?: boolean;
  /** How many chapters the writer said there would be. */
  declared?: number;
}

/** Whether a text is a person's own. */
export function isOwnWork({ isFirst, feedback = [] }: FormatOptions): boolean {
  return !isFirst && feedback.length === 0;
}
