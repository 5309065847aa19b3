// The nearest right word to a wrong one.

import { describe, expect, it } from "vitest";
import { nearest, suggestion } from "./errors.ts";

const commands = ["run", "runs", "resume", "explain", "prune", "completion"];

describe("the nearest word", () => {
  it.each([
    ["rum", "run"],
    ["runss", "runs"],
    ["reusme", "resume"],
    ["RESUME", "resume"],
    ["explian", "explain"],
    ["complete", "completion"],
    ["prnue", "prune"],
    ["resum", "resume"],
  ])("to '%s' is '%s'", (word, name) => {
    expect(nearest(word, commands)).toBe(name);
  });

  it.each(["xyz", "", "demolish", "--json"])("to '%s' is none", (word) => {
    expect(nearest(word, commands)).toBeUndefined();
  });

  it("counts two swapped letters as one edit, so that the swap wins over a change of two", () => {
    expect(nearest("ab", ["ba", "cd"])).toBe("ba");
    expect(nearest("abcd", ["abdc", "abxy"])).toBe("abdc");
  });

  it("is none where nothing is known", () => {
    expect(nearest("run", [])).toBeUndefined();
  });

  it("is the first of those that are equally near", () => {
    expect(nearest("bat", ["cat", "rat"])).toBe("cat");
  });
});

describe("a suggestion", () => {
  it("asks for the nearest word, shown as it is asked for", () => {
    expect(suggestion("rum", commands)).toBe("; did you mean run?");
    expect(suggestion("rum", commands, (name) => `--${name}`)).toBe("; did you mean --run?");
  });

  it("is nothing where no word is near", () => {
    expect(suggestion("xyz", commands)).toBe("");
  });
});
