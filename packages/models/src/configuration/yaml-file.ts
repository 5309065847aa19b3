// YAML held to schemas: what is wrong is said with the file, the line and the key.

import { UsageError } from "@loopwright/core";
import { type Document, LineCounter, parseDocument } from "yaml";
import type { z } from "zod";

/** A YAML file that knows its lines. */
export interface YamlFile {
  /** What the text says; nothing is an empty mapping. */
  value: unknown;
  /** The file and the line of a key, or of the nearest thing above it that is there. */
  place(keys: readonly PropertyKey[]): string;
  /** A value of the file's that fits a schema; throws with the place of what does not. */
  fit<Schema extends z.ZodType>(schema: Schema, value: unknown, under?: readonly string[]): z.output<Schema>;
}

/** Reads YAML; throws where it is none. Errors are called by the file, their code, and what the whole of it is. */
export function openYaml(
  text: string,
  { file, code, whole = "the file" }: { file: string; code: string; whole?: string },
): YamlFile {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const fail = (line: number, message: string, cause?: unknown) =>
    new UsageError(code, `${file}:${line}: ${message}`, { cause });
  const [broken] = document.errors;
  if (broken) throw fail(lines.linePos(broken.pos[0]).line, broken.message.split("\n", 1)[0]!, broken);
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 50 }) ?? {};
  } catch (cause) {
    throw fail(1, `this cannot be read: ${(cause as Error).message}`, cause);
  }
  return {
    value,
    place: (keys) => `${file}:${lineOf(document, lines, keys)}`,
    fit: (schema, given, under = []) => {
      const result = schema.safeParse(given);
      if (result.success) return result.data;
      const issue = result.error.issues[0]!;
      const unknown = issue.code === "unrecognized_keys" ? issue.keys.slice(0, 1) : [];
      const keys = [...under, ...issue.path, ...unknown];
      throw fail(lineOf(document, lines, keys), `${keys.map(String).join(".") || whole}: ${issue.message}`);
    },
  };
}

function lineOf(document: Document, lines: LineCounter, keys: readonly PropertyKey[]): number {
  for (let length = keys.length; length > 0; length--) {
    const node: unknown = document.getIn(keys.slice(0, length), true);
    const range = (node as { range?: [number, number, number] } | undefined)?.range;
    if (range) return lines.linePos(range[0]).line;
  }
  return 1;
}
