// Versions of files: a hash of the text, so that two texts that say the same are the same version. Of a premise, layout
// and the order of keys are no change.

import { hash } from "node:crypto";
import type { FileBlock } from "../../types.ts";
import { plainLines } from "../words.ts";
import { PREMISE_PATH } from "./layout.ts";
import { PremiseMetadata } from "./schemas.ts";

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
