// Figures that only a terminal shows.

import { describe, expect, it } from "vitest";
import { showAge, sparkline } from "./figures.ts";

describe("a sparkline", () => {
  it("has a bar for each score, from the lowest to the highest", () => {
    expect(sparkline([0, 0.13, 0.26, 0.38, 0.51, 0.63, 0.76, 0.88, 1])).toBe("▁▂▃▄▅▆▇██");
  });

  it("shows the last ones where there is not room for all", () => {
    expect(sparkline([1, 1, 0, 0], 2)).toBe("▁▁");
    expect(sparkline(Array(100).fill(1))).toHaveLength(24);
  });

  it("is nothing for no score, and stays within its bars for one that is out of range", () => {
    expect(sparkline([])).toBe("");
    expect(sparkline([-5, 7])).toBe("▁█");
  });
});

describe("an age", () => {
  it.each([
    [0, "0 s"],
    [999, "0 s"],
    [59_999, "59 s"],
    [60_000, "1 min"],
    [3_599_999, "59 min"],
    [3_600_000, "1 h"],
    [86_399_999, "23 h"],
    [86_400_000, "1 d"],
    [86_400_000 * 400, "400 d"],
    [-5_000, "0 s"],
  ])("of %i ms is %s", (ms, words) => {
    expect(showAge(ms)).toBe(words);
  });
});
