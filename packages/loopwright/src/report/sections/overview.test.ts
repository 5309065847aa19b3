import { defaultCeilings, emptyRecord } from "@loopwright/core";
import { describe, expect, it } from "vitest";
import { boatRun, ceilingRun, waitingRun } from "../../../../../test/fakes/report-runs.ts";
import { showCeilings, showFigures, showPhaseTimes } from "./overview.ts";

/** The words of some markup, without its elements. */
const words = (markup: { text: string } | undefined) =>
  (markup?.text ?? "")
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ")
    .trim();

describe("the key figures", () => {
  it("are those of the run's record", async () => {
    expect(words(showFigures((await boatRun()).record))).toBe(
      "Last score 0.939 Best score 0.939 in iteration 6 Iterations 6 of at most 20 Active time 20.8 s Tokens 12,950 Cost $0.09 Re-tries 1 Workcell restarts 0",
    );
  });

  it("say nothing of a score before there is one", () => {
    const record = { ...emptyRecord("r"), ceilings: { ...defaultCeilings } };
    expect(words(showFigures(record))).toContain("Last score – Best score – Iterations 0");
  });

  it("place a best score that was there at the start", async () => {
    const { record } = await boatRun();
    expect(words(showFigures({ ...record, scores: [{ iteration: 0, score: 0.5 }] }))).toContain("0.500 at the start");
  });
});

describe("the ceilings", () => {
  it("show what was used of each, and which was reached", async () => {
    const text = words(showCeilings((await ceilingRun()).record, 4_600));
    expect(text).toBe(
      "Ceiling Used Limit Share Iterations reached 4 4 Active minutes 0.25 720 Tokens 9,250 2,000,000 Dollars $0.07 $5.00 Minutes of one phase 0.08 120",
    );
  });

  it("draw a bar for each, full where the limit is used up, also where there was nothing to use", async () => {
    const { record } = await ceilingRun();
    const ceilings = { ...record.ceilings, usd: 0, minutes: 1, tokens: 0 };
    const { text } = showCeilings({ ...record, ceilings, usage: { tokens: 0, usd: 0.1 } }, 0);
    expect([...text.matchAll(/aria-label="([^"]+)"/g)].map((match) => match[1])).toEqual([
      "100 %",
      "25 %",
      "no limit left",
      "no limit left",
      "0 %",
    ]);
    expect([...text.matchAll(/style="width:(\d+)%"/g)].map((match) => Number(match[1]))).toEqual([100, 25, 0, 100, 0]);
  });
});

describe("the time by phase", () => {
  it("has the longest first, with its share", async () => {
    const shown = showPhaseTimes((await boatRun()).record)!;
    expect(words(shown)).toBe("Phase Active Share build 16.1 s judge 3.9 s setup 800 ms");
    expect([...shown.text.matchAll(/width:(\d+)%/g)].map((match) => Number(match[1]))).toEqual([77, 19, 4]);
  });

  it("is not there before a phase has ended, and stands for phases that took no time", async () => {
    expect(showPhaseTimes(emptyRecord("r"))).toBeUndefined();
    expect(words(showPhaseTimes((await waitingRun()).record))).toContain("propose 0 ms approve 0 ms");
  });
});
