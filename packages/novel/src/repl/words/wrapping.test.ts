import { describe, expect, it } from "vitest";
import { firstLine, quote, textWidth, wrap, wrapIndented } from "./output.ts";

describe("Long text", () => {
  it("is broken between words, and its own line breaks stay", () => {
    expect(wrap("one two three four\nfive", 13)).toEqual(["one two three", "four", "five"]);
    expect(wrap("", 20)).toEqual([""]);
    expect(wrap("all of it: /help", 13)).toEqual(["all of it:", "/help"]);
    expect(wrap("saved in /tmp/novel/notes", 18)).toEqual(["saved in /tmp/", "novel/notes"]);
    expect(wrap("averyveryverylongword and more", 12)).toEqual(["averyveryverylongword", "and more"]);
  });

  it("counts the columns that characters take", () => {
    expect(wrap("船体の側 船体の側 船体", 18)).toEqual(["船体の側 船体の側", "船体"]);
  });

  it("is broken between signs where there are no spaces, and not before what closes a sentence", () => {
    expect(wrap("灯が点いた。誰も来なかった。", 10)).toEqual(["灯が点い", "た。誰も来", "なかった。"]);
    expect(wrap("he said 「来るな」 and left", 14)).toEqual(["he said 「来る", "な」 and left"]);
    expect(wrap("averyveryverylongword", 10, { breaksWords: true })).toEqual(["averyveryv", "erylongwor", "d"]);
  });

  it("keeps what is broken off an item under its beginning", () => {
    expect(wrapIndented("  • one two three four\n\nshort", 16)).toEqual(["  • one two", "    three four", "", "short"]);
    expect(wrapIndented("    1. one two three", 14)).toEqual(["    1. one two", "       three"]);
  });

  it("is 100 columns wide where the terminal has more", () => {
    const words = "harbor ".repeat(40).trim();
    const widest = (text: string) => Math.max(...text.split("\n").map((line) => line.length));
    expect([60, 90, 160].map(textWidth)).toEqual([60, 90, 100]);
    for (const columns of [60, 90, 160]) {
      expect(widest(quote(words, columns))).toBeLessThanOrEqual(textWidth(columns));
      expect(widest(quote(words, columns))).toBeGreaterThan(textWidth(columns) - 12);
    }
    expect(wrapIndented("      Before: one two three", 24)).toEqual(["      Before: one two", "              three"]);
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
