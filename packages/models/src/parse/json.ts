// Reads JSON as models write it: comments, trailing commas, single and curly quotes, keys without quotes, Python's True
// and None, raw line breaks and unescaped quotes in strings, a comma left out at the end of a line.
//
//   J1  Nothing is invented: a value that is missing, left out with dots, not a number or cut off by the end of the
//       text is an error, never a guess. Only punctuation is fixed.
//   J2  Time is linear in the text, and the same text always gives the same.
//   J3  No nesting deeper than a run can keep, no key twice, no `__proto__`.

import type { Json } from "@loopwright/core";

const MAX_DEPTH = 150;

/** A value that was read, and where it ends. */
export interface Reading {
  value: Json;
  end: number;
  /** Whether it is JSON as it stands, with nothing to fix. */
  isStrict: boolean;
}

/** Why no value could be read, and where. */
export class JsonError {
  readonly message: string;
  readonly at: number;
  /** Whether the text ended before the value did. */
  readonly isCut: boolean;
  /** Whether it was meant as JSON: a key in quotes and its colon had been read. Braces in prose have none. */
  readonly isMeant: boolean;

  constructor(message: string, at: number, { isCut = false, isMeant = false } = {}) {
    this.message = message;
    this.at = at;
    this.isCut = isCut;
    this.isMeant = isMeant;
  }
}

/** Reads the value that begins at a place of a text. */
export function readJson(text: string, from = 0): Reading | JsonError {
  const reader = new Reader(text, from);
  try {
    const value = reader.value(0);
    return { value, end: reader.at, isStrict: !reader.isFixed };
  } catch (error) {
    if (error instanceof JsonError) return error;
    throw error;
  }
}

/** Reads a text that is one value and nothing else. */
export function readWholeJson(text: string): Reading | JsonError {
  const reading = readJson(text);
  if (reading instanceof JsonError) return reading;
  const rest = text.slice(reading.end).search(/\S/);
  return rest < 0 ? reading : new JsonError("there is more after the end of the value", reading.end + rest);
}

