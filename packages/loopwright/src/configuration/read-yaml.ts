// Reads configuration written in YAML and holds it to its schema, with the place of every error.

import { suggestOrList, usage } from "@loopwright/core";
import { type Document, isMap, isScalar, LineCounter, type Node, parseDocument } from "yaml";
import { z } from "zod";
import { ConfigurationSchema, type ConfigurationValues } from "./schema.ts";

/** What one file, or one `-c`, says. */
export interface Source {
  values: ConfigurationValues;
  /** What is wrong with them, each with its place. */
  errors: readonly string[];
  /** The blocks of loops, by name: each is held to its own package's schema, once that is known. */
  blocks: Readonly<Record<string, unknown>>;
  /** What to say of a block that belongs to no loop. */
  unknownBlock(name: string, known: readonly string[]): string;
  /** What is wrong in a block, with its place; undefined where this source has nothing there. */
  errorIn(name: string, issue: Issue, schema: z.ZodType): string | undefined;
}

/** A configuration file. */
export function readYaml(text: string, file: string): Source {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const broken = document.errors[0];
  if (broken) throw usage(`${place(file, lines, broken.pos[0])}: this is not YAML: ${broken.message}`);
  return readDocument(document, (node) => place(file, lines, node?.range?.[0] ?? 0));
}

/** One `-c KEY=VALUE`. */
export function readAssignment(assignment: string): Source {
  const at = assignment.indexOf("=");
  if (at < 1) throw usage(`-c wants KEY=VALUE, such as -c ceilings.iterations=40, not '${assignment}'`);
  const value = parseDocument(assignment.slice(at + 1), { prettyErrors: false });
  if (value.errors.length > 0) throw usage(`-c ${assignment}: its value is not YAML`);
  const document = parseDocument("{}");
  document.setIn(assignment.slice(0, at).split("."), value.contents);
  return readDocument(document, () => `-c ${assignment}`);
}

type PlaceOf = (node: Node | undefined) => string;

function readDocument(document: Document, placeOf: PlaceOf): Source {
  const all = toPlain(document, placeOf(undefined)) ?? {};
  const isBlock = (key: string) => !Object.hasOwn(ConfigurationSchema.shape, key);
  const entries = typeof all === "object" && !Array.isArray(all) ? Object.entries(all) : undefined;
  const blocks = Object.fromEntries(entries?.filter(([key]) => isBlock(key)) ?? []);
  const general = entries ? Object.fromEntries(entries.filter(([key]) => !isBlock(key))) : all;
  const result = ConfigurationSchema.safeParse(general);
  return {
    values: result.data ?? {},
    errors: (result.error?.issues ?? []).map((issue) => errorOf(issue, document, placeOf, ConfigurationSchema)),
    blocks,
    unknownBlock: (name, known) => {
      const hint = suggestOrList(name, [...Object.keys(ConfigurationSchema.shape), ...known]);
      return `${placeOf(keyNode(document, [], name))}: '${name}' is no key of the configuration${hint}`;
    },
    errorIn: (name, issue, schema) => {
      const path = [name, ...issue.path];
      if (!document.hasIn(path)) return undefined;
      return errorOf({ ...issue, path }, document, placeOf, z.object({ [name]: schema }));
    },
  };
}

/** Aliases that multiply without end are a fault of the file, not of the program. */
function toPlain(document: Document, place: string): unknown {
  try {
    return document.toJS({ maxAliasCount: 50 });
  } catch (error) {
    throw usage(`${place}: this cannot be read: ${(error as Error).message}`);
  }
}

function errorOf(issue: Issue, document: Document, placeOf: PlaceOf, schema: z.ZodType): string {
  const path = issue.path.map(String);
  if (issue.code === "unrecognized_keys") {
    const key = issue.keys[0]!;
    const hint = suggestOrList(key, keysAt(schema, path));
    return `${placeOf(keyNode(document, path, key))}: '${[...path, key].join(".")}' is no key of the configuration${hint}`;
  }
  const node = (path.length === 0 ? document.contents : document.getIn(path, true)) as Node | undefined;
  if (issue.code === "invalid_key")
    return `${placeOf(node)}: '${path.at(-1)}' is no right key under '${path.slice(0, -1).join(".")}', expected ${expected(issue.issues[0]!)}`;
  if (path.length === 0) return `${placeOf(node)}: the file is ${wholeToText(document.toJS())}, expected a mapping`;
  const found = document.getIn(path);
  if (found === undefined)
    return `${placeOf(document.getIn(path.slice(0, -1), true) as Node | undefined)}: ${missing(issue)}`;
  const shown = isMap(found) ? "a mapping" : typeof found === "number" ? String(found) : withoutUser(found);
  return `${placeOf(node)}: '${path.join(".")}' is ${shown}${mismatch(issue)}`;
}

