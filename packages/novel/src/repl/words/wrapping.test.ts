import { describe, expect, it } from "vitest";
import { firstLine, quote, wrap } from "./wrapping.ts";

describe("Long text", () => {
  it("is broken between words, and its own line breaks stay", () => {
    expect(wrap("one two three four\nfive", 13)).toEqual(["one two three", "four", "five"]);
    expect(wrap("", 20)).toEqual([""]);
    expect(wrap("averyveryverylongword and more", 12)).toEqual(["averyveryverylongword", "and more"]);
  });

  it("counts the columns that characters take", () => {
    expect(wrap("船体の側 船体の側 船体", 18)).toEqual(["船体の側 船体の側", "船体"]);
  });

  it("stands in quotation marks with its lines below each other", () => {
    expect(quote("one two three four", 18)).toBe('  "one two three\n   four"');
    expect(quote("a\n\nb", 80)).toBe('  "a\n\n   b"');
  });

  it("is cut to its first line, with a mark where something was left out", () => {
    expect(firstLine("short")).toBe("short");
    expect(firstLine("first\nsecond")).toBe("first…");
    expect(firstLine("abcdefgh", 5)).toBe("abcd…");
  });
});
