// Answers as models give them, by the thousand: good ones, dressed up, damaged or replaced, always by the same seed.
//
//   P1  Nothing but FormatError is ever thrown.
//   P2  What is accepted fits the schema, also when it is asked again.
//   P3  Nothing is invented: every value stands in the answer.
//   P4  What only looks different means the same; what is truncated, left out or only thought is never taken.

import { FormatError, type Json, randomStream } from "@loopwright/core";
import { codeBlock, parseObject } from "@loopwright/models";
import { describe, expect, it } from "vitest";
import { z } from "zod";

const Review = z.strictObject({
  verdict: z.enum(["pass", "fail"]),
  score: z.number().min(0).max(1000),
  reason: z.string().min(1),
  isFinal: z.boolean(),
  next: z.string().nullable(),
  findings: z.array(z.strictObject({ code: z.string().regex(/^[A-Z_]+\d+$/), lines: z.array(z.number()) })),
});
type Review = z.output<typeof Review>;

type Random = () => number;
const below = (random: Random, limit: number) => Math.floor(random() * limit);
const pick = <T>(random: Random, items: readonly T[]): T => items[below(random, items.length)]!;

const phrases = [
  "too thin",
  "it's late",
  'he said "no"',
  "größer",
  "船が小さい",
  "a { b } c",
  "[1] and [2]",
  "x, y: z",
  "a // b",
  "C:\\hull",
  "two\nlines",
  "🙂 fine",
  "</p>",
  "100 %",
  "don't: stop",
];

function review(random: Random): Review {
  return {
    verdict: pick(random, ["pass", "fail"] as const),
    score: Math.round(random() * 1e6) / 1e3,
    reason: `${pick(random, phrases)} ${below(random, 1e6)} ${pick(random, phrases)}`,
    isFinal: random() < 0.5,
    next: random() < 0.3 ? null : `${pick(random, phrases)} ${below(random, 1e6)}`,
    findings: Array.from({ length: below(random, 4) }, (_, n) => ({
      code: `FOUND_${n}${below(random, 1000)}`,
      lines: Array.from({ length: below(random, 4) }, () => below(random, 1e5)),
    })),
  };
}

/** JSON as a model might write it; all of it means the same. */
function written(random: Random, value: Json, indent = ""): string {
  const inner = `${indent}  `;
  const comma = () => (random() < 0.2 ? ", // so\n" : random() < 0.2 ? " , /* { */ " : ",\n");
  const last = () => (random() < 0.3 ? "," : "");
  if (Array.isArray(value))
    return `[${value.map((item) => written(random, item, inner)).join(comma())}${value.length > 0 ? last() : ""}]`;
  if (typeof value === "object" && value !== null) {
    const fields = Object.entries(value).map(
      ([key, item]) => `${inner}${name(random, key)}: ${written(random, item, inner)}`,
    );
    return `{\n${fields.join(comma())}${last()}\n${indent}}`;
  }
  if (value === true) return pick(random, ["true", "True"]);
  if (value === false) return pick(random, ["false", "False"]);
  if (value === null) return pick(random, ["null", "None"]);
  return typeof value === "string" ? quoted(random, value) : JSON.stringify(value);
}

const name = (random: Random, key: string) => pick(random, [`"${key}"`, `"${key}"`, `'${key}'`, key]);

function quoted(random: Random, text: string): string {
  const json = JSON.stringify(text);
  const kind = below(random, 5);
  if (kind === 0) return json.replace(/\\n/g, "\n");
  if (kind === 1) return `'${json.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
  if (kind === 2)
    return json.replace(/[^\x20-\x7e]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return json;
}

/** Words around it, none of which change what is meant. */
function dressed(random: Random, json: string, other: Review): string {
  const decoy = JSON.stringify(other);
  const fenced = (language: string) => `\`\`\`${language}\n${json}\n\`\`\``;
  return pick(random, [
    () => json,
    () => `Sure! Here is my review:\n\n${json}\n\nTell me if you need more [1].`,
    () => `Here:\n${fenced("json")}\n`,
    () => `${fenced(pick(random, ["", "JSON", "json5"]))}\nI hope that helps {you}.`,
    () => `<think>Maybe ${decoy}? Or {"verdict": </think>\n${json}`,
    () => `<think>${decoy}\n\`\`\`json\n${decoy}\n\`\`\`\n</think>${fenced("json")}`,
    () => `It could be ${decoy}, but no.\n</think>\n\n${json}`,
    () => `<Thinking>a<think>${decoy}</think>b</Thinking>${json}`,
    () => `${json}\n\n<think>or rather ${decoy}`,
    () => `${json}\nOnce more:\n${json}`,
    () => `\uFEFF  ${json}\r\n`,
  ])();
}

