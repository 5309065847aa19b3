// What a run of the novel loop is given, and what it remembers.
//
// Texts of the manuscript are artifacts: the state names them, so that it stays small however long the book is.

import { type Context, MaxRetries } from "@loopwright/core";
import { z } from "zod";
import { levels } from "./types.ts";

const count = z.number().int().min(0);
const text = z.string().refine((value) => value.trim() !== "", "it is empty");
const File = z.object({ path: z.string().min(1), content: z.string() });

/** How far feedback reaches: as a model reads it, the whole level, or only the files that it names. */
export const scopes = ["model", "whole", "named"] as const;
export type Scope = (typeof scopes)[number];

/** What a run is given: one iteration of one level, or a question about the book. */
export const NovelTask = z
  .strictObject({
    /** derive: a level that is missing is made from the one below it, as after an import; split: prose that was imported as one chapter. */
    kind: z.enum(["iterate", "generate", "edit", "derive", "split", "ask"]),
    target: z.enum(levels),
    /** Items; each is judged on its own. For generate: the idea, or nothing. For ask: the question. */
    feedback: z.array(text).default([]),
    scope: z.enum(scopes).default("model"),
    /** What a person wrote in place of the level's files of these names. */
    edited: z.array(File).min(1).optional(),
    /** Stands in the history and in the commit. */
    iteration_id: z.string().regex(/^[\w.-]{1,100}$/, "letters, digits, '_', '.' and '-'"),
    /** Whether there is a model for these roles; without one a person decides alone. */
    has_judge: z.boolean().default(true),
    has_second_judge: z.boolean().default(false),
    has_summarizer: z.boolean().default(true),
    /** The models of these roles with how many tokens their window has, as far as it is known. */
    windows: z
      .partialRecord(z.enum(["judge", "summarizer"]), z.object({ model: z.string(), context: count }))
      .optional(),
    /** How often an answer without a usable form is asked for again. */
    max_retries: MaxRetries.optional(),
    /** How many chapters are wanted. */
    chapters: z.number().int().min(1).max(2_000).optional(),
    /** A step of a cascade: the level follows what changed in another one, and may be in line already. */
    follows: z
      .object({ level: z.enum(levels), direction: z.enum(["down", "up"]), iteration: z.string().optional() })
      .optional(),
    /** What was asked and answered before it in the same session. */
    talk: z.array(z.object({ question: z.string(), answer: z.string() })).optional(),
    /** Whether one thing may be asked back where the feedback says too little. */
    may_ask_back: z.boolean().optional(),
    /** So many variants are written for the author to choose from: of the level, of one file, or of a passage of it. */
    variants: z.union([z.literal(2), z.literal(3)]).optional(),
    file: z.string().min(1).optional(),
    passage: text.optional(),
  })
  .refine(
    ({ kind, feedback }) => (kind !== "iterate" && kind !== "ask") || feedback.length > 0,
    "there is no feedback to iterate on",
  )
  .refine(
    ({ kind, edited }) => (kind === "edit") === (edited !== undefined),
    "'edited' belongs to an edit, and only there",
  )
  .refine(
    ({ variants, target, file }) => variants === undefined || target !== "prose" || file !== undefined,
    "variants of prose are of one chapter: name it",
  );
export type NovelTask = z.output<typeof NovelTask>;

/** Something that the author said along with a choice, such as "no, it is too cute". */
const AuthorNote = z.object({
  gate: z.string(),
  choice: z.string(),
  /** The attempt that it was about, where there was one. */
  attempt: count.optional(),
  text: z.string(),
  /** The files that it is about, where it named some. */
  files: z.array(z.string()).optional(),
});
export type AuthorNote = z.output<typeof AuthorNote>;

const ArtifactName = z.object({ path: z.string(), digest: z.string(), size: z.number() });
const Below = z.object({ level: z.enum([...levels, "analysis"]), count });

