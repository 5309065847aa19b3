import { test } from "node:test";
import assert from "node:assert/strict";
import { wrap } from "./wrap.ts";

const prose = "the quick brown fox jumps over the lazy dog and then it sleeps a while in the sun";

test("no line is wider than asked, for many widths", () => {
  for (let width = 3; width < 40; width++) {
    for (const line of wrap(prose, { width })) assert.ok(line.length <= width, `${width}: ${line}`);
  }
});

test("lines are as full as they can be", () => {
  for (let width = 6; width < 40; width++) {
    const lines = wrap(prose, { width });
    for (let i = 1; i < lines.length; i++) {
      const first = lines[i].split(" ")[0];
      assert.ok(lines[i - 1].length + 1 + first.length > width);
    }
  }
});

test("indent is part of the width", () => {
  assert.deepEqual(wrap("aa bb cc", { width: 7, indent: "> " }), ["> aa bb", "> cc"]);
  assert.deepEqual(wrap("aa bb cc", { width: 6, indent: "> " }), ["> aa", "> bb", "> cc"]);
});

test("single letters", () => {
  assert.deepEqual(wrap("a b c d", { width: 3 }), ["a b", "c d"]);
  assert.deepEqual(wrap("a b c", { width: 2 }), ["a", "b", "c"]);
});

test("tail of a broken word shares its line", () => {
  assert.deepEqual(wrap("abcdef g h", { width: 4 }), ["abcd", "ef g", "h"]);
});
