// The words that the parts of the novel loop share: levels, files, changes.

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

/** A judge's answer. */
export interface JudgeVerdict {
  verdict: "approved" | "needs_revision";
  reasoning: string;
  specific_issues: string[];
  suggestions: string[];
}

/** An entry of `iteration_history.json`. `commit_sha` is not in the file: readers fill it from git. */
export interface HistoryEntry {
  iteration_id: string;
  timestamp: string;
  feedback: string;
  judge_attempts: number;
  judge_verdict: "approved" | "needs_revision" | "none";
  judge_reasoning: string;
  semantic_summary: string;
  files_changed: number;
  lines_changed: number;
  /** The models that judged it, where it is known. */
  judge_models?: string[];
  /** Present where a person took what the judge had not approved, or wrote it. */
  accepted_by?: "user";
  kind?: "iterate" | "generate" | "derive" | "edit" | "import";
  /** What was judged of the feedback's conditions. */
  conditions?: string[];
  /** What the author said along with their answers. */
  said?: string[];
  commit_sha?: string;
}

/** A summary of a change in plain words, as the summarizer gives it. */
export interface SemanticDiff {
  /** One or two sentences, for the history. */
  summary: string;
  foundation: { text: string }[];
  major: SemanticChange[];
  moderate: SemanticChange[];
  minor: SemanticChange[];
  why_it_works: string;
  impact: string[];
  risks: string[];
}

/** A change in words that people use: where, what, before and after. */
export interface SemanticChange {
  /** Such as `Chapter 3`. */
  where: string;
  what: string;
  before?: string;
  after?: string;
  /** More places of the same change. */
  pairs?: { before: string; after: string }[];
  details: string[];
}
