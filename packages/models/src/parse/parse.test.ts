import { FormatError } from "@loopwright/core";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { codeBlock, parseObject } from "./parse.ts";

const Point = z.object({ x: z.number(), y: z.number().optional(), name: z.string().optional() });

/** The error that reading throws. */
function failure(read: () => unknown): FormatError {
  try {
    read();
  } catch (error) {
    if (error instanceof FormatError) return error;
    throw error;
  }
  throw new Error("it was accepted");
}

const refused = (text: string, schema: z.ZodType = Point) => failure(() => parseObject(text, schema));

describe("parseObject", () => {
  it.each([
    ["as it stands", '{"x": 1}'],
    ["with prose around it", 'Sure! Here it is: {"x": 1}. Anything else?'],
    ["in a fenced block", 'Here:\n```json\n{"x": 1}\n```\nDone.'],
    ["in a block that names no language", '```\n{"x": 1}\n```'],
    ["in a block that is never closed, but whole", '```json\n{"x": 1}\n'],
    ["in a block with prose inside", '```\nThe answer: {"x": 1}\n```'],
    ["with small faults", "Here: {x: 1, /* why */}"],
    ["after a thought with braces", '<think>maybe {"x": 2}?</think>{"x": 1}'],
    ["after an orphan closing tag", 'maybe {"x": 2}?</think>{"x": 1}'],
    ["twice, the same", '{"x": 1} and again {"x":1.0}'],
    ["in a block, whatever the prose shows", 'Not {"x": 7}, but\n```json\n{"x": 1}\n```'],
    ["beside what does not fit", 'From {"z": 2} and [1] and {braces} comes {"x": 1}'],
    ["beside a bracket in prose", 'f(x) { is [1 of 3]; so {"x": 1}'],
  ])("finds a value %s", (_title, text) => {
    expect(parseObject(text, Point)).toEqual({ x: 1 });
  });

  it("does not take a tag inside a string for a thought where the answer is JSON as it stands", () => {
    expect(parseObject('{"x": 1, "name": "use <think> here"}', Point).name).toBe("use <think> here");
  });

  it("gives what the schema makes of the value", () => {
    const schema = z.object({ x: z.number().default(5), tags: z.string().transform((text) => text.split(",")) });
    expect(parseObject('{"tags": "a,b", "more": 1}', schema)).toEqual({ x: 5, tags: ["a", "b"] });
  });

  it("reads lists, and a scalar that is the whole answer", () => {
    expect(parseObject("Here: [1, 2]", z.array(z.number()))).toEqual([1, 2]);
    expect(parseObject('"yes"', z.string())).toBe("yes");
    expect(parseObject(" 4\n", z.number())).toBe(4);
  });

  it.each([
    ["an empty answer", "", "ANSWER_EMPTY"],
    ["nothing but thought", '<think>{"x": 1}</think>', "ANSWER_EMPTY"],
    ["a thought that never ends", '<think>{"x": 1}', "ANSWER_EMPTY"],
    ["a refusal", "I'm sorry, but I cannot help with that.", "NO_JSON"],
    ["a refusal in a fence", "```json\nI cannot do that\n```", "NO_JSON"],
    ["a scalar in prose", "The answer is 4", "NO_JSON"],
    ["an object that is cut off", '{"x": 1, "y": 2', "ANSWER_CUT"],
    ["one cut off in a fence", '```json\n{"x": 1, "y"\n```', "ANSWER_CUT"],
    ["one cut off after one that fits", 'For example {"x": 1}. So: {"x": 2, "na', "ANSWER_CUT"],
    ["one cut off in a second fence", '```json\n{"x": 1}\n```\n```json\n{"x": 2, ', "ANSWER_CUT"],
    ["an object that is broken around one that fits", '{"best": {"x": 1}, oops!}', "BROKEN_JSON"],
    ["a truncated one around one that fits", '{"best": {"x": 1}, "rest": {"x": ', "ANSWER_CUT"],
    ["two that fit and differ", 'Either {"x": 1} or {"x": 2}', "ANSWER_CONFLICTING"],
    ["two fences that fit and differ", '```\n{"x": 1}\n```\n```\n{"x": 2}\n```', "ANSWER_CONFLICTING"],
    ["two lines of JSON", '{"x": 1}\n{"x": 2}\n', "ANSWER_CONFLICTING"],
    ["a key that stands twice", '{"x": 1, "x": 2}', "BROKEN_JSON"],
    ["the wrong type", '{"x": "1"}', "NOT_FITTING"],
    ["a list around the object", '[{"x": 1}]', "NOT_FITTING"],
    ["a missing key", "Here you are: {}", "NOT_FITTING"],
    ["a JSON string where an object is wanted", '"I cannot do that"', "NOT_FITTING"],
    ["a key of prototypes", '{"x": 1, "__proto__": {"y": 2}}', "BROKEN_JSON"],
  ])("refuses %s", (_title, text, code) => {
    expect(refused(text)).toMatchObject({ name: "FormatError", code });
  });

  it("says where a value does not fit, what was expected and what was found", () => {
    const schema = z.object({
      parts: z.array(z.object({ name: z.string(), size: z.number().max(9) })),
      kind: z.enum(["a", "b"]),
    });
    const { message } = refused('{"parts": [{"name": "n", "size": 1}, {"size": 12}], "kind": {"c": 1}}', schema);
    expect(message.split("\n")).toEqual([
      "The JSON in the answer does not fit what was asked for:",
      "- 'parts[1].name': expected string, found nothing",
      "- 'parts[1].size': Too big: expected number to be <=9, found 12",
      `- 'kind': Invalid option: expected one of "a"|"b", found an object with the keys c`,
      "Answer with one JSON value that fits what was asked for, and nothing else.",
    ]);
  });

  it("says little of much that is wrong", () => {
    const many = JSON.stringify(
      Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`k${n}`, "x".repeat(1_000)])),
    );
    const { message } = refused(many, z.record(z.string(), z.number()));
    expect(message).toContain("- and 492 more");
    expect(message.length).toBeLessThan(1_500);
  });

  it("says at which line broken JSON breaks", () => {
    expect(refused('Here:\n{"x": 1,\n "y": two}').message).toContain(
      "line 3, column 7: expected a value, found 'two}'",
    );
  });

  it("pollutes no prototype", () => {
    for (const key of ["__proto__", "constructor", "prototype"]) {
      const text = `{"${key}": {"polluted": true}, "x": 1}`;
      try {
        parseObject(text, z.looseObject({ x: z.number() }));
      } catch (error) {
        expect(error).toBeInstanceOf(FormatError);
      }
    }
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  const large = 5_000_000;
  const hostile: [string, string][] = [
    ["a large good answer", `{"x": 1, "name": "${"y".repeat(large)}"}`],
    ["brackets without end", "[".repeat(large)],
    ["braces without end", "{".repeat(large)],
    ["nesting that is closed", "[".repeat(large / 2) + "]".repeat(large / 2)],
    ["truncated nesting", '{"a":'.repeat(large / 5)],
    ["strings that are never closed", '["a '.repeat(large / 4)],
    ["comments that are never closed", "[/*".repeat(large / 3)],
    ["thoughts without end", "<think>{".repeat(large / 8)],
    ["many thoughts", "<think>{}</think>".repeat(large / 17)],
    ["many fences", "```json\n{\n".repeat(large / 10)],
    ["thoughts and fences", `${"<think>\n```\n</think>\n".repeat(99)}${"```\n".repeat(large / 4)}`],
    ["spaces", `{"x":${" ".repeat(large)}`],
    ["backslashes", `{"x": "${"\\".repeat(large)}`],
  ];
  it.each(hostile)("reads or refuses %s of 5 MB in bounded time", { timeout: 120_000 }, (title, text) => {
    const started = performance.now();
    if (title === "a large good answer") expect(parseObject(text, Point).x).toBe(1);
    else expect(refused(text).message.length).toBeLessThan(500);
    expect(performance.now() - started).toBeLessThan(60_000);
  });
});

