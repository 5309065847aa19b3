import { describe, it } from "node:test";
import assert from "node:assert/strict";
import { wrap, wrapText } from "./wrap.ts";

describe("wrap", () => {
  it("keeps a short line whole", () => {
    assert.deepEqual(wrap("to be or not", { width: 20 }), ["to be or not"]);
  });

  it("fills a line exactly", () => {
    assert.deepEqual(wrap("abc def ghi", { width: 7 }), ["abc def", "ghi"]);
  });

  it("does not run over the width", () => {
    assert.deepEqual(wrap("abc def", { width: 6 }), ["abc", "def"]);
  });

  it("returns no lines for blank text", () => {
    assert.deepEqual(wrap("  \n ", { width: 10 }), []);
  });

  it("breaks a word that is longer than a line", () => {
    assert.deepEqual(wrap("abcdefghij", { width: 4 }), ["abcd", "efgh", "ij"]);
  });

  it("refuses a width swallowed by the indent", () => {
    assert.throws(() => wrap("x", { width: 2, indent: "  " }), RangeError);
  });
});

describe("wrapText", () => {
  it("wraps each paragraph", () => {
    assert.equal(wrapText("one two\n\nthree four", { width: 9 }), "one two\n\nthree\nfour");
  });
});