const SPACE = /[ \t\r\n]+/y;
const OTHER_SPACE = /[\s\uFEFF]+/y;
/** A longer comment is none: one that is never closed must not be looked through again and again. */
const COMMENT = /\/\/[^\n]*|\/\*[\s\S]{0,10000}?\*\//y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.+-])/y;
const WORD = /[A-Za-z_$][\w$-]*/y;
/** What follows a quote that ends its string; any other quote belongs to the string, unless it might join two. */
const AFTER_STRING = /[ \t]*(?:[,:}\]\r\n]|\/[/*]|$)/y;
const JOINING = /[ \t]*["'`+]/y;
const ESCAPE = /\\(?:u[0-9a-fA-F]{4}|["\\/bfnrt])/y;

const closings: Readonly<Record<string, string>> = { '"': '"', "'": "'", "`": "`", "“": "”", "‘": "’" };
const plainRuns: Readonly<Record<string, RegExp>> = Object.fromEntries(
  Object.values(closings).map((close) => [close, new RegExp(`[^${close}\\\\\\u0000-\\u001f]+`, "y")]),
);
const words: Readonly<Record<string, Json>> = { true: true, false: false, null: null, none: null };

class Reader {
  readonly text: string;
  at: number;
  isFixed = false;
  #isMeant = false;
  /** Whether the last space that was skipped held a line break. */
  #broke = false;

  constructor(text: string, at: number) {
    this.text = text;
    this.at = at;
  }

  value(depth: number): Json {
    if (depth > MAX_DEPTH) throw this.#error(`it is nested deeper than ${MAX_DEPTH} levels`);
    this.#skip();
    const next = this.text[this.at];
    if (next === "{") return this.#object(depth);
    if (next === "[") return this.#list(depth);
    if (next !== undefined && Object.hasOwn(closings, next)) return this.#string(next);
    return this.#scalar();
  }

  #object(depth: number): Json {
    const object: Record<string, Json> = {};
    this.at++;
    for (this.#skip(); !this.#isClosed("}"); this.#separate("}")) {
      const start = this.at;
      const key = this.#key();
      this.#skip();
      if (this.text[this.at] !== ":") throw this.#error(`expected ':' after the key '${short(key)}'`);
      this.at++;
      this.#isMeant ||= this.text[start] === '"';
      if (key === "__proto__") throw this.#error("the key '__proto__' is not allowed", start);
      if (Object.hasOwn(object, key)) throw this.#error(`the key '${short(key)}' stands twice`, start);
      object[key] = this.value(depth + 1);
    }
    this.at++;
    return object;
  }

  #list(depth: number): Json {
    const list: Json[] = [];
    this.at++;
    for (this.#skip(); !this.#isClosed("]"); this.#separate("]")) list.push(this.value(depth + 1));
    this.at++;
    return list;
  }

  #isClosed(close: string): boolean {
    if (this.at >= this.text.length) throw this.#error(`expected '${close}'`);
    return this.text[this.at] === close;
  }

  /** Goes over the comma between two values. One may follow the last; one may be left out at the end of a line. */
  #separate(close: string): void {
    this.#skip();
    if (this.text[this.at] === ",") {
      this.at++;
      this.#skip();
      if (this.text[this.at] === close) this.isFixed = true;
    } else if (this.at < this.text.length && this.text[this.at] !== close) {
      if (!this.#broke) throw this.#error(`expected ',' or '${close}'`);
      this.isFixed = true;
    }
  }

  #key(): string {
    const quote = this.text[this.at]!;
    if (Object.hasOwn(closings, quote)) return this.#string(quote);
    const word = this.#take(WORD);
    if (word === undefined) throw this.#error("expected a key in double quotes");
    this.isFixed = true;
    return word;
  }

  #string(quote: string): string {
    const start = this.at;
    const close = closings[quote]!;
    if (quote !== '"') this.isFixed = true;
    let string = "";
    for (this.at++; this.at < this.text.length; ) {
      const next = this.text[this.at]!;
      if (next === close && this.#peek(AFTER_STRING, this.at + 1)) {
        this.at++;
        return string;
      }
      string += next === "\\" ? this.#escape() : (this.#take(plainRuns[close]!) ?? this.#asItStands());
    }
    throw this.#error("a string is never closed", start);
  }

  /** A quote or a control character that should have been escaped. */
  #asItStands(): string {
    if (this.text[this.at]! > " " && this.#peek(JOINING, this.at + 1))
      throw this.#error("a quote that may end its string or not");
    this.isFixed = true;
    return this.text[this.at++]!;
  }

  /** An escape that JSON does not know stands for itself, backslash and all: a path or a pattern, most likely. */
  #escape(): string {
    const known = this.#take(ESCAPE);
    if (known !== undefined) return JSON.parse(`"${known}"`);
    const next = this.text[this.at + 1];
    if (next === "u") throw this.#error("a broken \\u escape");
    this.isFixed = true;
    this.at += next === undefined ? 1 : 2;
    return next === "'" || next === "`" ? next : `\\${next ?? ""}`;
  }

  #scalar(): Json {
    const start = this.at;
    const number = this.#take(NUMBER);
    if (number !== undefined) {
      if (!Number.isFinite(Number(number))) throw this.#error("a number that is too large", start);
      return Number(number);
    }
    const word = this.#take(WORD);
    const known = word?.toLowerCase();
    if (known === undefined || !Object.hasOwn(words, known)) throw this.#error("expected a value", start);
    if (word !== known || known === "none") this.isFixed = true;
    return words[known]!;
  }

  #skip(): void {
    this.#broke = false;
    for (;;) {
      const space = this.#take(SPACE) ?? this.#fixed(OTHER_SPACE) ?? this.#fixed(COMMENT);
      if (space === undefined) return;
      this.#broke ||= space.includes("\n") || space.startsWith("//");
    }
  }

  #fixed(pattern: RegExp): string | undefined {
    const found = this.#take(pattern);
    if (found !== undefined) this.isFixed = true;
    return found;
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    if (found !== undefined) this.at += found.length;
    return found;
  }

  #peek(pattern: RegExp, at: number): boolean {
    pattern.lastIndex = at;
    return pattern.test(this.text);
  }

  #error(message: string, at = this.at): JsonError {
    const isCut = this.at >= this.text.length;
    const found = at < this.text.length ? `'${short(this.text.slice(at, at + 20))}'` : "the end of the text";
    return new JsonError(`${message}, found ${found}`, at, { isCut, isMeant: this.#isMeant });
  }
}

function short(text: string): string {
  const line = JSON.stringify(text).slice(1, -1);
  return line.length > 40 ? `${line.slice(0, 40)}…` : line;
}