describe("codeBlock", () => {
  const python = { languages: ["python", "py"] };
  it.each([
    ["one block", "Here:\n```python\na = 1\n```\nDone.", "a = 1"],
    ["one with another of its names", "```PY\na = 1\n```", "a = 1"],
    ["one that names no language", "```\na = 1\n```", "a = 1"],
    [
      "the one in the language, beside others",
      "```bash\npip install x\n```\n```python\na = 1\n```\n```\nout\n```",
      "a = 1",
    ],
    ["two that are the same", "```python\na = 1\n```\nagain:\n```py\na = 1\n\n```", "a = 1"],
    ["one after a thought with another", "<think>\n```python\nb\n```\n</think>\n```python\na = 1\n```", "a = 1"],
    ["one that speaks of thought", '```python\nx.split("</think>")\n```', 'x.split("</think>")'],
    ["one beside an empty one", "```python\n\n```\n```python\na = 1\n```", "a = 1"],
  ])("finds %s", (_title, text, code) => {
    expect(codeBlock(text, python)).toBe(code);
  });

  it("takes any language where none is asked for", () => {
    expect(codeBlock("```rust\nfn a() {}\n```")).toBe("fn a() {}");
  });

  it.each([
    ["prose", "First import bpy, then add a cube.", "NO_CODE"],
    ["code without a fence", "import bpy\nbpy.ops.mesh.primitive_cube_add()", "NO_CODE"],
    ["a fence inside a line", "use `a = 1` or ```a = 1```", "NO_CODE"],
    ["another language only", "```bash\nls\n```", "NO_CODE"],
    ["an empty block", "```python\n \n```", "NO_CODE"],
    ["two that differ", "```python\na = 1\n```\n```python\na = 2\n```", "CODE_CONFLICTING"],
    ["a block that is never closed", "```python\na = 1", "ANSWER_CUT"],
    ["a block that another fence tears", "```python\na = 1\n```python\na = 2\n```", "ANSWER_CUT"],
    ["code in a thought only", "<think>\n```python\na = 1\n```\n</think>", "ANSWER_EMPTY"],
    ["nothing", "", "ANSWER_EMPTY"],
  ])("refuses %s", (_title, text, code) => {
    expect(failure(() => codeBlock(text, python))).toMatchObject({ code });
  });

  it("says what it wants in words that a model can act on", () => {
    expect(failure(() => codeBlock("```bash\nls\n```", python)).message).toBe(
      "The answer holds no usable code: its fenced blocks are empty or of another kind (bash). Answer with exactly one fenced block that begins with ```python.",
    );
  });
});
