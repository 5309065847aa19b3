// Says in words how a value misses its schema: where, what was expected, and what was found there.

import type { Json } from "@loopwright/core";
import type { z } from "zod";

const MOST = 8;
const LONGEST = 60;

/** The places where a value does not fit, one line each. */
export function describeMismatch(value: Json, error: z.ZodError): string {
  const lines = error.issues.slice(0, MOST).map((issue) => `- ${describeIssue(value, issue)}`);
  const more = error.issues.length > MOST ? [`- and ${error.issues.length - MOST} more`] : [];
  return ["The JSON in the answer does not fit what was asked for:", ...lines, ...more].join("\n");
}

function describeIssue(value: Json, issue: z.core.$ZodIssue): string {
  const found = valueAt(value, issue.path);
  const place = issue.path.length === 0 ? "the whole" : `'${pathOf(issue.path)}'`;
  const wanted = issue.message.replace(/^Invalid input: /, "").replace(/, received .*$/, "");
  return `${place}: ${wanted}, found ${found === undefined ? "nothing" : excerpt(found)}`;
}

function valueAt(value: Json, path: readonly PropertyKey[]): Json | undefined {
  let at: Json | undefined = value;
  for (const key of path) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Readonly<Record<PropertyKey, Json>>)[key];
  }
  return at;
}

function pathOf(path: readonly PropertyKey[]): string {
  return path.map((key, at) => (typeof key === "number" ? `[${key}]` : `${at > 0 ? "." : ""}${String(key)}`)).join("");
}

function excerpt(value: Json): string {
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === "object" && value !== null) return `an object with ${keysOf(value)}`;
  const text = JSON.stringify(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

function keysOf(value: object): string {
  const keys = Object.keys(value);
  const shown = keys.slice(0, 6).map((key) => key.slice(0, 30));
  return keys.length === 0 ? "no keys" : `the keys ${shown.join(", ")}${keys.length > 6 ? ", …" : ""}`;
}
