// Parsing: from the text of an answer to a value that fits a schema, or to code, or to a FormatError whose words a model
// can act on.
//
//   as it stands → fenced blocks → objects and lists anywhere outside thoughts
//
// Each step reads JSON as models write it (json.ts), and whatever it finds is held to the schema. The first step
// with a value that fits decides. Where it has several that fit and differ, none is taken: the last one may be the
// answer, or an example, or an afterthought, and asking again is cheaper than believing the wrong one.

import { canonicalJson, FormatError, type Json } from "@loopwright/core";
import type { z } from "zod";
import { answerOf, type Block, fencedBlocks } from "./blocks.ts";
import { JsonError, type Reading, readWholeJson, type Search, valuesAnywhere, valuesInBlocks } from "./json.ts";

const REMINDER = "Answer with one JSON value that fits what was asked for, and nothing else.";

/** The value that an answer holds; throws FormatError where it holds none that fits. */
export function parseObject<Schema extends z.ZodType>(text: string, schema: Schema): z.output<Schema> {
  const whole = readWholeJson(text);
  if (!(whole instanceof JsonError) && whole.isStrict) {
    const result = schema.safeParse(whole.value);
    if (result.success) return result.data;
    throw mismatch(whole.value, result.error);
  }
  const answer = answerOf(text);
  const inBlocks = valuesInBlocks(answer);
  const fromBlocks = choose(inBlocks, schema);
  if (fromBlocks) return fromBlocks.data;
  const anywhere = valuesAnywhere(answer);
  const fromAnywhere = choose(anywhere, schema);
  if (fromAnywhere) return fromAnywhere.data;
  throw unusable([...inBlocks.readings, ...anywhere.readings], anywhere.passed, schema);
}

/** The one value of a search that fits; undefined where none does. */
function choose<Schema extends z.ZodType>(
  { readings, broken }: Search,
  schema: Schema,
): { data: z.output<Schema> } | undefined {
  if (broken?.isCut)
    throw new FormatError(
      "ANSWER_CUT",
      `The JSON in the answer ends too early (${broken.message}). Answer again, complete.`,
    );
  if (broken)
    throw new FormatError("BROKEN_JSON", `The JSON in the answer is broken at ${broken.message}. ${REMINDER}`);
  const distinct = new Map(readings.map(({ value }) => [canonicalJson(value), value]));
  const fitting = [...distinct.values()].flatMap((value) => {
    const result = schema.safeParse(value);
    return result.success ? [result.data] : [];
  });
  if (fitting.length > 1) {
    const message = `The answer holds ${fitting.length} different JSON values that fit. ${REMINDER}`;
    throw new FormatError("ANSWER_CONFLICTING", message);
  }
  return fitting.length === 1 ? { data: fitting[0]! } : undefined;
}

/** Why nothing was taken: the largest value does not fit, or there is none. */
function unusable(readings: readonly Reading[], passed: JsonError | undefined, schema: z.ZodType): FormatError {
  const largest = readings.toSorted((a, b) => b.end - b.start - (a.end - a.start))[0];
  const result = largest && schema.safeParse(largest.value);
  if (largest && result?.error) return mismatch(largest.value, result.error);
  const place = passed ? ` What looked most like it is none (${passed.message}).` : "";
  return new FormatError("NO_JSON", `The answer holds no JSON.${place} ${REMINDER}`);
}

const MOST = 8;
const LONGEST = 60;

/** Says where a value misses its schema, what was expected, and what was found there: one line each. */
function mismatch(value: Json, error: z.ZodError): FormatError {
  const lines = error.issues.slice(0, MOST).map((issue) => `- ${describeIssue(value, issue)}`);
  const more = error.issues.length > MOST ? [`- and ${error.issues.length - MOST} more`] : [];
  const intro = "The JSON in the answer does not fit what was asked for:";
  return new FormatError("NOT_FITTING", [intro, ...lines, ...more, REMINDER].join("\n"));
}

