import { describe, expect, it } from "vitest";
import {
  showAge,
  showCount,
  showDollars,
  showDuration,
  showNumber,
  showScore,
  showSize,
  showTime,
  sparkline,
} from "./figures.ts";

it("shows a score with three decimals", () => {
  expect(showScore(0.95)).toBe("0.950");
  expect(showScore(1)).toBe("1.000");
});

it.each([
  [0.9999, "0.999"],
  [1 - Number.EPSILON, "0.999"],
  [0.8996, "0.899"],
  [0.0006, "0.000"],
  [0.57, "0.570"],
  [1 - 0.9, "0.100"],
  [1.0006, "1.001"],
])("never rounds a score below 1 up: %d is shown as %s", (score, text) => {
  expect(showScore(score)).toBe(text);
});

it("shows a score with fewer decimals where these are wanted", () => {
  expect([showScore(0.996, 2), showScore(0.85, 2), showScore(1, 2)]).toEqual(["0.99", "0.85", "1.00"]);
});

it.each([
  [0, "0"],
  [999, "999"],
  [1000, "1,000"],
  [2_000_000, "2,000,000"],
  [-1234, "-1,234"],
  [0.12345, "0.123"],
  [1234.5, "1,235"],
])("shows the number %d as %s", (value, text) => {
  expect(showNumber(value)).toBe(text);
});

it("counts one thing in the singular and any other number in the plural", () => {
  expect([0, 1, 2].map((n) => showCount(n, "iteration"))).toEqual(["0 iterations", "1 iteration", "2 iterations"]);
});

it("shows dollars to the cent, and less than a cent with its first digits", () => {
  expect([0, 0.01, 1.234, 12].map(showDollars)).toEqual(["$0.00", "$0.01", "$1.23", "$12.00"]);
  expect(showDollars(0.000421)).toBe("$0.000421");
});

it.each([
  [0, "0 ms"],
  [999, "999 ms"],
  [1000, "1.0 s"],
  [59_940, "59.9 s"],
  [59_960, "1 min"],
  [60_000, "1 min"],
  [61_000, "1 min 1 s"],
  [3_599_999, "1 h"],
  [3_600_000, "1 h"],
  [45_240_000, "12 h 34 min"],
])("shows %d ms as %s", (ms, text) => {
  expect(showDuration(ms)).toBe(text);
});

it("shows sizes in the unit that fits", () => {
  expect([0, 999, 1000, 12_345, 16_000_000].map(showSize)).toEqual(["0 B", "999 B", "1.0 kB", "12.3 kB", "16.0 MB"]);
});

it("shows a moment in UTC, and never throws at one that no calendar has", () => {
  expect(showTime(Date.UTC(2026, 0, 5, 12, 3, 4))).toBe("2026-01-05 12:03:04 UTC");
  expect(showTime(Number.NaN)).toBe("at no known time");
  expect(showTime(1e300)).toBe("at no known time");
});

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

describe("a score", () => {
  it("has no sign where it is nothing", () => {
    expect([showScore(-0.0002), showScore(0), showScore(-0.5)]).toEqual(["0.000", "0.000", "-0.500"]);
  });
});
