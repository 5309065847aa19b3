import { describe, expect, it } from "vitest";
import { z } from "zod";
import { describeFormat, schemaToJson } from "./ask.ts";

const inWords = (schema: z.ZodType) => describeFormat(schemaToJson(schema));

describe("describeFormat", () => {
  it("says in words what an object holds", () => {
    const schema = z.object({
      verdict: z.enum(["pass", "fail"]).describe("what you decide"),
      score: z.number().min(0).max(1),
      rounds: z.int(),
      note: z.string().min(3).optional(),
      kind: z.literal("review"),
      next: z.string().nullable(),
      either: z.union([z.object({ a: z.number() }), z.array(z.string())]),
      findings: z.array(z.object({ code: z.string(), isHard: z.boolean() })).max(5),
      sizes: z.record(z.string(), z.number()),
    });
    expect(inWords(schema).split("\n")).toEqual([
      "Answer with one JSON value and nothing else: no words before or after it, no comments. It is an object with:",
      '- "verdict" (what you decide): one of "pass", "fail"',
      '- "score": a number (at least 0, at most 1)',
      '- "rounds": a whole number',
      '- "note", may be left out: text (3 characters at least)',
      '- "kind": always "review"',
      '- "next": text or null',
      '- "either": an object with:',
      '  - "a": a number',
      "  or a list, each entry text",
      '- "findings": a list (5 entries at most), each entry an object with:',
      '  - "code": text',
      '  - "isHard": true or false',
      '- "sizes": an object with keys of your choice, each value a number',
    ]);
  });

  it("says one entry and one character in the singular", () => {
    const schema = z.object({ plan: z.array(z.string().min(1)).min(1) });
    expect(inWords(schema)).toContain('- "plan": a list (1 entry at least), each entry text (1 character at least)');
  });

  it("shows the schema itself where words do not reach", () => {
    type Tree = { name: string; branches: Tree[] };
    const Tree: z.ZodType<Tree> = z.object({ name: z.string(), branches: z.lazy(() => z.array(Tree)) });
    expect(inWords(Tree)).toMatch(/It must fit this JSON Schema:\n\{.*"\$ref"/);
    expect(inWords(z.any())).toContain("a value that fits the JSON Schema {}");
  });
});

describe("schemaToJson", () => {
  it("is what an answer must be before it is parsed, and plain", () => {
    const schema = z.object({ n: z.number().default(1), text: z.string().transform((text) => text.length) });
    expect(schemaToJson(schema)).toEqual({
      type: "object",
      properties: { n: { type: "number", default: 1 }, text: { type: "string" } },
      required: ["text"],
    });
  });

  it("takes what JSON Schema cannot say for anything", () => {
    expect(schemaToJson(z.object({ at: z.date() }))).toMatchObject({ properties: { at: {} } });
  });
});
