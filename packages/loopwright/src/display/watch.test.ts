// What a display knows of a run, from its events alone.

import { defaultCeilings, type LoopEvent } from "@loopwright/core";
import { describe, expect, it } from "vitest";
import { activeNow, newWatch, type Watch, watchEvent } from "./watch.ts";

const started = {
  type: "run-started",
  run: "r1",
  at: 0,
  seq: 1,
  active: 0,
  loop: "steer",
  version: 1,
  folder: "r1",
  ceilings: defaultCeilings,
  enter: { phase: "work", visit: 1, iteration: 1 },
};

/** A watch that has heard these events; what they lack is not looked at. */
function heard(...events: object[]): Watch {
  const watch = newWatch();
  for (const event of events) watchEvent(watch, { run: "r1", at: 0, ...event } as unknown as LoopEvent);
  return watch;
}

const verdict = (score: number, iteration = 1) => ({
  type: "verdict-recorded",
  iteration,
  verdict: { verdict: "fail", score, findings: [], reason: "not yet" },
});

describe("a watch", () => {
  it("has seen nothing at first", () => {
    expect(newWatch()).toMatchObject({ run: undefined, phase: "", iteration: 0, scores: [], tokens: 0, usd: 0 });
  });

  it("is given the past of a run that is resumed, and then hears only of that run", () => {
    const watch = newWatch({ run: "r0", scores: [{ iteration: 1, score: 0.5 }] });
    watchEvent(watch, started as unknown as LoopEvent);
    expect(watch).toMatchObject({ run: "r0", loop: "" });
    watchEvent(watch, { ...verdict(0.7, 2), run: "r0" } as unknown as LoopEvent);
    expect(watch.scores).toEqual([
      { iteration: 1, score: 0.5 },
      { iteration: 2, score: 0.7 },
    ]);
  });

  it("follows the first run that it hears of, and leaves child runs aside", () => {
    const watch = heard(started, { ...started, run: "child", loop: "ask" }, { ...verdict(0.9), run: "child" });
    expect(watch).toMatchObject({ run: "r1", loop: "steer", folder: "r1", iteration: 1, scores: [] });
  });

  it("knows the phase and the iteration, and forgets the progress of what is over", () => {
    const progress = { type: "progress", key: "work", data: { step: 1 } };
    const phase = { type: "phase-started", phase: "judge", visit: 2, iteration: 3 };
    expect(heard(started, progress).progress).toEqual({ step: 1 });
    expect(heard(started, progress, phase)).toMatchObject({ phase: "judge", iteration: 3, progress: undefined });
    for (const type of ["effect-finished", "effect-failed"])
      expect(heard(started, progress, { type, visit: 1, key: "work" }).progress).toBeUndefined();
  });

  it("adds up what was used, and keeps the scores in order", () => {
    const used = { type: "effect-finished", visit: 1, key: "work", usage: { tokens: 10, usd: 0.5 } };
    const watch = heard(started, used, verdict(0.2), used, verdict(0.4, 2));
    expect(watch).toMatchObject({ tokens: 20, usd: 1 });
    expect(watch.scores.map(({ score }) => score)).toEqual([0.2, 0.4]);
  });

  it("takes up changed ceilings, the named ones only", () => {
    const watch = heard(started, { type: "ceilings-changed", ceilings: { iterations: 99 } });
    expect(watch.ceilings).toEqual({ ...defaultCeilings, iterations: 99 });
  });

  it("counts active time on from the last event, and never backwards", () => {
    const watch = newWatch({ active: 5_000, heardAt: 1_000 });
    expect(activeNow(watch, 3_500)).toBe(7_500);
    expect(activeNow(watch, 500)).toBe(5_000);
  });
});
