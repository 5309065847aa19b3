// Asking a model from a loop. The answer is recorded first, as the result of an effect, and read afterwards: one that is
// empty, cut off or of the wrong form was paid for and is kept, and reading it again after a crash gives the same.

import {
  type Artifact,
  FormatError,
  type Json,
  type ModelAnswer,
  type ModelRequest,
  type ModelTool,
  type PromptPart,
} from "@loopwright/core";
import { z } from "zod";
import { isObject } from "../calls.ts";
import { answerOf } from "../parse/blocks.ts";
import { parseObject } from "../parse/parse.ts";
import type { RenderedPrompt } from "../prompt/prompts.ts";

/** What of a context asking needs. */
export interface Asker {
  model(role: string): { call(key: string, request: ModelRequest): Promise<ModelAnswer> };
}

/** What is asked: a prompt from a file, whose role may be replaced, or a text and the role that it is for. */
export type Question = { images?: readonly Artifact[]; tools?: readonly ModelTool[]; maxRetries?: number } & (
  | { prompt: RenderedPrompt; role?: string }
  | { prompt: string; role: string }
);

/** Asks for text, and gives it without the model's thought; throws FormatError where nothing usable came. */
export async function askText(ctx: Asker, key: string, question: Question): Promise<string> {
  const answer = await ctx.model(roleOf(question)).call(key, toRequest(question));
  return answerOf(wholeText(answer));
}

/** Asks for a value that fits a schema; throws FormatError where none came. */
export async function askObject<Schema extends z.ZodType>(
  ctx: Asker,
  key: string,
  schema: Schema,
  question: Question,
): Promise<z.output<Schema>> {
  const answer = await ctx.model(roleOf(question)).call(key, toRequest(question, { schema }));
  return parseObject(wholeText(answer), schema);
}

/** The role that a question is for. */
export function roleOf({ prompt, role }: Question): string {
  return role ?? (prompt as RenderedPrompt).role;
}

/** A question as a model's request: with more parts behind its own, and the form that a schema asks for last. */
export function toRequest(
  { prompt, images, tools }: Question,
  { schema, more = [] }: { schema?: z.ZodType | undefined; more?: readonly PromptPart[] } = {},
): ModelRequest {
  const json = schema && schemaToJson(schema);
  const form = json ? [{ name: "format", text: describeFormat(json), priority: 0 }] : [];
  const extra = { images, schema: json, tools };
  if (typeof prompt === "string") {
    const whole = { name: "prompt", text: prompt, priority: 0 };
    return { prompt: form.length + more.length > 0 ? [whole, ...more, ...form] : prompt, ...extra };
  }
  const { id, version, hash, system, parts, temperature, topP, maxTokens } = prompt;
  const name = `${id}@${version}#${hash.slice(0, 12)}`;
  return { id: name, system, prompt: [...parts, ...more, ...form], ...extra, temperature, topP, maxTokens };
}

/** The text of an answer that came to its end; throws FormatError for one that did not, however complete it looks. */
export function wholeText({ text, finishReason }: Pick<ModelAnswer, "text" | "finishReason">): string {
  if (finishReason === "length") {
    const message = "The answer was cut off at its greatest length. Answer again, shorter, so that it is complete.";
    throw new FormatError("ANSWER_CUT", message);
  }
  if (finishReason === "content-filter")
    throw new FormatError("ANSWER_WITHHELD", "The answer was withheld by the server's content filter.");
  return text;
}

type Node = Readonly<Record<string, Json>>;

const typeNames: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  integer: "a whole number",
  boolean: "true or false",
  null: "null",
};
/** What can be said of a value in a few words, by its keyword. */
const bounds: Readonly<Record<string, string>> = {
  minimum: "at least",
  maximum: "at most",
  exclusiveMinimum: "more than",
  exclusiveMaximum: "less than",
  minLength: "characters at least",
  maxLength: "characters at most",
  minItems: "entries at least",
  maxItems: "entries at most",
  pattern: "matching",
};
/** What zod writes for any whole number; it says nothing. */
const anyWhole = new Set<Json>([Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]);

/** A schema as JSON Schema: what an answer must be before it is parsed. */
export function schemaToJson(schema: z.ZodType): Node {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return json as Node;
}

/** What is added to a prompt so that its answer fits a schema: the form in words, for every model. */
export function describeFormat(schema: Node): string {
  const intro = "Answer with one JSON value and nothing else: no words before or after it, no comments.";
  const text = JSON.stringify(schema);
  if (text.includes('"$ref"')) return `${intro} It must fit this JSON Schema:\n${text}`;
  return `${intro} It is ${describe(schema, "")}`;
}

/** A node in words; what belongs to it in more lines is indented below. */
function describe(node: Node, indent: string): string {
  const { type, properties, items, additionalProperties, anyOf, enum: choices, const: only } = node;
  if (only !== undefined) return `always ${JSON.stringify(only)}`;
  if (Array.isArray(choices)) return `one of ${choices.map((choice) => JSON.stringify(choice)).join(", ")}`;
  if (Array.isArray(type)) return type.map((each) => describe({ ...node, type: each }, indent)).join(" or ");
  if (Array.isArray(anyOf)) return anyOf.map((option) => describe(option as Node, indent)).join(`\n${indent}or `);
  if (type === "array" && isObject(items)) return `a list${limits(node)}, each entry ${describe(items, indent)}`;
  if (type === "object" && isObject(properties)) return `an object with:${fields(node, properties, indent)}`;
  if (type === "object" && isObject(additionalProperties))
    return `an object with keys of your choice, each value ${describe(additionalProperties, indent)}`;
  if (typeof type === "string" && Object.hasOwn(typeNames, type)) return `${typeNames[type]}${limits(node)}`;
  return `a value that fits the JSON Schema ${JSON.stringify(node)}`;
}

function fields(node: Node, properties: Node, indent: string): string {
  const required = Array.isArray(node.required) ? node.required : [];
  const lines = Object.entries(properties).map(([key, field]) => {
    const about = isObject(field) && typeof field.description === "string" ? ` (${field.description})` : "";
    const optional = required.includes(key) ? "" : ", may be left out";
    return `\n${indent}- "${key}"${about}${optional}: ${describe(field as Node, `${indent}  `)}`;
  });
  return lines.join("");
}

function limits(node: Node): string {
  const said = Object.entries(bounds).flatMap(([key, words]) => {
    const bound = node[key];
    if (bound === undefined || anyWhole.has(bound)) return [];
    if (!/^m..(?:Length|Items)/.test(key)) return [`${words} ${bound}`];
    return [`${bound} ${bound === 1 ? words.replace(/^entries/, "entry").replace(/^characters/, "character") : words}`];
  });
  return said.length === 0 ? "" : ` (${said.join(", ")})`;
}
