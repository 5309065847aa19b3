import { type Json, randomStream } from "@loopwright/core";
import { describe, expect, it } from "vitest";
import { JsonError, readJson, readWholeJson } from "./json.ts";

function valueIn(text: string): Json {
  const reading = readWholeJson(text);
  if (reading instanceof JsonError) throw new Error(`${reading.at}: ${reading.message}`);
  return reading.value;
}

function errorOf(text: string): JsonError {
  const reading = readWholeJson(text);
  if (!(reading instanceof JsonError)) throw new Error(`it was read as ${JSON.stringify(reading.value)}`);
  return reading;
}

/** A random value of any shape. */
function anyValue(random: () => number, depth = 0): Json {
  const pick = Math.floor(random() * (depth > 4 ? 5 : 7));
  const text = () =>
    Array.from(
      { length: Math.floor(random() * 8) },
      () => '"\\/\b\n\té“’{}[]:,a b🙂\u0001'.at(Math.floor(random() * 22)) ?? "",
    ).join("");
  if (pick === 0) return null;
  if (pick === 1) return random() < 0.5;
  if (pick === 2) return Math.round((random() - 0.5) * 1e6) / 10 ** Math.floor(random() * 5);
  if (pick === 3) return random() * 1e-12;
  if (pick === 4) return text();
  if (pick === 5) return Array.from({ length: Math.floor(random() * 5) }, () => anyValue(random, depth + 1));
  const keys = Array.from({ length: Math.floor(random() * 5) }, (_, n) => `${text()}${n}`);
  return Object.fromEntries(keys.map((key) => [key, anyValue(random, depth + 1)]));
}

describe("readWholeJson", () => {
  it("reads whatever JSON.stringify writes, as JSON.parse does, with nothing to fix", () => {
    const random = randomStream("json");
    for (let round = 0; round < 3_000; round++) {
      const value = anyValue(random);
      const text = JSON.stringify(value, null, round % 3);
      expect(readWholeJson(text)).toEqual({ value: JSON.parse(text), start: 0, end: text.length, isStrict: true });
    }
  });

  it.each([
    ["a trailing comma", '{"a": [1, 2,], }', { a: [1, 2] }],
    ["single quotes", "{'a': 'b'}", { a: "b" }],
    ["an apostrophe in single quotes", "{'a': 'it's'}", { a: "it's" }],
    ["curly quotes", "{“a”: “b”, ‘c’: ‘d’}", { a: "b", c: "d" }],
    ["backticks", "{`a`: `b`}", { a: "b" }],
    ["keys without quotes", "{a: 1, b_2: 2, $c-d: 3}", { a: 1, b_2: 2, "$c-d": 3 }],
    ["comments", '{ // one\n "a": 1, /* two { */ "b": 2 }', { a: 1, b: 2 }],
    ["Python's words", '{"a": True, "b": False, "c": None}', { a: true, b: false, c: null }],
    ["raw line breaks and tabs in a string", '{"a": "x\ny\tz"}', { a: "x\ny\tz" }],
    ["unescaped quotes in a string", '{"a": "he said "yes" to it"}', { a: 'he said "yes" to it' }],
    ["a comma left out at the end of a line", '{"a": 1\n "b": "x"\n "c": [1\n2]}', { a: 1, b: "x", c: [1, 2] }],
    ["spaces of other kinds", '\uFEFF{\u00a0"a": 1}', { a: 1 }],
    ["an escape that JSON does not know, backslash and all", '{"a": "C:\\dir\\x"}', { a: "C:\\dir\\x" }],
    ["half an escape, which stands for itself", '{"a": "\\u26"}', { a: "\\u26" }],
    ["a comma left out between two objects", '[{"a": 1} {"a": 2}]', [{ a: 1 }, { a: 2 }]],
    ["an escaped apostrophe", "{'a': 'it\\'s'}", { a: "it's" }],
  ])("fixes %s, and says that it did", (_title, text, value) => {
    expect(readWholeJson(text)).toMatchObject({ value, isStrict: false });
  });

  it.each([
    ["a missing value", '{"a": }', "what begins here is no JSON"],
    ["a value left out with dots", "[1, 2, ...]", "expected a value"],
    ["a word", '{"a": bob}', "expected a value, found 'bob}'"],
    ["NaN", '{"a": NaN}', "expected a value, found 'NaN}'"],
    ["undefined", '{"a": undefined}', "expected a value"],
    ["a number too large", "[1e999]", "expected a value"],
    ["half a number", '{"a": 2.}', "expected a value"],
    ["a number with zeros before it", '{"a": 007}', "expected a value"],
    ["a sum", '{"a": 1+2}', "expected a value"],
    ["numbers with a space between them", "[1 000]", "expected a value"],
    ["two commas", "[1,,2]", "what begins here is no JSON"],
    ["joined strings", '{"a": "b" + "c"}', "a quote that may end its string or not"],
    ["strings side by side", '{"a": "b" "c"}', "a quote that may end its string or not"],
    ["triple quotes", '{"a": """b"""}', "a quote that may end its string or not"],
    ["a bracket closed by a brace", '{"a": [1}}', "what begins here is no JSON"],
    ["a key twice, even with the same value", '{"a": 1, "a": 1}', "a key stands twice"],
    ["a key of prototypes", '{"a": {"__proto__": {"b": 1}}}', "is called '__proto__'"],
    ["a refusal", "I cannot do that.", "expected a value"],
    ["more after the end", '{"a": 1} {"b": 2}', "there is more after the end"],
  ])("J1, J3: refuses %s", (_title, text, message) => {
    expect(errorOf(text).message).toContain(message);
  });

  it("J1: refuses every beginning of a value, and says that it is cut", () => {
    const text = '{"a": [1, -2.5e3, "x\\u00e9\\"y"], "b": {"c": null, "d": true}}';
    for (let end = 1; end < text.length; end++) {
      const error = errorOf(text.slice(0, end));
      const midWord = /(?:[{,]|[:[,] ?)(?:[a-z]+|-?\d[\d.e]*[.e]|-)$|\\u?[\da-f]*$/.test(text.slice(0, end));
      expect({ end, isCut: error.isCut || midWord }).toEqual({ end, isCut: true });
    }
  });

  it("tells JSON that was meant from braces in prose", () => {
    expect(errorOf('{"a": oops}').isMeant).toBe(true);
    expect(errorOf('{"a": 1, "a": 2}').isMeant).toBe(true);
    expect(errorOf('{"__proto__": 1}').isMeant).toBe(true);
    expect(errorOf("{x}").isMeant).toBe(false);
    expect(errorOf("{see: below}").isMeant).toBe(false);
    expect(errorOf("[1 of 3]").isMeant).toBe(false);
  });

  it("J3: refuses what is nested too deep, and reads what is just not", () => {
    const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
    expect(valueIn(nested(150))).toHaveLength(1);
    expect(errorOf(nested(153)).message).toContain("nested deeper than 150 levels");
    expect(errorOf(nested(1_000_000)).message).toContain("nested deeper");
  });

  it("keeps keys that only sound dangerous as plain data", () => {
    const value = valueIn('{"constructor": {"prototype": {"x": 1}}, "toString": 1, "hasOwnProperty": 2}');
    expect(Object.keys(value as object)).toEqual(["constructor", "toString", "hasOwnProperty"]);
    expect(({} as { x?: number }).x).toBeUndefined();
  });
});

describe("readJson", () => {
  it("reads from a place, and says where the value ends", () => {
    expect(readJson('see {"a": 1}, ok', 4)).toEqual({ value: { a: 1 }, start: 4, end: 12, isStrict: true });
  });
});
