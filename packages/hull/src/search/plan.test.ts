import { describe, expect, it } from "vitest";
import { middleHull } from "../loft/parameters.ts";
import { describeBatch } from "./builder.ts";
import { startSearch } from "./search.ts";

const before = { ...startSearch([0.5], 1), evaluations: 80 };
const batch = { before, from: middleHull, to: { ...middleHull, beam: 4.25, length: 12 }, score: 0.8, expected: 0.8414 };

describe("a plan", () => {
  it("says what was tried, what is expected, and what moves by how much", () => {
    expect(describeBatch({ ...batch, after: { ...before, evaluations: 121 } })).toBe(
      [
        "Searched: 41 hulls tried; 121 so far.",
        "Expected: a score of 0.841, up from 0.800.",
        "It moves, the largest step first:",
        "  beam 3.6 → 4.25 m",
        "  length 11.5 → 12 m",
        "",
      ].join("\n"),
    );
  });

  it("says how often the search began afresh", () => {
    const tried = (restarts: number) =>
      describeBatch({ ...batch, after: { ...before, evaluations: 100, restarts } }).split("\n", 1)[0];
    expect(tried(1)).toBe("Searched: 20 hulls tried, beginning afresh once; 100 so far.");
    expect(tried(3)).toBe("Searched: 20 hulls tried, beginning afresh 3 times; 100 so far.");
  });

  it("never says more of a score than it is", () => {
    const near = { ...batch, score: 0.9496, expected: 0.9999, after: { ...before, evaluations: 81 } };
    expect(describeBatch(near)).toContain("Expected: a score of 0.999, up from 0.949.");
    expect(describeBatch({ ...near, to: middleHull })).toContain("the hull that stands, at 0.949");
  });

  it("says of one hull that it was tried", () => {
    expect(describeBatch({ ...batch, after: { ...before, evaluations: 81 } })).toMatch(
      /^Searched: 1 hull tried; 81 so far/,
    );
  });

  it("says that the hull stays where none was better", () => {
    const stay = { ...batch, to: middleHull, expected: 0.8, after: { ...before, evaluations: 120 } };
    expect(describeBatch(stay)).toBe(
      "Searched: 40 hulls tried; 120 so far.\nNone is better than the hull that stands, at 0.800: it stays.\n",
    );
  });
});
