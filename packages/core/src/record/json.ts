// Plain JSON: the only thing that state, effect results and events are made of.
//
// What JSON would alter (NaN, dates, bytes, class instances, functions, cycles) is refused, never altered.
// The one exception: a property that is undefined is left out, as it is everywhere in TypeScript.

import { createHash, hash } from "node:crypto";
import { LoopwrightError } from "../errors.ts";

/** A value that JSON can hold. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

const MAX_DEPTH = 200;
const MAX_LENGTH = 64 * 1024 * 1024;

/** A frozen plain copy of a value, or an error that names the place that is not plain JSON. */
export function plainJson(value: unknown, name = "value"): Json {
  return copy(value, name, new Set());
}

function copy(value: unknown, path: string, above: Set<object>): Json {
  if (typeof value === "string" && value.length > MAX_LENGTH) throw tooLarge(path);
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw notPlain(path, String(value));
    return value === 0 ? 0 : value;
  }
  if (typeof value !== "object") throw notPlain(path, `a ${typeof value}`);
  if (above.has(value)) throw notPlain(path, "a cycle");
  if (above.size > MAX_DEPTH) throw notPlain(path, `nested deeper than ${MAX_DEPTH} levels`);
  above.add(value);
  const plain = Array.isArray(value)
    ? Array.from(value, (item, index) => copy(item, `${path}[${index}]`, above))
    : copyObject(value, path, above);
  above.delete(value);
  return Object.freeze(plain);
}

function copyObject(value: object, path: string, above: Set<object>): Record<string, Json> {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    throw notPlain(path, `an instance of ${value.constructor?.name || "a class"}`);
  }
  if (Object.getOwnPropertySymbols(value).length > 0) throw notPlain(path, "an object with a symbol as a key");
  const plain: Record<string, Json> = {};
  for (const [key, item] of Object.entries(value)) {
    if (key === "__proto__") throw notPlain(path, "an object with the key __proto__");
    if (item !== undefined) plain[key] = copy(item, `${path}.${key}`, above);
  }
  return plain;
}

function notPlain(path: string, found: string): LoopwrightError {
  return new LoopwrightError("NOT_PLAIN_JSON", `${path} is ${found}; only plain JSON can be kept in a run`);
}

/** The JSON text of a plain value, or an error where it is too long to be kept. */
export function jsonText(value: Json): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch {
    // Longer than any text can be.
  }
  if (text === undefined || text.length > MAX_LENGTH) throw tooLarge("a value");
  return text;
}

function tooLarge(name: string): LoopwrightError {
  const message = `${name} is too large for the journal (64 MiB at most); save it as an artifact`;
  return new LoopwrightError("VALUE_TOO_LARGE", message);
}

/** JSON text that does not depend on the order of keys. */
export function canonicalJson(value: Json): string {
  return jsonText(sortKeys(value));
}

function sortKeys(value: Json): Json {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(sortKeys);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, sortKeys(item)]));
}

/** SHA-256 in hex. */
export function sha256(data: string | Uint8Array): string {
  return hash("sha256", data, "hex");
}

/** The digest of a plain value, whatever the order of its keys. */
export function digestOf(value: Json): string {
  return sha256(canonicalJson(value));
}

// Random streams: numbers that depend on nothing but the seed, the visit and the stream's name (L7).

/** A stream of numbers from 0 (included) to 1 (excluded), by sfc32 from a hashed seed. */
export function randomStream(...seed: (string | number)[]): () => number {
  const bytes = createHash("sha256").update(JSON.stringify(seed)).digest();
  let [a, b, c, d] = [0, 4, 8, 12].map((at) => bytes.readInt32LE(at)) as [number, number, number, number];
  return () => {
    const sum = (((a + b) | 0) + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    return (sum >>> 0) / 2 ** 32;
  };
}
