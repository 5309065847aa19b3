// What a display knows of a run, from its events alone; and its frame, which says the most important things first, and fits
// whatever it is told.

import { defaultCeilings, type LoopEvent } from "@loopwright/core";
import { widthOf } from "@loopwright/terminal";
import { describe, expect, it } from "vitest";
import { activeNow, frameLines, newWatch, progressWords, type Watch, watchEvent } from "./watch.ts";

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
    expect(watch).toMatchObject({ run: "r0", ceilings: undefined });
    watchEvent(watch, { ...verdict(0.7, 2), run: "r0" } as unknown as LoopEvent);
    expect(watch.scores).toEqual([
      { iteration: 1, score: 0.5 },
      { iteration: 2, score: 0.7 },
    ]);
  });

  it("follows the first run that it hears of, and leaves child runs aside", () => {
    const watch = heard(started, { ...started, run: "child", loop: "ask" }, { ...verdict(0.9), run: "child" });
    expect(watch).toMatchObject({ run: "r1", iteration: 1, scores: [] });
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

const ceilings = { iterations: 20, minutes: 720, tokens: 2_000_000, usd: 5, phaseMinutes: 120 };
const scores = (...list: number[]) => list.map((score, index) => ({ iteration: index + 1, score }));

function frame(known: Partial<Watch>, columns = 80): string[] {
  const watch = newWatch({ run: "r", phase: "work", iteration: 3, ceilings, heardAt: 0, active: 0, ...known });
  return frameLines(watch, { columns, style: (_style, text) => text }, 0, 83_000);
}

describe("A frame", () => {
  it("says the phase, the iteration, the scores and what is used", () => {
    expect(frame({ scores: scores(0.1, 0.9, 0.5), tokens: 1234, usd: 0.5, progress: { view: 2 } })).toEqual([
      "⠋ work · iteration 3 of 20 · view 2",
      "  score 0.500  ▁█▅  best 0.900",
      "  1 min 23 s of 720 min · 1,234 of 2,000,000 tokens · $0.50 of $5.00",
    ]);
  });

  it("has no line of scores before there is one, and no count before the ceilings are known", () => {
    expect(frame({ ceilings: undefined, phase: "" })).toEqual(["⠋ starting", "  1 min 23 s"]);
  });

  it("cuts a phase's long name before the count, and keeps room for some progress", () => {
    expect(frame({ phase: "x".repeat(60), progress: "half way" })[0]).toBe(
      `⠋ ${"x".repeat(37)}… · iteration 3 of 20 · half way`,
    );
    expect(frame({ phase: "x".repeat(60), progress: "half way" }, 40)[0]).toBe(
      `⠋ ${"x".repeat(16)}… · iteration 3 of 20`,
    );
  });

  it("shows the newest scores of very many", () => {
    const many = scores(...Array.from({ length: 300 }, (_, index) => index / 300));
    const [, line] = frame({ scores: many });
    expect(line).toBe(`  score 0.996  ${"▇".repeat(3)}${"█".repeat(37)}  best 0.996`);
  });

  const odd: Partial<Watch>[] = [
    { phase: "船".repeat(60), progress: "👍🏽".repeat(60) },
    { phase: "a\u001B[2Jb\nc", progress: { "\u001B]0;title\u0007": "line\r\nbreak" } },
    { tokens: 1e12, usd: 1e9, iteration: 1e6, progress: [1, 2, 3] },
    { scores: scores(...Array(500).fill(1)), progress: Array(10_000).fill({ words: "x".repeat(1000) }) },
  ];
  it.each(odd.flatMap((known) => [24, 40, 80, 200].map((columns) => ({ known, columns }))))(
    "fits $columns columns, with no control character in it",
    ({ known, columns }) => {
      for (const line of frame(known, columns)) {
        expect(widthOf(line)).toBeLessThan(columns);
        expect(line).not.toMatch(/\p{Cc}/u);
      }
    },
  );
});

describe("Progress", () => {
  it.each([
    ["half way", "half way"],
    [1234567, "1,234,567"],
    [true, "true"],
    [null, ""],
    [["a", 2], "a, 2"],
    [{ step: 2, of: 4 }, "step 2, of 4"],
    [{ a: { b: { c: { d: 1 } } } }, "a b c …"],
  ])("%j is said as '%s'", (data, words) => {
    expect(progressWords(data)).toBe(words);
  });

  it("of any size is said in few words, and quickly", () => {
    const said = progressWords({ text: "x".repeat(1e6), list: Array(1e5).fill("y"), ...Array(1e5).fill(1) });
    expect(said.length).toBeLessThan(500);
  });
});
