// The form of an answer: a schema as JSON Schema for servers that hold to one, and in words for every model.

import type { Json } from "@loopwright/core";
import { z } from "zod";

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

/** What is added to a prompt so that its answer fits a schema. */
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
  if (type === "array" && isNode(items)) return `a list${limits(node)}, each entry ${describe(items, indent)}`;
  if (type === "object" && isNode(properties)) return `an object with:${fields(node, properties, indent)}`;
  if (type === "object" && isNode(additionalProperties))
    return `an object with keys of your choice, each value ${describe(additionalProperties, indent)}`;
  if (typeof type === "string" && Object.hasOwn(typeNames, type)) return `${typeNames[type]}${limits(node)}`;
  return `a value that fits the JSON Schema ${JSON.stringify(node)}`;
}

function fields(node: Node, properties: Node, indent: string): string {
  const required = Array.isArray(node.required) ? node.required : [];
  const lines = Object.entries(properties).map(([key, field]) => {
    const about = isNode(field) && typeof field.description === "string" ? ` (${field.description})` : "";
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

function isNode(value: Json | undefined): value is Node {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
