// The premise as text: one serializer for what is written and for what is compared, so that layout and the order of keys
// are no change.

import type { FileBlock } from "../../types.ts";
import { PREMISE_PATH } from "./layout.ts";
import { PremiseMetadata } from "./schemas.ts";

/** A premise as its file holds it: keys in the order of the schema, those that it does not know after them. */
export function premiseToText(premise: PremiseMetadata): string {
  const { shape } = PremiseMetadata;
  const value = {
    ...ordered(premise, Object.keys(shape)),
    protagonist: ordered(premise.protagonist, Object.keys(shape.protagonist.shape)),
  };
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** A file's text as it is compared with another version of it. */
export function comparableText({ path, content }: FileBlock): string {
  if (path !== PREMISE_PATH) return content;
  try {
    return premiseToText(PremiseMetadata.parse(JSON.parse(content)));
  } catch {
    // One that is no premise is compared as it stands.
    return content;
  }
}

function ordered(value: Readonly<Record<string, unknown>>, known: readonly string[]): Record<string, unknown> {
  const others = Object.keys(value).filter((key) => !known.includes(key));
  return Object.fromEntries([...known, ...others.sort()].map((key) => [key, value[key]]));
}
