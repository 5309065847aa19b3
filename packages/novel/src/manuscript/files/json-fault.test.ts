import { randomStream } from "@loopwright/core";
import { describe, expect, it } from "vitest";
import { findJsonFault } from "./json-fault.ts";

const good = JSON.stringify({ a: [1, -2.5e3, true, null, 'x\n"é🕯️\\'], b: { c: {}, d: [] } }, null, 1);

describe("the first fault of a JSON text", () => {
  it.each([
    ['{"a": 1,}', 8, "'}' stands where a key in double quotes should stand"],
    ["{'a': 1}", 1, "''' stands where a key in double quotes should stand"],
    ['{"a" 1}', 5, "'1' stands where ':' should stand"],
    ['{"a": 1 "b": 2}', 8, "'\"' stands where ',' or '}' should stand"],
    ["[1 2]", 3, "'2' stands where ',' or ']' should stand"],
    ["[1,]", 3, "']' stands where a value should stand"],
    ['{"a": 1} x', 9, "'x' stands where the end should stand"],
    ['["a\nb"]', 1, "the text that begins here is not closed on its line"],
    ["[01]", 1, "'0' stands where a value should stand"],
    ["[🕯️]", 1, "'🕯' stands where a value should stand"],
    ['{"a": [', 7, "it ends where a value should stand"],
  ])("%j is at %d", (text, at, problem) => {
    const found = findJsonFault(text);
    expect(found.at).toBe(at);
    expect(found.problem).toContain(problem);
  });

  it("is found in every text that does not parse, and everything before it is sound", () => {
    const signs = [...'{}[]":,0x \n\\'];
    for (let index = 0; index < 2_000; index++) {
      const random = randomStream("json", index);
      const at = Math.floor(random() * good.length);
      const cut = Math.floor(random() * 3);
      const text = good.slice(0, at) + signs[Math.floor(random() * signs.length)] + good.slice(at + cut);
      if (parses(text)) continue;
      const fault = findJsonFault(text);
      expect(fault.at, text).toBeLessThanOrEqual(text.length);
      expect(fault.problem).not.toBe("");
    }
  });
});

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
