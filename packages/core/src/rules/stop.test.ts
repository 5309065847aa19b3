import { describe, expect, it } from "vitest";
import { firstStop, type History, repeatedHardFail, scoreAtLeast, stagnation } from "./stop.ts";

const scores = (...values: number[]): History => values.map((score, index) => ({ iteration: index + 1, score }));

describe("stop rules", () => {
  it("stop as done at the threshold, not under it", () => {
    expect(scoreAtLeast(0.85)(scores(0.2, 0.85))).toMatchObject({ outcome: "done" });
    expect(scoreAtLeast(0.85)(scores(0.9, 0.849))).toBeUndefined();
    expect(scoreAtLeast(0.85)([{ iteration: 1 }])).toBeUndefined();
  });

  it("stop as stagnant when the range of the window is under the limit, not at it", () => {
    expect(stagnation()(scores(0.1, 0.5, 0.51, 0.519))).toMatchObject({ outcome: "stagnant" });
    expect(stagnation()(scores(0.5, 0.51, 0.52))).toBeUndefined();
    expect(stagnation()(scores(0.5, 0.5))).toBeUndefined();
  });

  it("stop as escalated when the same hard fail comes twice running", () => {
    const history = [
      { iteration: 1, hardFails: ["A", "B"] },
      { iteration: 2, hardFails: ["B"] },
    ];
    expect(repeatedHardFail()(history)?.reason).toContain("B");
    expect(repeatedHardFail()([...history, { iteration: 3, hardFails: [] }])).toBeUndefined();
  });

  it("are asked in order, and the first that holds counts", () => {
    const rules = [scoreAtLeast(0.5), stagnation()];
    expect(firstStop(scores(0.5, 0.5, 0.5), rules)?.outcome).toBe("done");
    expect(firstStop(scores(0.4, 0.4, 0.4), rules)?.outcome).toBe("stagnant");
    expect(firstStop(scores(0.1, 0.4), rules)).toBeUndefined();
  });
});