/** Damage after which there is no answer left. */
function ruined(random: Random, good: Review): string {
  const json = JSON.stringify(good, null, below(random, 3));
  const cut = json.slice(0, 1 + below(random, json.length - 1));
  const decoy = JSON.stringify({ ...good, score: good.score / 2 + 1 });
  return pick(random, [
    () => cut,
    () => `Here it is:\n${cut}`,
    () => `\`\`\`json\n${cut}\n\`\`\``,
    () => `\`\`\`json\n${cut}`,
    () => `<think>${json}</think>`,
    () => `<think>${json}`,
    () => `<think>${json}</think>I cannot review this.`,
    () => `${json}\n${decoy}`,
    () => json.replace(/"score": ?[\d.]+/, '"score": NaN'),
    () => json.replace(/"score": ?[\d.]+/, '"score": '),
    () => json.replace(/"score": ?[\d.]+/, '"score": "high"'),
    () => json.replace(/"verdict": ?"\w+"/, '"verdict": "maybe"'),
    () => json.replace("{", '{"score": 1, '),
    () => json.replace("{", '{"__proto__": {"verdict": "pass"}, '),
    () => json.replace(/"findings": ?\[/, '"findings": [..., '),
    () => `{"review": ${json}}`,
    () => `${"[".repeat(1 + below(random, 5_000))}${json}`,
    () => pick(random, ["", " ", "\n\n", "\u0000", "null", '"pass"', "[]", "{}", "```json\n```"]),
    () =>
      pick(random, [
        "I cannot help with that.",
        "I'm sorry, {but} no.",
        "As an AI model: [refused]",
        "pass",
        "verdict: pass, score: 1",
      ]),
  ])();
}

/** Small random damage; what becomes of the answer is open. */
function scratched(random: Random, text: string): string {
  const noise = [
    '"',
    "'",
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\\",
    "\n",
    "\u0000",
    "`",
    "```\n",
    "<think>",
    "</think>",
    "//",
    "/*",
    "NaN",
    "é",
    "\ud800",
    "0",
    "-",
    ".",
  ];
  let damaged = text;
  for (let times = 1 + below(random, 4); times > 0; times--) {
    const at = below(random, damaged.length + 1);
    const length = below(random, 3);
    damaged = damaged.slice(0, at) + (random() < 0.6 ? pick(random, noise) : "") + damaged.slice(at + length);
  }
  return damaged;
}

function accepted(text: string): { value: Review } | { code: string } {
  try {
    const value = parseObject(text, Review);
    expect(Review.safeParse(value)).toEqual({ success: true, data: value });
    return { value };
  } catch (error) {
    if (!(error instanceof FormatError))
      throw new Error(`not a FormatError on ${JSON.stringify(text)}`, { cause: error });
    expect(error.message.length).toBeLessThan(3_000);
    return { code: error.code };
  }
}

/** A text without what quoting and escaping change. */
const bare = (text: string) =>
  text
    .replace(/\\u([\da-f]{4})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/\\[nrtbf]/g, "")
    .replace(/[\\\s"'`\p{Cc}]/gu, "");

function checkNothingInvented(value: Json, text: string): void {
  const numbers = new Set((text.match(/-?\d[\d.eE+-]*/g) ?? []).map(Number));
  const plain = bare(text);
  const check = (leaf: Json): void => {
    if (typeof leaf === "object" && leaf !== null) Object.values(leaf).forEach(check);
    else if (typeof leaf === "number") expect([leaf, numbers.has(leaf)]).toEqual([leaf, true]);
    else if (typeof leaf === "string") expect([leaf, plain.includes(bare(leaf))]).toEqual([leaf, true]);
    else expect(text.toLowerCase()).toMatch(new RegExp(leaf === null ? "null|none" : String(leaf)));
  };
  check(value);
}

describe("answers of every kind", { timeout: 120_000 }, () => {
  it("P4: 4,000 good answers in other clothes come to the same value", () => {
    const random = randomStream("dressed");
    for (let round = 0; round < 4_000; round++) {
      const good = review(random);
      const text = dressed(random, written(random, good), review(random));
      expect({ round, text, ...accepted(text) }).toEqual({ round, text, value: good });
    }
  });

  it("P1, P4: 4,000 ruined answers are refused, each with a FormatError", () => {
    const random = randomStream("ruined");
    const codes = new Set<string>();
    for (let round = 0; round < 4_000; round++) {
      const text = ruined(random, review(random));
      const result = accepted(text);
      expect({ round, text, ...result }).toEqual({ round, text, code: expect.any(String) });
      if ("code" in result) codes.add(result.code);
    }
    expect([...codes].sort()).toEqual([
      "ANSWER_CONFLICTING",
      "ANSWER_CUT",
      "ANSWER_EMPTY",
      "BROKEN_JSON",
      "NOT_FITTING",
      "NO_JSON",
    ]);
  });

  it("P1, P2, P3: 8,000 scratched answers are refused, or hold every value that is taken from them", () => {
    const random = randomStream("scratched");
    let taken = 0;
    for (let round = 0; round < 8_000; round++) {
      const text = scratched(random, dressed(random, written(random, review(random)), review(random)));
      const result = accepted(text);
      if (!("value" in result)) continue;
      taken++;
      checkNothingInvented(result.value, text);
    }
    expect(taken).toBeGreaterThan(800);
    expect(taken).toBeLessThan(7_200);
  });

  it("P1: 2,000 scratched answers with code give a block that stands in them, or a FormatError", () => {
    const random = randomStream("code");
    let taken = 0;
    for (let round = 0; round < 2_000; round++) {
      const code = `x = ${below(random, 1e6)}\nprint(${JSON.stringify(pick(random, phrases))})`;
      const text = scratched(random, `<think>\nx = 0\n</think>\nHere:\n\`\`\`python\n${code}\n\`\`\`\nDone.`);
      try {
        const found = codeBlock(text, { languages: ["python"] });
        taken++;
        expect(text).toContain(found);
        expect(found.trim()).not.toBe("");
      } catch (error) {
        if (!(error instanceof FormatError)) throw error;
      }
    }
    expect(taken).toBeGreaterThan(200);
  });
});
