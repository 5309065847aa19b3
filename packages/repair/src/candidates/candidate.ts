// The words of the search builder: places, edits, candidates.

import type { FileBlock } from "@loopwright/workspace";

/** How suspicious a line is, from 0 to 1. */
export interface SuspectLine {
  path: string;
  /** From 1. */
  line: number;
  suspicion: number;
}

/** A replacement of a stretch of a file's text. */
export interface Edit {
  path: string;
  /** Offsets in the file's text (UTF-16 units, as in a JavaScript string). */
  start: number;
  end: number;
  text: string;
}

/** A program to try: one or two edits, and how natural they are. */
export interface Candidate {
  edits: readonly Edit[];
  /** Which operators made it, such as `comparison` or `guard-clause`. */
  kinds: readonly string[];
  /** How far it is from the program and from what people write; the smaller the likelier. Orders plausible repairs. */
  cost: number;
  /** In a few words, with the line: `schedule.py:14: < becomes <=`. */
  title: string;
}

/** What the search is given: the program's files, and other text that may hold ingredients. */
export interface Program {
  files: readonly FileBlock[];
  /** The visible tests' sources: constants and names in them may be what the program lacks. */
  tests: readonly FileBlock[];
  suspects: readonly SuspectLine[];
}