/** What a file is that is no mapping. */
function wholeToText(found: unknown): string {
  return Array.isArray(found) ? "a list" : typeof found === "string" ? "a text" : `the value ${withoutUser(found)}`;
}

/** A value as JSON, without the name and the password of an address. */
function withoutUser(found: unknown): string {
  return JSON.stringify(found)?.replace(/\/\/[^/\s"]*@/g, "//[secret]@");
}

/** The key itself, for its place. */
function keyNode(document: Document, path: readonly string[], key: string): Node | undefined {
  const parent = path.length === 0 ? document.contents : document.getIn(path, true);
  const pair = isMap(parent) ? parent.items.find((item) => isScalar(item.key) && item.key.value === key) : undefined;
  return pair?.key as Node | undefined;
}

/** The keys that a schema knows at a path; none where it names none. */
function keysAt(whole: z.ZodType, path: readonly string[]): string[] {
  let schema: unknown = whole;
  for (const key of path) {
    const inside = unwrap(schema);
    if (inside instanceof z.ZodRecord) schema = inside.valueType;
    else if (inside instanceof z.ZodArray) schema = inside.element;
    else schema = inside instanceof z.ZodObject ? inside.shape[key] : undefined;
  }
  const last = unwrap(schema);
  return last instanceof z.ZodObject ? Object.keys(last.shape) : [];
}

function unwrap(schema: unknown): unknown {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodDefault ? unwrap(schema.unwrap()) : schema;
}

function place(file: string, lines: LineCounter, offset: number): string {
  const { line, col } = lines.linePos(offset);
  return `${file}:${line}:${col}`;
}

// How a value breaks its schema, in words that go on after "'ceilings.usd' is high": zod's own, made a sentence.

type Issue = z.core.$ZodIssue;

/** What was expected instead, or what a schema's own check says. */
function mismatch(issue: Issue): string {
  return issue.code === "custom" ? `: ${issue.message}` : `, expected ${expected(issue)}`;
}

/** What is missing, and what was expected there. */
export function missing(issue: Issue): string {
  return `'${issue.path.join(".")}' is missing${mismatch(issue)}`;
}

const types: Readonly<Record<string, string>> = {
  number: "a number",
  int: "a whole number",
  string: "text",
  boolean: "true or false",
  object: "a mapping",
  record: "a mapping",
  array: "a list",
};

const signs: Readonly<Record<string, string>> = {
  ">=": "at least ",
  "<=": "at most ",
  ">": "more than ",
  "<": "less than ",
};

/** What a schema wants, as a noun; the words that it brings along hold. */
function expected(issue: Issue): string {
  const { message } = issue;
  if (!/^(Invalid|Too (big|small)|Unrecognized)\b/.test(message)) return message;
  if (issue.code === "invalid_type") return types[issue.expected] ?? issue.expected;
  if (issue.code === "invalid_value")
    return `${issue.values.length > 1 ? "one of " : ""}${issue.values.map(String).join(", ")}`;
  if (issue.code === "invalid_union") {
    const inside = ({ path }: Issue) => (path.length > 0 ? `a mapping whose '${path.join(".")}' is ` : "");
    const choices = issue.errors.flatMap(([first]) => (first ? `${inside(first)}${expected(first)}` : []));
    return [...new Set(choices)].join(" or ") || "another value";
  }
  return message
    .replace(/^(?:Invalid \w+|Too big|Too small): (?:expected |must be )?/, "")
    .replace(/^(number|string|array) to (?:be|have) /, (_, kind) => `${types[kind]} of `)
    .replace(/^must /, "text that must ")
    .replace(/^Invalid /, "a valid ")
    .replace(/[<>]=?/, (sign) => signs[sign]!);
}
