// What the parts of a project's repository share. All paths are from the project's folder, with slashes.

import type { Change, Level } from "../types.ts";

/** What a file of a project belongs to: a level (its history too), the analysis, or the project itself. */
export type Part = Level | "analysis" | "project";

/** Files of one part that a person changed, added or removed since the last commit. */
export interface HandEdit {
  part: Part;
  paths: string[];
}

/** An accepted iteration, as it is to be committed. */
export interface IterationCommit {
  id: string;
  /** One line, as `commitSubject` makes it. */
  subject: string;
  /** More words under the subject: the whole feedback, where the subject is cut. */
  body?: string;
  change: Change;
  /** The commit that the change was made from. A file that was changed since is then never written over. */
  base?: string | undefined;
}

/** A commit of an iteration. */
export interface Iteration {
  id: string;
  sha: string;
  subject: string;
  /** When it was committed, ISO 8601. */
  date: string;
  /** Whether it is undone now. */
  isUndone: boolean;
}

/** What `/undo` or `/redo` did: the iteration and the new commit, or why nothing was done, in words for a person. */
export type Step =
  | { iteration: Iteration; sha: string; subject: string; paths: string[]; refused?: undefined }
  | { iteration?: undefined; refused: string };

/** A file as a commit found it and left it; absent where it did not exist. */
export interface CommittedFile {
  path: string;
  before?: string | undefined;
  after?: string | undefined;
}
