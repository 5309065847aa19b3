// Schemas in the words of the pages.

import { z } from "zod";

export interface Schema {
  description?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  required?: string[];
  $ref?: string;
}

/** A schema as JSON Schema, as it is typed and not as it is read. */
export function schemaOf(schema: z.ZodType): Schema {
  const override = ({ jsonSchema }: { jsonSchema: { readOnly?: boolean } }) => void delete jsonSchema.readOnly;
  return z.toJSONSchema(schema, { io: "input", reused: "inline", override }) as Schema;
}

/** What a value is, in a few words. */
export function words(schema: Schema): string {
  const description = schema.description ? `: ${schema.description}` : "";
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((item) => `\`${item}\``).join(", ");
  if (schema.$ref) return "any JSON";
  if (schema.anyOf?.every((each) => each.const !== undefined)) return schema.anyOf.map(words).join(", ");
  if (schema.anyOf)
    return schema.anyOf.some(({ type }) => type === "null") && schema.anyOf.length === 2
      ? `${words(schema.anyOf[0]!)} or null`
      : "any JSON";
  if (schema.type === "array") return `list of ${words(schema.items ?? {})}`;
  if (schema.type === "object") return "object";
  return `${schema.type ?? "any JSON"}${description}`;
}