/** What a file has to do with the feedback: it is what is meant, it prepares or follows it, or all chapters share it. */
export const ripples = ["heart", "before", "after", "foundation"] as const;

/** A file that changes, why, and what the change is to do. */
export const PlannedFile = z.object({
  path: z.string(),
  kind: z.enum(ripples),
  why: z.string(),
  does: z.string(),
});
export type PlannedFile = z.output<typeof PlannedFile>;

/** How the feedback was read: what it asks for, and which files that reaches. */
export const Plan = z.object({
  /** In the level's order. */
  files: z.array(PlannedFile),
  /** Whether every file of the level is written, whatever is named. */
  is_whole: z.boolean(),
  /** All files of the level that could be written. */
  of: z.array(z.string()),
  /** The items that are carried out, and what was judged of their conditions. */
  feedback: z.array(z.string()),
  conditions: z.array(z.string()),
  /** How often a judge has named more files. */
  reopened: count,
});
export type Plan = z.output<typeof Plan>;

/** A file, and why it is named. */
const NamedFile = z.object({ path: z.string(), why: z.string() });
export type NamedFile = z.output<typeof NamedFile>;

/** A judge's answer, as it is kept. */
export const Judgment = z.object({
  verdict: z.enum(["approved", "needs_revision"]),
  reasoning: z.string(),
  specific_issues: z.array(z.string()),
  suggestions: z.array(z.string()),
  /** The files that need another try, where the judge said so; the others stay as the attempt has them. */
  revise: z.array(z.string()).default([]),
  /** Files that were not touched and must change too; and those that changed and should not have. */
  missing: z.array(NamedFile).default([]),
  superfluous: z.array(NamedFile).default([]),
  /** The models that have said it. */
  by: z.array(z.string()).default([]),
  /** Whether two judges came to different verdicts. */
  is_split: z.boolean().default(false),
});
export type Judgment = z.output<typeof Judgment>;

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
  /** How many chapters are to be written one by one; 0 where the level is written whole. */
  chapters: count,
  /** The level's files that what is above has left behind. */
  stale: z.array(z.string()),
});
export type Base = z.output<typeof Base>;

/** One of a writer's tries at the level, and what the judge said of it. */
export const Attempt = z.object({
  number: count.min(1),
  /** The level as it would be; absent where no answer had a usable form. */
  files: ArtifactName.optional(),
  /** Why it has none. */
  problems: z.array(z.string()),
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

/** One of several versions before one is chosen. */
const Variant = z.object({ number: count.min(1), words: count, files: ArtifactName });
export type Variant = z.output<typeof Variant>;

/** What a run remembers. */
export const NovelState = z.object({
  base: Base.optional(),
  /** Absent where nothing had to be read: one file, or a level that is made anew. */
  plan: Plan.optional(),
  /** Why a judge could not be understood. */
  unheard: z.string().optional(),
  /** What exists below the target, and whether it goes. */
  downstream: z.array(Below),
  is_culled: z.boolean(),
  /** The folder of the debug store, from the project's; the same however often the run is resumed. */
  debug: z.string(),
  attempts: z.array(Attempt),
  /** Pieces that this attempt has so far, where prose is written one by one. */
  written: z.array(ArtifactName),
  /** The attempt that a person decides about, and the last one whose summary they were shown. */
  chosen: count.optional(),
  shown: count.optional(),
  /** What it changed, in a sentence or two. */
  summary: z.string().optional(),
  /** The last commit of the run's own, once it is made. */
  commit: z.string().optional(),
  decision: z.enum(["accepted", "rejected", "cancelled"]).optional(),
  /** The variants to choose from, how often some were written, and those of rounds before with what was said of them. */
  variants: z.array(Variant).optional(),
  variant_rounds: count.optional(),
  seen_variants: z.array(Variant.extend({ why: z.string() })).optional(),
  /** What the author said at the gates, oldest first. */
  said: z.array(AuthorNote).optional(),
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
  };
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
