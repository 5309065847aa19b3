// YAML files of this package's and of projects, each held to one schema.

import { readPlainFile, UsageError } from "@loopwright/core";
import { openYaml } from "@loopwright/models/yaml";
import type { z } from "zod";

/** The value of a YAML file that fits a schema; throws with the line of what does not. */
export function readYaml<Schema extends z.ZodType>(file: string, schema: Schema): z.output<Schema> {
  return parseYaml(textOf(file), schema, file);
}

/** The same for a text, which errors call by a name. */
export function parseYaml<Schema extends z.ZodType>(text: string, schema: Schema, file: string): z.output<Schema> {
  const { value, fit } = openYaml(text, { file, code: "YAML_INVALID" });
  return fit(schema, value);
}

function textOf(file: string): string {
  try {
    return readPlainFile(file);
  } catch (cause) {
    throw new UsageError("YAML_MISSING", `${file} cannot be read: ${(cause as Error).message}`, { cause });
  }
}
