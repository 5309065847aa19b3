// What a run of the novel loop is given, and what it remembers.
//
// Texts of the manuscript are artifacts: the state names them, so that it stays small however long the book is.

import type { Context } from "@loopwright/core";
import { z } from "zod";
import { Cascade } from "./manuscript/files/schemas.ts";
import { levels } from "./types.ts";

const count = z.number().int().min(0);
const text = z.string().refine((value) => value.trim() !== "", "it is empty");
const File = z.object({ path: z.string().min(1), content: z.string() });

/** What a run is given: one iteration of one level. */
export const NovelTask = z
  .strictObject({
    /** derive: a level that is missing is made from the one below it, as after an import. */
    kind: z.enum(["iterate", "generate", "edit", "derive"]),
    target: z.enum(levels),
    /** Items; each is judged on its own. For generate: the idea, or nothing. */
    feedback: z.array(text).default([]),
    /** What a person wrote in place of the level's files of these names. */
    edited: z.array(File).min(1).optional(),
    /** Stands in the history and in the commit. */
    iteration_id: z.string().regex(/^[\w.-]{1,100}$/, "letters, digits, '_', '.' and '-'"),
    judges: z.union([z.literal(1), z.literal(2)]).default(1),
    /** Whether there is a model for these roles; without one a person decides alone. */
    has_judge: z.boolean().default(true),
    has_summarizer: z.boolean().default(true),
    /** The models of these roles with how many tokens their window has, as far as it is known. */
    windows: z
      .partialRecord(z.enum(["judge", "summarizer"]), z.object({ model: z.string(), context: count }))
      .optional(),
    /** How many chapters are wanted. */
    chapters: z.number().int().min(1).max(2_000).optional(),
    /** A step of a cascade; `levels` are those that are left after it, `files` those that it reaches. */
    cascade: Cascade.extend({ levels: z.array(z.enum(levels)), files: z.array(z.string()).optional() }).optional(),
    /** The feedback was said along with the yes to the iteration before ("yes, but …"). */
    is_follow_up: z.boolean().optional(),
    /** The feedback is a question about the book: it is answered, and nothing is written. */
    is_question: z.boolean().optional(),
    /** What was asked and answered before it in the same session. */
    talk: z.array(z.object({ question: z.string(), answer: z.string() })).optional(),
    /** Whether the writer may be asked one thing back where the feedback says too little. */
    may_ask_back: z.boolean().optional(),
    /** So many variants of one file of the level, or of a passage of it, are written for the author to choose from. */
    variants: z.union([z.literal(2), z.literal(3)]).optional(),
    file: z.string().min(1).optional(),
    passage: text.optional(),
    /** What is on record here was weighed already: its conditions hold, and what was unclear was asked. */
    is_weighed: z.boolean().optional(),
    /** What was judged of its conditions. */
    conditions: z.array(z.object({ condition: z.string(), holds: z.boolean(), reasoning: z.string() })).optional(),
    /** The language of the book, as a tag: some words begin a condition in one language alone. */
    language: z.string().optional(),
  })
  .refine(({ kind, feedback }) => kind !== "iterate" || feedback.length > 0, "there is no feedback to iterate on")
  .refine(
    ({ kind, edited }) => (kind === "edit") === (edited !== undefined),
    "'edited' belongs to an edit, and only there",
  )
  .refine(({ variants, file }) => variants === undefined || file !== undefined, "variants are of one file: name it");
export type NovelTask = z.output<typeof NovelTask>;

/** Something that the author said along with a choice, such as "no, because it is too cute". */
const AuthorNote = z.object({
  gate: z.string(),
  choice: z.string(),
  /** The attempt that it was about, where there was one. */
  attempt: count.optional(),
  text: z.string(),
});
export type AuthorNote = z.output<typeof AuthorNote>;

const ArtifactName = z.object({ path: z.string(), digest: z.string(), size: z.number() });
const Below = z.object({ level: z.enum([...levels, "analysis"]), count });

