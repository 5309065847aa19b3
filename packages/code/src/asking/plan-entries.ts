// A plan as models write it, and as the loop keeps it. Pure.
//
// Models call the same thing by many names, leave the file out where there is only one, or give a list of sentences. What
// can be understood is kept, under the loop's own names; an entry without a file gets the one that the plan before it
// began with (`fallback_file`); what names no file even so, or a test file, is left out.

import { z } from "zod";
import { isTestFile, workspacePath } from "../testing/test-files.ts";

/** A function that a plan asks for. */
export const PlanFunction = z.object({ name: z.string(), signature: z.string(), pseudocode: z.string() });

/** An entry of a plan: what is to be done to one file. */
export const PlanEntry = z.object({ file: z.string().min(1), action: z.string(), functions: z.array(PlanFunction) });
export type PlanEntry = z.infer<typeof PlanEntry>;

/** Code that a review proposed for a file. */
export const ReviewCode = z.object({ file: z.string().min(1), code: z.string() });
export type ReviewCode = z.infer<typeof ReviewCode>;

/** An object whose keys are not known. */
export type Loose = Readonly<Record<string, unknown>>;

/** The names that models give a thing, our own first. */
const aliases = {
  plan: ["plan", "entries", "steps", "changes", "files", "implementation_plan", "implementation", "tasks"],
  file: ["file", "path", "filename", "file_path", "filepath", "file_name", "target", "module"],
  action: ["action", "change", "changes", "operation", "description", "summary", "what", "type", "step", "task"],
  functions: ["functions", "function", "methods", "definitions", "items", "members"],
  name: ["name", "function", "function_name", "method", "id"],
  signature: ["signature", "sig", "declaration", "def", "header"],
  pseudocode: ["pseudocode", "pseudo_code", "pseudo", "steps", "logic", "body", "description", "details", "notes"],
  code: ["code", "corrected_code", "source", "content", "implementation", "fixed_code", "new_code"],
  tests: ["tests", "test", "test_file", "corrected_tests", "updated_tests"],
  filename: ["filename", "file", "path", "file_path", "name"],
  content: ["content", "code", "source", "text", "body"],
  target_tests: ["target_tests", "targets", "failing_tests"],
  look: ["look", "looks", "read"],
  tests_correct: ["tests_correct", "correct", "tests_are_correct", "valid"],
  issues: ["issues", "problems", "findings"],
  test_name: ["test_name", "test", "name"],
  problem: ["problem", "issue", "description", "why"],
  fix: ["fix", "correction", "suggestion"],
  cause: ["diagnosis", "analysis", "problem", "cause", "root_cause", "summary"],
  diagnosis: ["diagnosis"],
  dk_addition: ["dk_addition", "addition", "domain_knowledge", "domain_knowledge_addition"],
  confidence: ["confidence"],
} as const;

/** The plan in a value of any shape; empty where nothing in it can be understood. */
export function normalizePlan(value: unknown, fallbackFile?: string): PlanEntry[] {
  const entries = listOf(value).flatMap((entry) => {
    const file = fileOf(entry, fallbackFile);
    if (file === undefined || isTestFile(file)) return [];
    if (typeof entry === "string") return entry.trim() === "" ? [] : [{ file, action: entry.trim(), functions: [] }];
    if (!isLoose(entry)) return [];
    const action = textOf(pick(entry, "action"));
    const functions = functionsOf(pick(entry, "functions"));
    const hasWork = action !== "" || functions.length > 0 || textOf(pick(entry, "code")) !== "";
    return hasWork || pick(entry, "file") !== undefined ? [{ file, action, functions }] : [];
  });
  return mergeByFile(entries);
}

/** The code that a review's plan carries, by file: that of an entry, else those of its functions together. */
export function extractReviewCode(value: unknown, fallbackFile?: string): ReviewCode[] {
  const found = listOf(value).flatMap((entry) => {
    const file = fileOf(entry, fallbackFile);
    if (file === undefined || isTestFile(file) || !isLoose(entry)) return [];
    const own = textOf(pick(entry, "code"));
    const inFunctions = listOf(pick(entry, "functions")).map((each) =>
      isLoose(each) ? textOf(pick(each, "code")) : "",
    );
    const code = own !== "" ? own : inFunctions.filter((text) => text !== "").join("\n\n");
    return code === "" ? [] : [{ file, code }];
  });
  const byFile = Map.groupBy(found, ({ file }) => file);
  return [...byFile].map(([file, own]) => ({ file, code: own.map(({ code }) => code).join("\n\n") }));
}

/** What stands under a key, by any of the names that models give it, in any case of letters and with any separators. */
export function pick(value: Loose, key: keyof typeof aliases): unknown {
  const byName = new Map(Object.entries(value).map(([name, each]) => [plainName(name), each]));
  return aliases[key].map((name) => byName.get(plainName(name))).find((found) => found !== undefined && found !== null);
}

/** Whether a value is an object with keys. */
export function isLoose(value: unknown): value is Loose {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A value as one text; lists become lines. */
export function textOf(value: unknown): string {
  if (typeof value === "string") return value.trim();
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (Array.isArray(value)) return value.map(textOf).filter(Boolean).join("\n");
  return "";
}

function plainName(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, "");
}

/** A list of entries; one entry alone counts as a list, and so do entries under their files' names. */
function listOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  if (typeof value === "string") return value.trim() === "" ? [] : [value];
  if (!isLoose(value)) return [];
  const isEntry = pick(value, "file") !== undefined || pick(value, "functions") !== undefined;
  const inner = isEntry ? undefined : pick(value, "plan");
  if (isEntry) return [value];
  if (inner !== undefined) return listOf(inner);
  return Object.entries(value).map(([name, each]) =>
    isLoose(each) ? { file: name, ...each } : { file: name, action: textOf(each) },
  );
}

function fileOf(entry: unknown, fallbackFile: string | undefined): string | undefined {
  const named = isLoose(entry) ? textOf(pick(entry, "file")) : "";
  return workspacePath(named === "" ? (fallbackFile ?? "") : named);
}

function functionsOf(value: unknown): PlanEntry["functions"] {
  const isOne = isLoose(value) && (pick(value, "name") !== undefined || pick(value, "signature") !== undefined);
  const list = isOne ? [value] : isLoose(value) ? Object.values(value) : listOf(value);
  return list.flatMap((each) => {
    if (typeof each === "string")
      return each.trim() === "" ? [] : [{ name: each.trim(), signature: "", pseudocode: "" }];
    if (!isLoose(each)) return [];
    const signature = textOf(pick(each, "signature"));
    const name = textOf(pick(each, "name")) || signature;
    return name === "" ? [] : [{ name, signature, pseudocode: textOf(pick(each, "pseudocode")) }];
  });
}

function mergeByFile(entries: readonly PlanEntry[]): PlanEntry[] {
  const merged = new Map<string, PlanEntry>();
  for (const { file, action, functions } of entries) {
    const before = merged.get(file);
    const actions = [before?.action ?? "", action].filter((text) => text !== "");
    merged.set(file, { file, action: actions.join("\n"), functions: [...(before?.functions ?? []), ...functions] });
  }
  return [...merged.values()];
}
