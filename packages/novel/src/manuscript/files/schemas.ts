// The schemas of a project's JSON and YAML files.

import { z } from "zod";
import { MOST_CHAPTERS } from "./layout.ts";

const text = z.string().refine((value) => value.trim() !== "", "it is empty");
const texts = z.array(text);
const count = z.int().min(0);

/** project.yaml. */
export const ProjectFile = z.strictObject({
  title: text,
  author: text.optional(),
  /** A tag such as `en` or `pt-BR`. */
  language: text.optional(),
  genre: text.optional(),
  target_words: z.int().min(1).optional(),
  chapters: z.int().min(1).max(MOST_CHAPTERS).optional(),
  /** By role (writer, judge, summarizer, default): `endpoint:model`, as `--model` takes it. */
  models: z.record(z.string().regex(/^[a-z][a-z0-9-]*$/, "a role's name"), text).optional(),
  /** How many judges look at each attempt. */
  judges: z.union([z.literal(1), z.literal(2)]).optional(),
  /** About how many words a chapter is to have: all of them, and single ones by their number. */
  chapter_words: z.int().min(1).optional(),
  word_goals: z.record(z.string().regex(/^[1-9]\d*$/, "a chapter's number"), z.int().min(1)).optional(),
  analysis: z.strictObject({ banned_phrases: texts.optional(), required_beats: texts.optional() }).optional(),
});
export type ProjectFile = z.output<typeof ProjectFile>;

/** taxonomy.json. What a person adds to it is told to the writer with the rest. */
export const Taxonomy = z.looseObject({
  genre: z.string(),
  subgenres: z.array(z.string()),
  tropes: z.array(z.string()),
  tone: z.array(z.string()),
  audience: z.string(),
  pov: z.string(),
  tense: z.string(),
});
export type Taxonomy = z.output<typeof Taxonomy>;

/** premise_metadata.json. */
export const PremiseMetadata = z.looseObject({
  title: text,
  logline: text,
  premise: text,
  genre: text,
  themes: texts.min(1),
  tone: text,
  setting: text,
  protagonist: z.looseObject({ name: text, want: text, need: text, flaw: text }),
  antagonist: text,
  stakes: text,
  hook: text,
});
export type PremiseMetadata = z.output<typeof PremiseMetadata>;

/** An entry of a history file. One that another program wrote may have no id. */
const Entry = z.looseObject({
  iteration_id: text.optional(),
  timestamp: text,
  feedback: z.string(),
  judge_attempts: count,
  judge_verdict: z.enum(["approved", "needs_revision", "none"]),
  judge_reasoning: z.string(),
  semantic_summary: z.string(),
  files_changed: count,
  lines_changed: count,
  accepted_by: z.literal("user").optional(),
  kind: z.enum(["iterate", "generate", "derive", "edit", "import"]).optional(),
  said: z.array(z.string()).optional(),
  commit_sha: z.string().optional(),
});

/** iteration_history.json, newest first. */
export const HistoryFile = z.looseObject({ iterations: z.array(Entry) });
export type HistoryFile = z.output<typeof HistoryFile>;

const version = z.string().regex(/^[0-9a-f]{16}$/, "sixteen hexadecimal digits");
const versions = z.partialRecord(z.enum(["premise", "treatment", "chapters", "prose"]), version);

/** staleness.json: for each level, the versions of the levels above that it was generated from. */
export const StalenessFile = z.strictObject({
  generated_from: z.partialRecord(z.enum(["treatment", "chapters", "prose", "analysis"]), versions),
});
export type StalenessFile = z.output<typeof StalenessFile>;
