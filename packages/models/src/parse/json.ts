// JSON in the answers of models: found among other words, and read with the faults that models write: comments, trailing and
// forgotten commas, other quotes or none around a key, Python's words, raw line breaks and quotes inside strings.
//
//   J1  Nothing is invented: what is missing, left out with dots, not a number or cut off by the end of the text is an
//       error. The repair is jsonrepair's, held to this: it must come to the pieces that stood there, in their order.
//   J2  Time is bounded, and the same text always gives the same.
//   J3  No nesting deeper than a run can keep, no key twice, no `__proto__`.
//   J4  A value that was meant as JSON and is cut or broken ends the search, whatever stands before it or inside it: a part of an
//       answer is not the answer. A brace in prose is passed over.

import { createRequire } from "node:module";
import type { Json } from "@loopwright/core";
import { fencedBlocks } from "./blocks.ts";

const MAX_DEPTH = 150;
/** The longest text that is repaired: what needs it and is longer is no answer. */
const MAX_REPAIR = 200_000;
/** Places that are tried as the beginning of a value before it is given up, and how often the answer is read in vain. */
const MAX_TRIES = 10_000;
const MAX_VAIN = 8;

/** A value that stands in an answer. */
export interface Reading {
  value: Json;
  start: number;
  end: number;
  /** Whether it is JSON as it stands, with nothing to fix. */
  isStrict: boolean;
}

/** Why no value could be read, and where. */
export class JsonError {
  readonly at: number;
  /** Whether the text ended before the value did. */
  readonly isCut: boolean;
  /** Whether it was meant as JSON: a key in quotes and its colon had been read. Braces in prose have none. */
  isMeant = false;
  readonly #say: () => string;

  constructor(what: string, text: string, at: number, isCut = at >= text.length) {
    this.at = at;
    this.isCut = isCut;
    this.#say = () => {
      const before = text.slice(0, at);
      const next = JSON.stringify(text.slice(at, at + 20)).slice(1, -1);
      const found = next === "" ? "the end of the text" : `'${next.slice(0, 40)}'`;
      return `line ${before.split("\n").length}, column ${at - before.lastIndexOf("\n")}: ${what}, found ${found}`;
    };
  }

  get message(): string {
    return this.#say();
  }
}

/** The values that were found, what ended the search, and what looked like JSON and was passed over first. */
export interface Search {
  readings: Reading[];
  broken?: JsonError;
  passed?: JsonError | undefined;
}

