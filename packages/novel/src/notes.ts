// What the loop tells whoever watches, on record and shown at once; front ends print it in their own words.

import type { Json, NoteWords, Stuck } from "@loopwright/core";
import type { DiffSection } from "./diff/sections.ts";
import { filesInWords } from "./level/names.ts";
import type { BookPart } from "./manuscript/files/layout.ts";
import type { Downstream } from "./manuscript/files/open.ts";
import type { Judgment, NamedFile, NovelContext, NovelTask, PlannedFile } from "./task.ts";
import type { ChangeFigures, FileBlock, Level } from "./types.ts";

/** The notes by name, and what each holds. */
export interface NovelNotes {
  "target-checked": {
    target: Level;
    kind: NovelTask["kind"];
    is_first: boolean;
    downstream: Downstream[];
    is_culled: boolean;
    /** Commits that were made of hand edits before anything else. */
    hand_edits: { subject: string; paths: string[] }[];
  };
  "read-began": { target: Level; feedback: string[] };
  /** Words that the reader had looked for, and files that it wanted to see whole. */
  "read-looked": { words: string[]; files: string[] };
  /** Which files change, each with why and what is to become of it. */
  "feedback-read": { target: Level; files: PlannedFile[]; is_whole: boolean; of: number; conditions: string[] };
  /** Files that a judge found to be missing from what changed, or to have changed without need: they are written, or put back. */
  "plan-changed": { added: NamedFile[]; dropped: NamedFile[] };
  /** How an answer in the author's own words was read. */
  "reply-read": { answer: string; choice: string; note: string };
  "generation-began": {
    target: Level;
    attempt: number;
    /** What the writer is given, as words; from the second attempt on the same as in the first. */
    context: string[];
    /** The items of feedback, and how many rounds of a judge's feedback go with them. */
    feedback: string[];
    judge_rounds: number;
    /** What the author said of the attempts before it. */
    said?: string[];
    /** Words of the old text, to tell how long it may take; 0 on a first generation. */
    words_before: number;
    /** Where chapters are written one by one: how many. */
    chapters?: number;
    /** The files that are written, where it is not the whole level. */
    files?: string[];
    /** How many versions of the file, or of a passage of it, are written to choose from. */
    variants?: number;
    passage?: string;
  };
  "chapter-finished": {
    attempt: number;
    /** 0 for a part without a number, which `part` names then. */
    chapter: number;
    part?: BookPart;
    of: number;
    words: number;
    is_unchanged: boolean;
    /** Which part of a long chapter it was. */
    piece?: string;
    /** Where not all chapters are written: which of how many it was. */
    at?: number;
    count?: number;
  };
  "generation-finished": { target: Level; attempt: number; words: number; files: number; debug: string };
  "format-refused": { attempt: number; problems: string[]; debug: string };
  /** The texts to choose from, and why others had no usable form. */
  "variants-written": { name: string; texts: string[]; refused: string[]; debug: string };
  /** What was counted in an attempt, a sentence each; the judge is told the same. */
  measured: { attempt: number; findings: string[] };
  /** An answer that had no usable form, and is asked for again. */
  "answer-refused": { role: string; problem: string };
  /** Words of the files that changed. */
  "words-counted": { files: { path: string; before: number; after: number }[] };
  /** `parts`: in how many questions each judge is shown the change. */
  "judge-began": { attempt: number; judges: number; parts?: number };
  /** A judge whose answers cannot be read, after it was asked again. */
  "judge-unreadable": { attempt: number; message: string };
  judged: {
    attempt: number;
    verdict: Judgment["verdict"];
    reasoning: string;
    issues: string[];
    suggestions: string[];
    /** Two judges came to different verdicts: the stricter one holds. */
    is_split: boolean;
  };
  /** The judge's last rounds found the same; the count is of rounds, since is the attempt that the first was about. */
  "stuck-detected": Stuck & { attempt: number; issues: string[] };
  "summary-began": { attempt: number };
  "partial-shown": { attempt: number; text: string; summary: string; figures: ChangeFigures };
  "semantic-diff": { attempt: number; text: string; summary: string; figures: ChangeFigures; is_approved: boolean };
  /** The text of an attempt, whole. */
  "full-shown": { attempt: number; files: FileBlock[] };
  "detail-shown": { name: string; files: { path: string; sections: DiffSection[] }[] };
  finalised: {
    target: Level;
    /** Content files written and removed, entries in the level's history, what was culled. */
    files: number;
    removed: number;
    history: number;
    culled: Downstream[];
    commit: string;
    subject: string;
    attempts: number;
    verdict: "approved" | "needs_revision" | "none";
  };
  /** A step of a cascade found nothing to change. */
  stayed: { target: Level };
  /** The text was edited by hand meanwhile: both are in it, or the iteration begins anew from the edit. */
  "edit-met": { paths: string[]; is_joined: boolean };
  /** A question about the book, its answer, and what that was made from. */
  answered: { question: string; text: string; shown: string[] };
  declined: { reason: string; debug: string };
  warning: { code: string; message: string };
}

