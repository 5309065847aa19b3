// YAML files held to a schema: what is wrong is said with the file, the line and the key.

import { readFile } from "node:fs/promises";
import { UsageError } from "@loopwright/core";
import { type Document, LineCounter, parseDocument } from "yaml";
import type { z } from "zod";

/** The value of a YAML file that fits a schema; throws with the line of what does not. */
export async function readYaml<Schema extends z.ZodType>(file: string, schema: Schema): Promise<z.output<Schema>> {
  const text = await readFile(file, "utf8").catch((cause: Error) => {
    throw new UsageError("YAML_MISSING", `${file} cannot be read: ${cause.message}`, { cause });
  });
  return parseYaml(text, schema, file);
}

/** The same for a text, which errors call by a name. */
export function parseYaml<Schema extends z.ZodType>(text: string, schema: Schema, name: string): z.output<Schema> {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const fault = document.errors[0];
  if (fault) {
    const { line } = lines.linePos(fault.pos[0]);
    throw new UsageError("YAML_INVALID", `${name}:${line}: ${fault.message.split("\n", 1)[0]}`, { cause: fault });
  }
  const result = schema.safeParse(document.toJS() ?? {});
  if (result.success) return result.data;
  const issue = result.error.issues[0]!;
  const unknown = issue.code === "unrecognized_keys" ? issue.keys[0] : undefined;
  const keys = unknown === undefined ? issue.path : [...issue.path, unknown];
  const place = `${name}:${lineOf(document, lines, keys)}`;
  throw new UsageError("YAML_INVALID", `${place}: ${keys.map(String).join(".") || "the file"}: ${issue.message}`);
}

/** The line of a key, or of the nearest thing above it that is there. */
function lineOf(document: Document, lines: LineCounter, keys: readonly PropertyKey[]): number {
  for (let length = keys.length; length > 0; length--) {
    const node: unknown = document.getIn(keys.slice(0, length), true);
    const range = (node as { range?: [number, number, number] } | undefined)?.range;
    if (range) return lines.linePos(range[0]).line;
  }
  return 1;
}
