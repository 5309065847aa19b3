import { describe, expect, it } from "vitest";
import { fill } from "./template.ts";

describe("A template", () => {
  it.each([
    ["Make it darker", [], "Make it darker"],
    ["Make chapter {chapter} darker", ["chapter=3"], "Make chapter 3 darker"],
    ["Make chapter {chapter} darker", ["3"], "Make chapter 3 darker"],
    ["Give {who} a {what}", ["who=Mara", "what=gray scar"], "Give Mara a gray scar"],
    ["Make it darker", ["but", "keep", "the", "dog"], "Make it darker but keep the dog"],
  ])("%s with %j", (text, words, filled) => expect(fill(text, words)).toBe(filled));

  it("names the places that are not filled in", () => {
    expect(() => fill("Give {who} a {what}", ["who=Mara"])).toThrow("what=…");
    expect(() => fill("Give {who} a {what}", [])).toThrow("who=… what=…");
  });
});
