import { describe, expect, it } from "vitest";
import { traces } from "../../../../test/traces/traces.ts";
import { decide, type Facts } from "./evaluate.ts";

const limits = { score_threshold: 0.85, max_retries: 3, stagnation: { window: 3, range: 0.02 } };

function facts(scores: readonly number[], more: Partial<Facts> = {}): Facts {
  return {
    iteration_history: scores.map((score, i) => ({ iteration: i + 1, plan: "", score, issues_count: 1 })),
    iteration: scores.length,
    ceiling: 10,
    consecutive_failures: 0,
    passes: scores.at(-1)! >= limits.score_threshold,
    ...more,
  };
}

describe("the stop rules", () => {
  it("test_stop_conditions: go on while the score rises and nothing else holds", () => {
    expect(decide(facts([0.5]), limits)).toEqual({ to: "build" });
    expect(decide(facts([0.5, 0.6, 0.7]), limits)).toEqual({ to: "build" });
  });

  it("stop as converged at the threshold, and say so", () => {
    expect(decide(facts([0.6, 0.85]), limits)).toEqual({
      to: "finalize",
      status: "converged",
      reason: "the score reached the threshold 0.85",
    });
  });

  it("do not believe a score whose verdict did not pass", () => {
    expect(decide(facts([0.6, 0.9], { passes: false }), limits)).toEqual({ to: "build" });
  });

  it("stop as failed after as many failed executions in a row as are allowed", () => {
    expect(decide(facts([0.5, 0.6], { consecutive_failures: 2 }), limits)).toEqual({ to: "build" });
    expect(decide(facts([0.5, 0.6], { consecutive_failures: 3 }), limits)).toMatchObject({
      to: "finalize",
      status: "failed",
      reason: "3 iterations in a row could not be executed, even after re-tries",
    });
  });

  it("say of one failed execution that it was one", () => {
    expect(decide(facts([0.5], { consecutive_failures: 1 }), { ...limits, max_retries: 1 })).toMatchObject({
      reason: "1 iteration could not be executed, even after re-tries",
    });
  });

  it("stop as stagnant when the last scores lie close together, and not before there are enough", () => {
    expect(decide(facts([0.5, 0.51]), limits)).toEqual({ to: "build" });
    expect(decide(facts([0.2, 0.5, 0.51, 0.505]), limits)).toMatchObject({ to: "finalize", status: "stagnant" });
    expect(decide(facts([0.5, 0.52, 0.5]), limits)).toEqual({ to: "build" });
  });

  it.each([
    ["frozen-hull-01", 7],
    ["busy-failing-same-hull-01", 8],
    ["regress-and-recover-hull-01", undefined],
    ["noisy-progress-hull-03", undefined],
  ])("of the labeled run %s: stagnant at %s", (name, at) => {
    const scores = traces.find((trace) => trace.name === name)!.history.map(({ score }) => score!);
    const long = { ceiling: scores.length + 1, passes: false };
    const stops = scores.map((_, index) => decide(facts(scores.slice(0, index + 1), long), limits).to === "finalize");
    expect(stops.includes(true) ? stops.indexOf(true) + 1 : undefined).toBe(at);
  });

  it("use the task's own window and range", () => {
    const own = { ...limits, stagnation: { window: 2, range: 0.2 } };
    expect(decide(facts([0.5, 0.6]), own)).toMatchObject({ status: "stagnant" });
  });

  describe("hold in their order", () => {
    const all = { iteration: 10, consecutive_failures: 3 };

    it("threshold before everything", () => {
      expect(decide(facts([0.86, 0.86, 0.86], all), limits)).toMatchObject({ status: "converged" });
    });

    it("ceilings before failed and stagnant: the engine ends the run at the door of the next iteration", () => {
      expect(decide(facts([0.5, 0.5, 0.5], all), limits)).toEqual({ to: "build" });
    });

    it("failed before stagnant", () => {
      expect(decide(facts([0.5, 0.5, 0.5], { consecutive_failures: 3 }), limits)).toMatchObject({ status: "failed" });
    });

    it("a raised ceiling lets the later rules speak again", () => {
      expect(decide(facts([0.5, 0.5, 0.5], { ...all, ceiling: 20 }), limits)).toMatchObject({ status: "failed" });
    });
  });
});
