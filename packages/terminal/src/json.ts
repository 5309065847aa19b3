// The shape that everything printed with `--json` has in common.

/** The version of every line and document. It changes when a field goes or changes its meaning, not when one comes. */
export const JSON_VERSION = 1;

/** A JSON document of a command that only looks. */
export function toDocument(type: string, fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return { v: JSON_VERSION, type, ...fields };
}