function describeIssue(value: Json, issue: z.core.$ZodIssue): string {
  const found = valueAt(value, issue.path);
  const place = issue.path.length === 0 ? "the whole" : `'${pathOf(issue.path)}'`;
  const wanted = issue.message.replace(/^Invalid input: /, "").replace(/, received .*$/, "");
  return `${place}: ${wanted}, found ${found === undefined ? "nothing" : excerpt(found)}`;
}

function valueAt(value: Json, path: readonly PropertyKey[]): Json | undefined {
  let at: Json | undefined = value;
  for (const key of path) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Readonly<Record<PropertyKey, Json>>)[key];
  }
  return at;
}

function pathOf(path: readonly PropertyKey[]): string {
  return path.map((key, at) => (typeof key === "number" ? `[${key}]` : `${at > 0 ? "." : ""}${String(key)}`)).join("");
}

function excerpt(value: Json): string {
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === "object" && value !== null) {
    const keys = Object.keys(value);
    const shown = keys.slice(0, 6).map((key) => key.slice(0, 30));
    if (keys.length === 0) return "an object with no keys";
    return `an object with the keys ${shown.join(", ")}${keys.length > 6 ? ", …" : ""}`;
  }
  const text = JSON.stringify(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

export interface CodeBlockOptions {
  /** The names that the fence may give; a block without a name counts where none has one of these. Any where left out. */
  languages?: readonly string[];
}

/** The one fenced code block of an answer, or several that are the same; throws FormatError for anything else. */
export function codeBlock(text: string, { languages = [] }: CodeBlockOptions = {}): string {
  const blocks = fencedBlocks(answerOf(text));
  const usable = blocksIn(blocks, languages).filter((block) => !block.isClosed || block.text.trim() !== "");
  const form = `Answer with exactly one fenced block${languages[0] ? ` that begins with \`\`\`${languages[0]}` : ""}.`;
  if (usable.length === 0) throw new FormatError("NO_CODE", `${whatWasFound(blocks)} ${form}`);
  if (usable.some(({ isClosed }) => !isClosed)) {
    const message = `A fenced code block of the answer is never closed, or another fence opens inside it. ${form}`;
    throw new FormatError("ANSWER_CUT", message);
  }
  const distinct = new Set(usable.map((block) => block.text.trimEnd()));
  if (distinct.size > 1) {
    const message = `The answer holds ${distinct.size} different fenced code blocks, and it is unclear which is meant. ${form}`;
    throw new FormatError("CODE_CONFLICTING", message);
  }
  return usable[0]!.text;
}

/** The blocks in one of the languages, else those that name none. */
function blocksIn(blocks: readonly Block[], languages: readonly string[]): Block[] {
  if (languages.length === 0) return [...blocks];
  const names = languages.map((name) => name.toLowerCase());
  const named = blocks.filter(({ language }) => names.includes(language));
  return named.length > 0 ? named : blocks.filter(({ language }) => language === "");
}

function whatWasFound(blocks: readonly Block[]): string {
  if (blocks.length === 0) return "The answer holds no fenced code block, and prose is never run as code.";
  const names = [...new Set(blocks.map(({ language }) => language || "no language"))].slice(0, 5);
  return `The answer holds no usable code: its fenced blocks are empty or of another kind (${names.join(", ").slice(0, 100)}).`;
}

/** A plan in words and the one block of code behind it. Prose is never code. */
export function planAndCode(text: string, options: CodeBlockOptions = {}): { plan: string; code: string } {
  const code = codeBlock(text, options);
  const answer = answerOf(text);
  const plan = answer
    .slice(0, answer.indexOf("```"))
    .replace(/^[#*\s\d.]*PLAN[*:\s]*/i, "")
    .replace(/\n[#*\s\d.]*CODE[*:\s]*$/i, "")
    .trim();
  return { plan: plan || "(no plan was given)", code };
}
