// The schemas of a project's JSON and YAML files.

import { hash } from "node:crypto";
import { MaxRetries } from "@loopwright/core";
import { z } from "zod";
import type { FileBlock } from "../../types.ts";
import { plainLines } from "../words.ts";
import { MOST_CHAPTERS, PREMISE_PATH } from "./layout.ts";

const text = z.string().refine((value) => value.trim() !== "", "it is empty");
const texts = z.array(text);
const count = z.int().min(0);

/** project.yaml. */
export const ProjectFile = z.strictObject({
  title: text.describe("the book's title"),
  author: text.optional().describe("who stands on its cover"),
  language: text.optional().describe("a tag such as `en` or `pt-BR`"),
  genre: text.optional().describe("told to the writer"),
  target_words: z.int().min(1).optional().describe("about how many words the whole book should have"),
  chapters: z.int().min(1).max(MOST_CHAPTERS).optional().describe("how many chapters it should have"),
  models: z
    .record(z.string().regex(/^[a-z][a-z0-9-]*$/, "a role's name"), text)
    .optional()
    .describe("by role (writer, judge, second-judge, summarizer, default): `endpoint:model`, as `--model` takes it"),
  scope: z
    .enum(["model", "whole", "named"])
    .optional()
    .describe(
      "which files an iteration writes: those that the model reads out of the feedback, all, or those named (model)",
    ),
  max_retries: MaxRetries.optional(),
  chapter_words: z.int().min(1).optional().describe("about how many words each chapter should have"),
  word_goals: z
    .record(z.string().regex(/^[1-9]\d*$/, "a chapter's number"), z.int().min(1))
    .optional()
    .describe("by a chapter's number: about how many words this one should have"),
  analysis: z
    .strictObject({
      banned_phrases: texts.optional().describe("phrases that must not stand in the book"),
    })
    .optional()
    .describe("what `/analyze` looks for beside its own"),
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
export const Entry = z.looseObject({
  iteration_id: text.optional(),
  timestamp: text,
  feedback: z.string(),
  judge_attempts: count,
  judge_verdict: z.enum(["approved", "needs_revision", "none"]),
  judge_reasoning: z.string(),
  /** The models that judged it, where it is known. */
  judge_models: z.array(z.string()).optional(),
  semantic_summary: z.string(),
  files_changed: count,
  lines_changed: count,
  /** Present where a person took what the judge had not approved, or wrote it. */
  accepted_by: z.literal("user").optional(),
  kind: z.enum(["iterate", "generate", "derive", "edit", "import"]).optional(),
  /** What was judged of the feedback's conditions, and what the author said along with their answers. */
  conditions: z.array(z.string()).optional(),
  said: z.array(z.string()).optional(),
  commit_sha: z.string().optional(),
});

/** iteration_history.json, newest first. */
export const HistoryFile = z.looseObject({ iterations: z.array(Entry) });

const version = z.string().regex(/^[0-9a-f]{16}$/, "sixteen hexadecimal digits");
/** staleness.json: for each file, and for the analysis, the versions of the files that it was made from. */
export const StalenessFile = z.strictObject({ files: z.record(text, z.record(text, version)) });
export type StalenessFile = z.output<typeof StalenessFile>;

// Versions of files: a hash of the text, so that two texts that say the same are the same version. Of a premise, layout
// and the order of keys are no change.

/** The version of one file's text, wherever it lies. */
export function hashOf(content: string): string {
  return hash("sha256", plainText(content)).slice(0, 16);
}

/** Whether two versions of a level say the same: line endings, space at the ends of lines and the layout of JSON aside. */
export function isUnchanged(before: readonly FileBlock[], after: readonly FileBlock[]): boolean {
  const told = (files: readonly FileBlock[]) =>
    JSON.stringify(files.map((file) => [file.path, plainText(comparableText(file))]).sort());
  return told(before) === told(after);
}

/** Whether two texts say the same. */
export function isSameText(before: string, after: string): boolean {
  return before === after || plainText(before) === plainText(after);
}

function plainText(content: string): string {
  return plainLines(content)
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n")
    .trim();
}

/** A premise as its file holds it: keys in the order of the schema, those that it does not know after them. */
export function premiseToText(premise: PremiseMetadata): string {
  const { shape } = PremiseMetadata;
  const value = {
    ...ordered(premise, Object.keys(shape)),
    protagonist: ordered(premise.protagonist, Object.keys(shape.protagonist.shape)),
  };
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** A file's text as it is compared with another version of it. */
export function comparableText({ path, content }: FileBlock): string {
  if (path !== PREMISE_PATH) return content;
  try {
    return premiseToText(PremiseMetadata.parse(JSON.parse(content)));
  } catch {
    // One that is no premise is compared as it stands.
    return content;
  }
}

function ordered(value: Readonly<Record<string, unknown>>, known: readonly string[]): Record<string, unknown> {
  const others = Object.keys(value).filter((key) => !known.includes(key));
  return Object.fromEntries([...known, ...others.sort()].map((key) => [key, value[key]]));
}

/** The JSON of a premise as Markdown; a text that is none stays as it is. */
export function premiseToMarkdown(content: string): string {
  const value = parsed(content);
  if (value === undefined) return content;
  const { title, ...others } = value;
  const sections = Object.entries(others).map(([key, each]) => `## ${headingOf(key)}\n\n${textOf(each)}`);
  return [...(typeof title === "string" ? [`# ${title}`] : []), ...sections].join("\n\n");
}

function parsed(content: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(content);
    return value !== null && typeof value === "object" && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

/** A list is a line for each of its items, and so is what has names of its own. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map((each) => `- ${textOf(each)}`).join("\n");
  if (value === null || typeof value !== "object") return String(value ?? "");
  return Object.entries(value)
    .map(([key, each]) => `${headingOf(key)}: ${textOf(each)}`)
    .join("\n");
}

function headingOf(key: string): string {
  return key.charAt(0).toUpperCase() + key.slice(1).replaceAll("_", " ");
}
