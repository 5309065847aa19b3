import { describe, expect, it } from "vitest";
import { applyEdits, editText, overlaps } from "./apply.ts";

const files = [
  { path: "a.py", content: "x = 1\r\ny = 2\r\n" },
  { path: "b.py", content: "z = 3\n" },
];

describe("edits made real", () => {
  it("gives only the files that change, with every other byte as it was", () => {
    expect(applyEdits(files, [{ path: "a.py", start: 4, end: 5, text: "10" }])).toEqual([
      { path: "a.py", content: "x = 10\r\ny = 2\r\n" },
    ]);
  });

  it("makes several edits of several files at once, in any order", () => {
    const edits = [
      { path: "b.py", start: 4, end: 5, text: "30" },
      { path: "a.py", start: 11, end: 12, text: "20" },
      { path: "a.py", start: 0, end: 1, text: "first" },
    ];
    expect(applyEdits(files, edits).map(({ content }) => content)).toEqual(["first = 1\r\ny = 20\r\n", "z = 30\n"]);
  });

  it("counts in UTF-16 units, so that what stands behind an emoji is hit", () => {
    const text = 's = "😀"; n = 1';
    const start = text.indexOf("1");
    expect(editText(text, [{ start, end: start + 1, text: "2" }])).toBe('s = "😀"; n = 2');
  });

  it("inserts before and behind what another edit replaces", () => {
    const edits = [
      { start: 1, end: 2, text: "B" },
      { start: 2, end: 2, text: "+" },
      { start: 0, end: 0, text: "<" },
    ];
    expect(editText("abc", edits)).toBe("<aB+c");
  });

  it("refuses edits that overlap", () => {
    const edits = [
      { start: 0, end: 3, text: "" },
      { start: 2, end: 4, text: "" },
    ];
    expect(() => editText("abcdef", edits)).toThrow(/overlap/);
  });

  it("knows which edits cannot be made together", () => {
    const at = (start: number, end: number, path = "a.py") => ({ path, start, end, text: "" });
    expect(overlaps(at(0, 3), at(2, 4))).toBe(true);
    expect(overlaps(at(2, 4), at(0, 3))).toBe(true);
    expect(overlaps(at(0, 3), at(3, 4))).toBe(false);
    expect(overlaps(at(2, 2), at(2, 2))).toBe(true);
    expect(overlaps(at(0, 3), at(2, 4, "b.py"))).toBe(false);
  });
});
