// Reads configuration written in YAML and holds it to its schema, with the place of every fault.

import { suggestOrList } from "@loopwright/core";
import { type Document, isMap, isScalar, LineCounter, type Node, parseDocument } from "yaml";
import { z } from "zod";
import { usage } from "../arguments/read-arguments.ts";
import { ConfigurationSchema, type ConfigurationValues } from "./schema.ts";

/** The values of a configuration file. */
export function readYaml(text: string, file: string): ConfigurationValues {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const broken = document.errors[0];
  if (broken) throw usage(`${place(file, lines, broken.pos[0])}: this is not YAML: ${broken.message}`);
  return check(document, (node) => place(file, lines, node?.range?.[0] ?? 0));
}

/** The values of one `-c KEY=VALUE`. */
export function readAssignment(assignment: string): ConfigurationValues {
  const at = assignment.indexOf("=");
  if (at < 1) throw usage(`-c wants KEY=VALUE, such as -c ceilings.iterations=40, not '${assignment}'`);
  const value = parseDocument(assignment.slice(at + 1), { prettyErrors: false });
  if (value.errors.length > 0) throw usage(`-c ${assignment}: its value is not YAML`);
  const document = parseDocument("{}");
  document.setIn(assignment.slice(0, at).split("."), value.contents);
  return check(document, () => `-c ${assignment}`);
}

function check(document: Document, placeOf: (node: Node | undefined) => string): ConfigurationValues {
  const values = toPlain(document, placeOf(undefined));
  const result = ConfigurationSchema.safeParse(values ?? {});
  if (result.success) return result.data;
  const faults = result.error.issues.map((issue) => faultOf(issue, document, placeOf));
  throw usage(faults.join("\n"));
}

/** Aliases that multiply without end are a fault of the file, not of the program. */
function toPlain(document: Document, place: string): unknown {
  try {
    return document.toJS({ maxAliasCount: 50 });
  } catch (error) {
    throw usage(`${place}: this cannot be read: ${(error as Error).message}`);
  }
}

function faultOf(issue: z.core.$ZodIssue, document: Document, placeOf: (node: Node | undefined) => string): string {
  const path = issue.path.map(String);
  if (issue.code === "unrecognized_keys") {
    const key = issue.keys[0]!;
    const known = keysAt(path);
    const parent = path.length === 0 ? document.contents : document.getIn(path, true);
    const pair = isMap(parent) ? parent.items.find((item) => isScalar(item.key) && item.key.value === key) : undefined;
    const hint = suggestOrList(key, known);
    return `${placeOf(pair?.key as Node | undefined)}: '${[...path, key].join(".")}' is no key of the configuration${hint}`;
  }
  const node = (path.length === 0 ? document.contents : document.getIn(path, true)) as Node | undefined;
  if (issue.code === "invalid_key")
    return `${placeOf(node)}: '${path.at(-1)}' is no right key under '${path.slice(0, -1).join(".")}', expected ${issue.issues[0]?.message}`;
  const found = path.length === 0 ? document.toJS() : document.getIn(path);
  const shown = isMap(found) ? "a mapping" : typeof found === "number" ? String(found) : JSON.stringify(found);
  return `${placeOf(node)}: '${path.join(".") || "the whole"}' is ${shown}, expected ${expected(issue)}`;
}

function expected(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_type")
    return (
      { number: "a number", int: "a whole number", string: "text", object: "a mapping", record: "a mapping" }[
        issue.expected as string
      ] ?? issue.expected
    );
  if (issue.code === "invalid_value") return issue.values.map(String).join(", ");
  if (issue.code === "too_small")
    return `a number of ${issue.inclusive ? issue.minimum : "more than 0"}${issue.inclusive ? " or more" : ""}`;
  return issue.message;
}

/** The keys that the schema knows at a path. */
function keysAt(path: readonly string[]): string[] {
  let schema: unknown = ConfigurationSchema;
  for (const key of path) {
    const inside = unwrap(schema);
    schema = inside instanceof z.ZodRecord ? inside.valueType : (inside as z.ZodObject).shape[key];
  }
  return Object.keys((unwrap(schema) as z.ZodObject).shape);
}

function unwrap(schema: unknown): unknown {
  return schema instanceof z.ZodOptional ? unwrap(schema.unwrap()) : schema;
}

function place(file: string, lines: LineCounter, offset: number): string {
  const { line, col } = lines.linePos(offset);
  return `${file}:${line}:${col}`;
}