/** Tells something under its name. */
export function tell<Name extends keyof NovelNotes>(
  ctx: NovelContext,
  name: Name,
  data: NovelNotes[Name],
): Promise<void> {
  return ctx.tell(name, data as unknown as Json);
}

type Lines = { [Name in keyof NovelNotes]: (data: NovelNotes[Name]) => string | undefined };

const lines: Lines = {
  "target-checked": ({ hand_edits }) =>
    hand_edits.length === 0
      ? undefined
      : `kept what was edited by hand: ${hand_edits.map((edit) => edit.subject).join(", ")}`,
  "read-began": () => undefined,
  "read-looked": ({ words, files }) => `looked at ${[...words.map((word) => `'${word}'`), ...files].join(", ")} too`,
  "feedback-read": ({ files, is_whole, of }) =>
    `the feedback reaches ${is_whole ? `all ${of} files` : `${filesInWords(files.map(({ path }) => path))} (${files.length} of ${of})`}`,
  "plan-changed": ({ added, dropped }) =>
    [
      ...(added.length > 0 ? [`the judge misses ${filesInWords(added.map(({ path }) => path))}`] : []),
      ...(dropped.length > 0 ? [`the judge wants ${filesInWords(dropped.map(({ path }) => path))} as it was`] : []),
    ].join("; "),
  "reply-read": ({ answer, choice, note }) => `'${answer}' was read as ${choice}${note === "" ? "" : ` (${note})`}`,
  "generation-began": ({ target, attempt, files, variants }) =>
    `writing ${variants ? `${variants} variants of ` : ""}${files ? filesInWords(files) : target}, attempt ${attempt}`,
  "chapter-finished": ({ chapter, part, piece, of, words, is_unchanged }) =>
    `${part ? `the ${part.replace("-", " ")}` : `chapter ${chapter} of ${of}`}${piece ? `, part ${piece}` : ""}: ${is_unchanged ? "unchanged" : `${words} words`}`,
  "generation-finished": ({ target, attempt, words }) => `${target}, attempt ${attempt}: ${words} words`,
  "format-refused": ({ attempt, problems }) => `attempt ${attempt} had no usable form: ${problems.join("; ")}`,
  "variants-written": ({ name, texts }) => `${texts.length} variants of ${name} to choose from`,
  "answer-refused": ({ role, problem }) => `the ${role}'s answer had no usable form and is asked for again: ${problem}`,
  "words-counted": () => undefined,
  measured: ({ attempt, findings }) => `measured in attempt ${attempt}: ${findings.join(" ")}`,
  "judge-began": ({ parts }) => (parts ? `the judge is shown the change in ${parts} parts` : undefined),
  "judge-unreadable": ({ message }) => `the judge's answer cannot be read: ${message}`,
  judged: ({ attempt, verdict, reasoning }) =>
    `the judge ${verdict === "approved" ? "approved" : "wants a revision of"} attempt ${attempt}: ${reasoning}`,
  "stuck-detected": ({ count }) => `stuck: the judge has found the same faults ${count} times running`,
  "summary-began": () => undefined,
  "partial-shown": ({ attempt }) => `attempt ${attempt} was looked at before the judge's word on it`,
  "semantic-diff": ({ attempt, summary }) => `what attempt ${attempt} changes: ${summary}`,
  "full-shown": ({ attempt }) => `the whole text of attempt ${attempt} was looked at`,
  "detail-shown": ({ name }) => `the diff was looked at: ${name}`,
  finalised: ({ subject, commit }) => `committed as ${commit.slice(0, 7)}: ${subject}`,
  stayed: ({ target }) => `the ${target} is in line with what changed, and stays as it is`,
  "edit-met": ({ paths, is_joined }) =>
    `edited by hand meanwhile: ${paths.join(", ")}; ${is_joined ? "both are in it" : "the iteration begins anew from it"}`,
  answered: ({ question, text }) => `${question}: ${text}`,
  declined: ({ reason }) => `declined: ${reason}`,
  warning: ({ message }) => message,
};

export const noteWords: Readonly<Record<string, NoteWords>> = lines;
