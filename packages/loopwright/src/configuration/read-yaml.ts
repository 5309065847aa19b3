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
  let all: unknown;
  try {
    all = document.toJS({ maxAliasCount: 50 }) ?? {};
  } catch (error) {
    // Aliases that multiply without end are a fault of the file, not of the program.
    throw usage(`${placeOf(undefined)}: this cannot be read: ${(error as Error).message}`);
  }
  const isBlock = (key: string) => !Object.hasOwn(ConfigurationSchema.shape, key);
  const entries = typeof all === "object" && !Array.isArray(all) ? Object.entries(all!) : undefined;
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

function errorOf(issue: Issue, document: Document, placeOf: PlaceOf, schema: z.ZodType): string {
  const path = issue.path.map(String);
  if (issue.code === "unrecognized_keys") {
    const key = issue.keys[0]!;
    const hint = suggestOrList(key, keysAt(schema, path));
    return `${placeOf(keyNode(document, path, key))}: '${[...path, key].join(".")}' is no key of the configuration${hint}`;
  }
  const nodeAt = (at: string[]) => (at.length === 0 ? document.contents : document.getIn(at, true)) as Node | undefined;
  if (path.length === 0) return `${placeOf(nodeAt(path))}: the file is no mapping`;
  if (issue.code === "invalid_key")
    return `${placeOf(nodeAt(path))}: '${path.at(-1)}' is no right key under '${path.slice(0, -1).join(".")}': ${wordsOf(issue.issues[0]!)}`;
  const found = document.getIn(path);
  if (found === undefined) return `${placeOf(nodeAt(path.slice(0, -1)))}: ${missing(issue)}`;
  const shown = isMap(found) ? "a mapping" : typeof found === "number" ? String(found) : withoutUser(found);
  return `${placeOf(nodeAt(path))}: '${path.join(".")}' is ${shown}: ${wordsOf(issue)}`;
}

/** A value as JSON, without the name and the password of an address. */
function withoutUser(found: unknown): string {
  return JSON.stringify(found)?.replace(/\/\/[^/\s"]*@/g, "//[secret]@");
}

function keyNode(document: Document, path: readonly string[], key: string): Node | undefined {
  const parent = path.length === 0 ? document.contents : document.getIn(path, true);
  const pair = isMap(parent) ? parent.items.find((item) => isScalar(item.key) && item.key.value === key) : undefined;
  return pair?.key as Node | undefined;
}

/** The keys that a schema knows at a path; none where it names none. */
function keysAt(schema: unknown, path: readonly string[]): string[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return keysAt(schema.unwrap(), path);
  const [key, ...rest] = path;
  const shape = schema instanceof z.ZodObject ? schema.shape : {};
  if (key === undefined) return Object.keys(shape);
  if (schema instanceof z.ZodRecord) return keysAt(schema.valueType, rest);
  return keysAt(schema instanceof z.ZodArray ? schema.element : shape[key], rest);
}

function place(file: string, lines: LineCounter, offset: number): string {
  const { line, col } = lines.linePos(offset);
  return `${file}:${line}:${col}`;
}

type Issue = z.core.$ZodIssue;

/** What is missing, and what was expected there. */
export function missing(issue: Issue): string {
  return `'${issue.path.join(".")}' is missing: ${wordsOf(issue)}`;
}

/** How a value breaks its schema, in zod's own words; what was found is said before them. */
function wordsOf(issue: Issue): string {
  const inside = ({ path }: Issue) => (path.length > 0 ? `'${path.join(".")}' ` : "");
  if (issue.code === "invalid_union")
    return issue.errors.flatMap(([first]) => (first ? inside(first) + wordsOf(first) : [])).join(", or ");
  return issue.message.replace(/^(?:Invalid \w+|Too big|Too small): |, received \w+$/g, "");
}
