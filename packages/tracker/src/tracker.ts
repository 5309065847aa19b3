// The interface of a tracker, for loops that work on issues and for the command line. Loopwright's own and beads behind it
// pass one contract (contract/).

import type { Change, EdgeKind, Issue, IssueChange, JsonObject, NewIssue, Status } from "./issue.ts";

/** Which issues are meant: those that fit all of it. */
export interface IssueFilter {
  status?: readonly Status[];
  /** Every one of these. */
  tags?: readonly string[];
  limit?: number;
}

/** What an import did: to which issues, and what it left out. */
export interface Imported {
  created: number;
  updated: number;
  /** Those that are here as they are there, or newer. */
  kept: number;
  /** Lines about something else, or about an issue that was deleted. */
  skipped: number;
}

/** Calls come one after the other, whichever process makes them. In Loopwright's own tracker each is one commit: killed in it, all
 * of it was done or nothing. With beads some are several commands; asked for again, they do what is missing. */
export interface Tracker<Asset extends JsonObject = JsonObject> {
  /** The same tracker in another's name, for the history. */
  as(by: string): Tracker<Asset>;

  /** A new issue; where its key is known already, that issue as it stands. */
  create(issue: NewIssue<Asset>): Promise<Issue<Asset>>;
  get(id: string): Promise<Issue<Asset> | undefined>;
  /** Oldest first. */
  list(filter?: IssueFilter): Promise<Issue<Asset>[]>;
  /** What can be worked on: open, and nothing that blocks it is unclosed. The most urgent first, then the oldest. */
  ready(filter?: Omit<IssueFilter, "status">): Promise<Issue<Asset>[]>;
  /** Oldest first. */
  history(id: string): Promise<Change[]>;

  /** Changes it; a function is given the issue as it stands at that moment. Nothing new is no change. */
  update(id: string, change: IssueChange<Asset> | ((issue: Issue<Asset>) => IssueChange<Asset>)): Promise<Issue<Asset>>;
  /** Refused where it would close a circle. */
  link(from: string, kind: EdgeKind, to: string): Promise<void>;
  unlink(from: string, kind: EdgeKind, to: string): Promise<void>;

  /** Takes an issue that is ready for this process, or nothing where another was quicker. A claim lives as long as its process:
   * that of a dead one is released by whoever asks next. */
  claim(id: string): Promise<Issue<Asset> | undefined>;
  /** Takes the first that is ready. */
  claimNext(filter?: Omit<IssueFilter, "status">): Promise<Issue<Asset> | undefined>;
  /** Gives a claimed issue back: it is open again. */
  release(id: string, why?: string): Promise<void>;

  /** Hangs a run on an issue, once: it is the current one, and stands among its runs. */
  attach(id: string, run: string): Promise<Issue<Asset>>;
  /** A repair: an issue with that key that is `fix-for` the root, and blocks it and the issue that failed; both get the status
   * `blocked`. Asked for twice, it is the same one. */
  repair(of: { root: string; failed: string }, issue: NewIssue<Asset> & { key: string }): Promise<Issue<Asset>>;
  /** Every issue that is `fix-for` the root, oldest first, and the root last. */
  chain(root: string): Promise<Issue<Asset>[]>;
  /** Closes a chain, the root last. */
  closeChain(root: string, reason: string): Promise<void>;

  /** Every issue as a line in the shape of beads. */
  export(): AsyncIterable<string>;
  /** Takes in lines in the shape of beads, all or none; an issue that is here is changed where the line is newer. */
  import(lines: AsyncIterable<string> | Iterable<string>, options?: { dryRun?: boolean }): Promise<Imported>;

  close(): Promise<void>;
}
