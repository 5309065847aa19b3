import type { TestCoverage } from "@loopwright/workspace";
import { describe, expect, it } from "vitest";
import { rankLines } from "./suspicion.ts";

const coverage = (test: string, state: "passed" | "failed", lines: Record<string, number[]>): TestCoverage => ({
  test,
  state,
  ms: 1,
  lines,
});

describe("the ranking of lines", () => {
  it("puts first what only failing tests execute", () => {
    const ranked = rankLines([
      coverage("a", "failed", { "m.py": [1, 2, 3] }),
      coverage("b", "passed", { "m.py": [1, 2] }),
      coverage("c", "passed", { "m.py": [1] }),
    ]);
    expect(ranked.map(({ line }) => line)).toEqual([3, 2, 1]);
    expect(ranked[0]).toEqual({ path: "m.py", line: 3, suspicion: 1 });
    expect(ranked[1]!.suspicion).toBeCloseTo(1 / Math.sqrt(2));
    expect(ranked[2]!.suspicion).toBeCloseTo(1 / Math.sqrt(3));
  });

  it("weighs how many of the failing tests execute a line", () => {
    const ranked = rankLines([
      coverage("a", "failed", { "m.py": [1] }),
      coverage("b", "failed", { "m.py": [1, 2] }),
      coverage("c", "passed", { "m.py": [2] }),
    ]);
    expect(ranked).toEqual([
      { path: "m.py", line: 1, suspicion: 1 },
      { path: "m.py", line: 2, suspicion: 0.5 },
    ]);
  });

  it("leaves out lines that no failing test executes, and files that are tests", () => {
    const ranked = rankLines([
      coverage("a", "failed", { "m.py": [1], "test_m.py": [4], "m.test.ts": [5] }),
      coverage("b", "passed", { "m.py": [1, 9] }),
    ]);
    expect(ranked.map(({ path, line }) => `${path}:${line}`)).toEqual(["m.py:1"]);
  });

  it("orders equally suspicious lines by file and line, and counts a line named twice once", () => {
    const ranked = rankLines([coverage("a", "failed", { "z.ts": [2, 1, 1], "a.ts": [7] })]);
    expect(ranked.map(({ path, line, suspicion }) => `${path}:${line} ${suspicion}`)).toEqual([
      "a.ts:7 1",
      "z.ts:1 1",
      "z.ts:2 1",
    ]);
  });

  it("knows nothing where nothing fails", () => {
    expect(rankLines([coverage("a", "passed", { "m.py": [1] })])).toEqual([]);
    expect(rankLines([])).toEqual([]);
  });
});
