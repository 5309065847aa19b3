// What the parts of a project's repository share. All paths are from the project's folder, with slashes.

import type { Change, Level } from "../types.ts";

/** What a file of a project belongs to: a level (its history too), the analysis, or the project itself. */
export type Part = Level | "analysis" | "project";

/** Files of one part that a person changed, added or removed since the last commit. */
export interface HandEdit {
  part: Part;
  paths: string[];
}

/** A person's change that was committed. */
export interface CommittedHandEdit extends HandEdit {
  sha: string;
  /** Such as `[chapters] hand edit`. */
  subject: string;
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

/** What a commit did. */
export interface Committed {
  sha: string;
  subject: string;
  /** False where the iteration had been committed before, by a process that died. */
  isNew: boolean;
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

/** The git repository of a book: every accepted iteration is a commit. */
export interface Repository {
  /** The project's folder. */
  readonly folder: string;
  /** Makes the project's own repository where it has none, and the first commit of what lies there. */
  initialize(): Promise<void>;
  /** Why nothing can be committed now, and what to type; undefined where all is well. */
  check(): Promise<string | undefined>;
  /** What a person changed in the project's files since the last commit; empty where nothing. */
  handEdits(): Promise<HandEdit[]>;
  /** Commits each part's hand edits on their own. */
  commitHandEdits(): Promise<CommittedHandEdit[]>;
  /**
   * Commits an iteration and brings the work tree to it: all or nothing, and only once for an id. Throws UsageError:
   * COMMIT_REFUSED (with the words of git or of a hook), HAND_EDITED (a file to be written was edited meanwhile; `data.paths`),
   * NOT_WRITABLE (something lies in the way, or the disk is full), REPOSITORY_STATE (what `check` says). Nothing is
   * changed then.
   */
  commitIteration(commit: IterationCommit): Promise<Committed>;
  /** Takes the last iteration back by a commit of its own; later hand edits stay. */
  undo(): Promise<Step>;
  /** Brings the iteration that was undone last back, unless another came after. */
  redo(): Promise<Step>;
  /** Every iteration, newest first. */
  iterations(): Promise<Iteration[]>;
  /** Commits by iteration id, as `Manuscript.history` takes them. */
  shas(): Promise<Map<string, string>>;
  shaOf(id: string): Promise<string | undefined>;
  /** What a person said in the last iteration whose commit begins so; "" where there was none, or they said nothing. */
  wordsOf(subject: string): Promise<string>;
  /** The last commit; undefined before the first. */
  head(): Promise<string | undefined>;
  /** A file's text in a commit; undefined where it did not exist. */
  fileAt(sha: string, path: string): Promise<string | undefined>;
  /** A file as it last was, also where it is gone; undefined where it never existed. */
  lastText(path: string): Promise<string | undefined>;
  /** Another file as it was when a path was last committed: what that was made from. */
  textWhen(path: string, other: string): Promise<string | undefined>;
  /** The files that a commit changed, content and all others, by path. */
  changeOf(sha: string): Promise<CommittedFile[]>;
  /** The last iteration that is not undone, and what it changed. */
  lastDiff(): Promise<{ iteration: Iteration; files: CommittedFile[] } | undefined>;
}
