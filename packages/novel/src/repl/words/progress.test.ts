import { describe, expect, it } from "vitest";
import { fullBar, progressLine } from "./output.ts";

const written = (words: number, tokens_per_s = 35) => ({ words, tokens_per_s });

describe("Progress", () => {
  it("shows how much there is, how fast it comes and how long it may take, by the old text's length", () => {
    const line = progressLine({ expected: 1000 }, written(500), 60_000);
    expect(line).toBe("[████████████░░░░░░░░░░░░] 50% · 500 words · 35 tokens/s · about 1 min left");
  });

  it("foretells no end where nothing is known of the length, and never the last word", () => {
    expect(progressLine({ expected: 0 }, written(1234), 5_000)).toBe("1,234 words · 35 tokens/s · 5 s");
    expect(progressLine({ expected: 100 }, written(300), 200_000)).toBe(
      "[████████████████████████] 99% · 300 words · 35 tokens/s · 3 min",
    );
  });

  it("counts the chapters of prose", () => {
    const stage = { expected: 100, chapter: { number: 3, of: 4 } };
    expect(progressLine(stage, written(50, 0), 10_000)).toBe(
      "[███████████████░░░░░░░░░] 62% · chapter 3 of 4 · 50 words · about 6 s left",
    );
  });

  it("names the chapter that is written where not all are", () => {
    const stage = (number: number, of: number, name: string) => ({
      expected: 0,
      chapter: { number, of, name },
    });
    expect(progressLine(stage(1, 1, "chapter 2"), written(1, 0), 2_000)).toContain("· chapter 2 · 1 word · 2 s");
    expect(progressLine(stage(2, 3, "chapter 7"), written(9, 0), 2_000)).toContain("· chapter 7 (2 of 3) · 9 words");
  });

  it("has no bar for a judge, and says that it waits before the first word", () => {
    expect(progressLine({ expected: 0 }, written(20), 2_000)).toBe("20 words · 35 tokens/s · 2 s");
    expect(progressLine({ expected: 0 }, undefined, 4_000)).toBe("waiting for the model, 4 s");
    expect(progressLine({ expected: 0 }, undefined, 40_000)).toContain("40 s · Ctrl-C stops");
    expect(progressLine({ expected: 50 }, undefined, 400)).toBe(
      "[░░░░░░░░░░░░░░░░░░░░░░░░] 0% · waiting for the model, 0 s",
    );
  });

  it("says how long this request waits, not all of them, and what comes after the last chapter", () => {
    const stage = { expected: 100, chapter: { number: 5, of: 4 } };
    expect(progressLine(stage, undefined, 600_000, { waited: 20_000 })).toBe(
      "[████████████████████████] 99% · what all chapters share · waiting for the model, 20 s",
    );
  });

  it("keeps its seconds on a line of 80 columns: the bar has what room the words leave", () => {
    const stage = { expected: 100, chapter: { number: 3, of: 12 } };
    expect(progressLine(stage, written(1230), 60_000, { width: 79 })).toBe(
      "[██░░░░░░] 24% · chapter 3 of 12 · 1,230 words · 35 tokens/s · about 3 min left",
    );
    expect(progressLine(stage, undefined, 45_000, { width: 79 })).toMatch(/^16% · .* 45 s · Ctrl-C stops/);
  });

  it("is full at the end", () => {
    expect(fullBar()).toBe("[████████████████████████] 100%");
  });
});
