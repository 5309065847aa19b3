// Text made fit for a terminal: no control characters, the right width, colors only where they are wanted.

import stringWidth from "string-width";
import { describe, expect, it } from "vitest";
import { cut, pad, plainLine, plainText, type Screen, wantsColor, wrap } from "./terminal.ts";

describe("a plain line", () => {
  it.each([
    ["colors", "\u001B[31mred\u001B[0m alert", "red alert"],
    ["a title", "a \u001B]0;owned\u0007 b", "a b"],
    ["a link", "\u001B]8;;http://x\u0007here\u001B]8;;\u0007", "here"],
    ["line breaks", "one\r\ntwo\nthree\rfour", "one two three four"],
    ["tabs and runs of spaces", "a\t\tb   c", "a b c"],
    ["bells and backspaces", "be\u0007ll\u0008", "bell"],
    ["C1 controls", "a\u009B31mb", "ab"],
    ["nothing but controls", "\u0000\u001B\u0007", ""],
    ["bidi controls", "user\u202Egnp.exe\u202C \u2066x\u2069\u200F", "usergnp.exe x"],
    ["line separators", "a\u2028b\u2029c", "a b c"],
  ])("has no %s", (_what, text, plain) => {
    expect(plainLine(text)).toBe(plain);
  });

  it("leaves letters of every script and emoji as they are", () => {
    for (const text of ["naïve café", "日本語 テスト", "עברית", "👩‍👩‍👧‍👦 ok", "e\u0301"])
      expect(plainLine(text)).toBe(text);
  });
});

it("Plain text keeps its line breaks and its spaces, and no other control characters", () => {
  expect(plainText("a  b\n\u001B[2Jc\r\u0007\u202Ed\n")).toBe("a  b\ncd\n");
});

describe("text that is cut", () => {
  it.each([
    ["abc", 3, "abc"],
    ["abcd", 3, "ab…"],
    ["日本語", 6, "日本語"],
    ["日本語", 5, "日本…"],
    ["日本語", 4, "日…"],
    ["👩‍👩‍👧‍👦abc", 4, "👩‍👩‍👧‍👦a…"],
    ["e\u0301e\u0301e\u0301", 2, "e\u0301…"],
    ["", 0, ""],
    ["ab", 1, "…"],
  ])("'%s' to %i columns is '%s'", (text, width, expected) => {
    expect(cut(text, width)).toBe(expected);
  });

  it("is never wider than it may be, and never cut inside a letter", () => {
    const text = "a日👨‍🚀e\u0301한🇩🇪z".repeat(5);
    const letters = [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment);
    for (let width = 1; width < 60; width++) {
      const kept = cut(text, width);
      expect(stringWidth(kept)).toBeLessThanOrEqual(width);
      const whole = [...new Intl.Segmenter().segment(kept.replace(/…$/, ""))].map(({ segment }) => segment);
      expect(whole).toEqual(letters.slice(0, whole.length));
    }
  });

  it("of any length is cut quickly", () => {
    const begun = performance.now();
    expect(cut("x".repeat(500_000), 80)).toHaveLength(80);
    expect(performance.now() - begun).toBeLessThan(2_000);
  });
});

it("Text is filled up to a width that counts wide letters twice", () => {
  expect(pad("ab", 4)).toBe("ab  ");
  expect(pad("日本", 6)).toBe("日本  ");
  expect(pad("👩‍👩‍👧‍👦", 4)).toBe("👩‍👩‍👧‍👦  ");
  expect(pad("abcdef", 4)).toBe("abcdef");
});

describe("colors", () => {
  const screen = (isTTY: boolean) => ({ isTTY }) as Screen;

  it.each([
    ["on a terminal", true, {}, false, true],
    ["on a pipe", false, {}, false, false],
    ["on a dumb terminal", true, { TERM: "dumb" }, false, false],
    ["with --no-color", true, {}, true, false],
    ["with NO_COLOR", true, { NO_COLOR: "1" }, false, false],
    ["with an empty NO_COLOR, which says nothing", true, { NO_COLOR: "" }, false, true],
    ["with FORCE_COLOR on a pipe", false, { FORCE_COLOR: "1" }, false, true],
    ["with FORCE_COLOR=0 on a terminal", true, { FORCE_COLOR: "0" }, false, false],
    ["with NO_COLOR against FORCE_COLOR", true, { NO_COLOR: "1", FORCE_COLOR: "1" }, false, false],
    ["with --no-color against FORCE_COLOR", true, { FORCE_COLOR: "1" }, true, false],
  ])("%s", (_what, isTTY, env, noColor, expected) => {
    expect(wantsColor(noColor, screen(isTTY), env)).toBe(expected);
  });
});

describe("wrapped text", () => {
  it("is broken at its spaces, and nothing of it is lost", () => {
    expect(wrap("one two three", 7, 5)).toEqual(["one two", "three"]);
    expect(wrap("short", 10, 5)).toEqual(["short"]);
    expect(wrap("a-word-without-any-space b", 10, 5)).toEqual(["a-word-wit", "hout-any-s", "pace b"]);
    for (const line of wrap("船体の側面 ".repeat(20), 11, 50)) expect(stringWidth(line)).toBeLessThanOrEqual(11);
  });

  it("says where there was more than it may have lines", () => {
    expect(wrap("one two three four", 5, 2)).toEqual(["one", "two …"]);
  });
});