/** The objects and lists that fill a fenced block each. */
export function valuesInBlocks(answer: string): Search {
  const readings: Reading[] = [];
  for (const { text } of fencedBlocks(answer)) {
    if (!/^\s*[{[]/.test(text)) continue;
    const reading = readWholeJson(text);
    if (!(reading instanceof JsonError)) readings.push(reading);
    else if (reading.isMeant) return { readings, broken: reading };
  }
  return { readings };
}

/** The objects and lists anywhere in an answer, outermost only, in order. */
export function valuesAnywhere(answer: string): Search {
  const readings: Reading[] = [];
  const openings = /[{[]/g;
  let passed: JsonError | undefined;
  let vain = 0;
  for (let tries = 0; tries < MAX_TRIES && vain <= MAX_VAIN * answer.length; tries++) {
    const opening = openings.exec(answer);
    if (!opening) break;
    const reading = readJson(answer, opening.index);
    if (!(reading instanceof JsonError)) {
      readings.push(reading);
      openings.lastIndex = reading.end;
      continue;
    }
    if (reading.isMeant || reading.isCut) return { readings, broken: reading };
    vain += reading.at - opening.index;
    passed ??= reading;
  }
  return { readings, passed };
}

/** Reads a text that is one value and nothing else. */
export function readWholeJson(text: string): Reading | JsonError {
  const reading = readJson(text);
  if (reading instanceof JsonError) return reading;
  const rest = text.slice(reading.end).search(/\S/);
  return rest < 0 ? reading : new JsonError("there is more after the end of the value", text, reading.end + rest);
}

/** Reads the value that begins at a place of a text. */
export function readJson(text: string, start = 0): Reading | JsonError {
  const pieces: string[] = [];
  try {
    const end = scan(text, start, pieces);
    const strict = parse(text.slice(start, end));
    const value = strict ?? repair(pieces);
    if (value === undefined) throw new JsonError("what begins here is no JSON", text, start);
    if (keysIn(value) !== pieces.filter((piece) => piece === ":").length)
      throw new JsonError("a key stands twice, or is called '__proto__'", text, start);
    return { value, start, end, isStrict: strict !== undefined };
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    const words = pieces.filter(isWord);
    error.isMeant = words.some((word, at) => word === ":" && words[at - 1]?.[0] === '"');
    return error;
  }
}

/** Space, a comment (a longer one is none), punctuation, a number or a word, a key without quotes. */
const PIECE =
  /\s+|\/\/[^\n]*|\/\*[\s\S]{0,10000}?\*\/|[{}[\],:"'`“‘]|(?:-?(?:0|[1-9]\d{0,99})(?:\.\d+)?(?:[eE][+-]?\d{1,2})?|[tT]rue|[fF]alse|null|None)(?![\w.+$-])|[A-Za-z_$][\w$-]*(?=\s{0,99}:)/y;
const QUOTED = /^["'`“‘]/;
const isWord = (piece: string) => !/^(?:[\s,]|\/[/*])/.test(piece);

/** Takes a value apart into strings, words, numbers, punctuation and what stands between them; gives where it ends. */
function scan(text: string, start: number, pieces: string[]): number {
  let end = start;
  for (let depth = 0, isEmpty = true; depth > 0 || isEmpty; ) {
    PIECE.lastIndex = end;
    let piece = PIECE.exec(text)?.[0];
    if (piece === undefined) throw new JsonError("expected a value", text, end);
    if (QUOTED.test(piece)) piece = text.slice(end, endOfString(text, end));
    if (piece === "{" || piece === "[") depth++;
    if (piece === "}" || piece === "]") depth--;
    if (depth > MAX_DEPTH) throw new JsonError(`it is nested deeper than ${MAX_DEPTH} levels`, text, end);
    isEmpty &&= !isWord(piece);
    pieces.push(piece);
    end += piece.length;
  }
  return end;
}

/** What follows a quote that ends its string; any other quote belongs to the string, unless it might join two. */
const AFTER_STRING = /[ \t]*(?:[,:}\]\r\n]|\/[/*]|$)/y;
const JOINING = /[ \t]*["'`+]/y;
const closings: Readonly<Record<string, string>> = { "“": "”", "‘": "’" };

function endOfString(text: string, start: number): number {
  const stops = new RegExp(`[\\\\${closings[text[start]!] ?? text[start]}]`, "g");
  stops.lastIndex = start + 1;
  for (let stop = stops.exec(text); stop; stop = stops.exec(text)) {
    AFTER_STRING.lastIndex = JOINING.lastIndex = stops.lastIndex;
    if (stop[0] === "\\") stops.lastIndex++;
    else if (AFTER_STRING.test(text)) return stop.index + 1;
    else if (JOINING.test(text)) throw new JsonError("a quote that may end its string or not", text, stop.index);
  }
  throw new JsonError("a string is never closed", text, start, true);
}

/** The value that pieces come to once their punctuation is repaired; undefined where something would have to be made up. */
function repair(pieces: readonly string[]): Json | undefined {
  const plain = pieces.map((piece) => (QUOTED.test(piece) ? plainString(piece.slice(1, -1)) : piece)).join("");
  if (plain.length > MAX_REPAIR) return undefined;
  try {
    const { jsonrepair } = createRequire(import.meta.url)("jsonrepair") as typeof import("jsonrepair");
    const repaired = jsonrepair(plain);
    const found: string[] = [];
    scan(repaired, 0, found);
    return shapeOf(found) === shapeOf(pieces) ? parse(repaired) : undefined;
  } catch {
    return undefined;
  }
}

/** A string as JSON has it, with nothing in it that could be taken for its end. An escape that JSON does not know stands for
 * itself, backslash and all: a path or a pattern, most likely. */
function plainString(inside: string): string {
  const escaped = inside.replace(/\\(?:u[\da-f]{4}|["\\/bfnrt'`])|[^\w ]/gi, (piece) => {
    if (piece.length > 1 && !/['`]/.test(piece)) return piece;
    return `\\u${piece
      .charCodeAt(piece.length - 1)
      .toString(16)
      .padStart(4, "0")}`;
  });
  return `"${escaped}"`;
}

/** What pieces are, in their order: brackets, colons, strings and keys, other values. */
function shapeOf(pieces: readonly string[]): string {
  const kinds = pieces.filter(isWord).map((piece) => {
    if (/[{}[\]:]/.test(piece[0]!)) return piece;
    return /^(?:[-\d]|true|false|null|none)/i.test(piece) ? "value" : "text";
  });
  return kinds.join(" ");
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** How many keys a value has, at any depth. */
function keysIn(value: Json): number {
  if (typeof value !== "object" || value === null) return 0;
  const keys = Array.isArray(value) ? [] : Object.keys(value).filter((key) => key !== "__proto__");
  return Object.values(value).reduce((total: number, item: Json) => total + keysIn(item), keys.length);
}