/** A file, and why it is named. */
const NamedFile = z.object({ path: z.string(), why: z.string(), title: z.string().optional() });
export type NamedFile = z.output<typeof NamedFile>;

/** A judge's answer, as it is kept. */
export const Judgment = z.object({
  verdict: z.enum(["approved", "needs_revision"]),
  reasoning: z.string(),
  specific_issues: z.array(z.string()),
  suggestions: z.array(z.string()),
  /** The files that need another try, where the judge said so; the others stay as the attempt has them. */
  revise: z.array(z.string()).optional(),
  /** Contradictions that it sees in files which were not touched. */
  elsewhere: z.array(NamedFile).optional(),
  /** The models that have said it; absent where an older version asked. */
  by: z.array(z.string()).optional(),
});
export type Judgment = z.output<typeof Judgment>;

/** A judge's answer with how many of the items it finds met, and which of them concern what it was shown. */
export const Ruling = Judgment.extend({
  met: count,
  items: count,
  /** For each item: whether it is met, and whether it concerns the files that were shown. */
  each: z.array(z.object({ met: z.boolean(), concerns: z.boolean(), reasoning: z.string() })).optional(),
});
export type Ruling = z.output<typeof Ruling>;

/** Which files of the level the feedback reaches: what was proposed, and what a person made of it. */
export const Reach = z.object({
  /** The files that are written, in the level's order; all others stay to the letter. */
  files: z.array(z.string()),
  /** Whether the level is written whole instead, as a person, the kind of feedback or the lack of an answer has it. */
  is_all: z.boolean(),
  why: z.array(NamedFile),
  /** Who proposed it: numbers or a name in the feedback, its kind, a model; or nobody could. */
  by: z.enum(["numbers", "name", "structure", "model", "nobody", "cascade"]),
  /** Why no file is proposed, where none is. */
  none: z.string().optional(),
  /** All files of the level that could be reached. */
  of: z.array(z.string()),
  /** How often a judge's word has opened the question anew, and whether it is open now. */
  reopened: count,
  /** How often a person has added or dropped something, or tried to. */
  turns: count,
  is_open: z.boolean(),
});
export type Reach = z.output<typeof Reach>;

/** What the iteration starts from: the level, and all that is told of the project, as they were then. */
export const Base = z.object({
  /** The commit, and the content files in it. */
  commit: z.string(),
  files: ArtifactName,
  context: ArtifactName,
  /** Such as "taxonomy", "treatment", "15 chapters". */
  description: z.array(z.string()),
  is_first: z.boolean(),
  words: count,
  /** The versions of the levels that the writer is told of. */
  versions: z.partialRecord(z.enum(levels), z.string()),
  /** How many chapters are to be written one by one; 0 where the level is written whole. */
  chapters: count,
  /** Parts of the prose without a number that may be written with them; absent where there are none. */
  parts: z.array(z.string()).optional(),
});
export type Base = z.output<typeof Base>;

/** One of a writer's tries at the whole level, and what the judge said of it. */
export const Attempt = z.object({
  number: count.min(1),
  /** The level as it would be; absent where no answer had a usable form. */
  files: ArtifactName.optional(),
  /** Why it has none, with the class of the failure. */
  problems: z.array(z.string()),
  failure: z.enum(["E2"]).optional(),
  retry_count: count,
  words: count,
  judgment: Judgment.optional(),
  /** The commit that it was written on. */
  on: z.string().optional(),
  /** The files that were written for it; absent where the level was written whole. */
  wrote: z.array(z.string()).optional(),
  /** It is what the author took of another attempt: which one, and the changed files that stay as they were. */
  part_of: z.object({ attempt: count, left: z.array(z.string()) }).optional(),
  /** What changed in plain words, once it was asked for. */
  summary: ArtifactName.optional(),
});
export type Attempt = z.output<typeof Attempt>;

/** One of several versions of a file, or of a passage, before one is chosen. */
const Variant = z.object({ number: count.min(1), words: count, text: ArtifactName });
export type Variant = z.output<typeof Variant>;

/** What a run remembers. */
export const NovelState = z.object({
  base: Base.optional(),
  /** Absent until it was asked, and where there is nothing to ask: one file, or a level that is made anew. */
  reach: Reach.optional(),
  /** What judges have said of the last attempt, by question, while one of them has yet to be understood. */
  heard: z.record(z.string(), Ruling).optional(),
  /** How often a person was asked about a judge that cannot be understood. */
  unheard: count.optional(),
  /** What exists below the target, and whether it goes. */
  downstream: z.array(Below),
  is_culled: z.boolean(),
  /** The folder of the debug store, from the project's; the same however often the run is resumed. */
  debug: z.string(),
  attempts: z.array(Attempt),
  /** Chapters that this attempt has so far, where they are written one by one. */
  written: z.array(ArtifactName),
  /** Problems of a whole pass over the prose, which the next pass is told. */
  answer_problems: z.array(z.string()),
  /** Re-tries of this attempt so far, over its chapters. */
  retry_count: count,
  /** The attempt that a person decides about. */
  chosen: count.optional(),
  /** What it changed, in a sentence or two. */
  summary: z.string().optional(),
  /** The last commit of the run's own, once it is made. */
  commit: z.string().optional(),
  decision: z.enum(["accepted", "rejected", "cancelled"]).optional(),
  /** The variants that are to choose from, and how often some were written. */
  variants: z.array(Variant).optional(),
  variant_rounds: count.optional(),
  /** Those of rounds before, each with what the author said of it. */
  seen_variants: z.array(Variant.extend({ why: z.string() })).optional(),
  /** What the author said at the gates, oldest first. */
  said: z.array(AuthorNote).optional(),
  /** Passages that the author let go are no longer kept, in a commit of its own. */
  has_released: z.boolean().optional(),
  /** What the author wants next, said along with a yes. */
  next: z.string().optional(),
});
export type NovelState = z.output<typeof NovelState>;

export type NovelContext = Context<NovelTask, NovelState>;

/** What a run knows before its first phase. */
export function initialState(): NovelState {
  return {
    downstream: [],
    is_culled: false,
    debug: "",
    attempts: [],
    written: [],
    answer_problems: [],
    retry_count: 0,
  };
}

/** A run of an older version goes on: what is new in a state may be absent, and two keys had other names before version 3. */
export function migrate({ said_back, ...state }: Readonly<Record<string, unknown>>): NovelState {
  const attempts = Array.isArray(state.attempts) ? state.attempts : [];
  return NovelState.parse({
    answer_problems: said_back,
    ...state,
    attempts: attempts.map(({ judgement, ...attempt }) => ({
      ...(judgement !== undefined && { judgment: judgement }),
      ...attempt,
    })),
  });
}

/** What the iteration starts from; the phase `check` has read it. */
export function baseOf({ base }: NovelState): Base {
  if (!base) throw new Error("the manuscript was not read yet");
  return base;
}

/** Whether a person has written or chosen the text: a verdict on it is advice, and it is not written again unasked. */
export function isPersonsOwn({ kind, variants }: NovelTask): boolean {
  return kind === "edit" || variants !== undefined;
}

/** Whether the author chose the text among several, and the passage that alone was to change; for prompts. */
export function variantOf({ variants, passage = "" }: NovelTask): { is_variant: boolean; passage: string } {
  return { is_variant: variants !== undefined, passage };
}

/** The attempt that a person decides about. */
export function chosenAttempt({ attempts, chosen }: NovelState): Attempt {
  const attempt = attempts.find(({ number }) => number === chosen);
  if (!attempt) throw new Error("no attempt was chosen");
  return attempt;
}
