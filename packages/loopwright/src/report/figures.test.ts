import { defaultCeilings, emptyRecord } from "@loopwright/core";
import { describe, expect, it } from "vitest";
import { boatRun, ceilingRun, waitingRun } from "../../../../test/fakes/report-runs.ts";
import { drawCurve, showCeilings, showFigures, showPhaseTimes } from "./figures.ts";
import { bestOf, lastOfEach, showPlace } from "./story.ts";

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

const points = (...scores: number[]) => scores.map((score, index) => ({ iteration: index + 1, score }));
const ticks = (svg: string) => [...svg.matchAll(/text-anchor="end">(\d\.\d\d)</g)].map((match) => match[1]);
const named = (svg: string) =>
  [...svg.matchAll(/dy="20" text-anchor="middle">(\d+)</g)].map((match) => Number(match[1]));

describe("the score curve", () => {
  it("needs two iterations", () => {
    expect(drawCurve([])).toBeUndefined();
    expect(drawCurve(points(0.5))).toBeUndefined();
    expect(
      drawCurve([
        { iteration: 1, score: 0.2 },
        { iteration: 1, score: 0.4 },
      ]),
    ).toBeUndefined();
  });

  it("says in words what it shows", () => {
    const { text } = drawCurve([{ iteration: 0, score: 0.3 }, ...points(0.6, 0.9, 0.8)])!;
    const words = "Score curve: from 0.300 at the start to 0.800 in iteration 3; the best is 0.900 in iteration 2.";
    expect(text).toContain(`role="img" aria-label="${words}"`);
    expect(text).toContain(`<title>${words}</title>`);
  });

  it("puts each point where its score is, and links it to its iteration", () => {
    const { text } = drawCurve(points(0, 0.5, 1))!;
    expect(text).toContain('points="0,1000 500,500 1000,0"');
    expect(text).toContain(
      '<a href="#i2" tabindex="-1"><circle class="dot" cx="50%" cy="50%" r="3.5"><title>iteration 2: 0.500',
    );
  });

  it("marks the best in words and by form", () => {
    const { text } = drawCurve(points(0.2, 0.9, 0.4))!;
    expect(text.match(/class="dot best"/g)).toHaveLength(1);
    expect(text).toContain('class="mark" x="50%" y="10%" dy="-13" text-anchor="middle">best 0.900');
    expect(drawCurve(points(0.9, 0.2))!.text).toContain('text-anchor="start">best 0.900');
  });

  it("begins its axis at 0, unless that would press high scores flat", () => {
    expect(ticks(drawCurve(points(0.1, 0.9))!.text)).toEqual(["1.00", "0.75", "0.50", "0.25", "0.00"]);
    expect(ticks(drawCurve(points(0.62, 0.9))!.text)).toEqual(["1.00", "0.90", "0.80", "0.70", "0.60"]);
    expect(ticks(drawCurve(points(0.91, 0.95))!.text)).toEqual(["1.00", "0.95", "0.90", "0.85", "0.80"]);
    expect(ticks(drawCurve(points(1, 1))!.text)).toEqual(["1.00", "0.95", "0.90", "0.85", "0.80"]);
  });

  it("names few iterations, the first and the last among them", () => {
    expect(named(drawCurve(points(0.1, 0.2, 0.3))!.text)).toEqual([1, 2, 3]);
    const long = drawCurve(points(...Array.from({ length: 300 }, (_, n) => n / 300)))!.text;
    expect(named(long)).toEqual([1, 50, 100, 150, 200, 250, 300]);
  });

  it("has a dot for each point of a short run, and of a long one for the best and the last", () => {
    expect(drawCurve(points(0.1, 0.2, 0.3))!.text.match(/<circle/g)).toHaveLength(3);
    expect(drawCurve(points(...Array(90).fill(0.5), 0.4))!.text.match(/<circle/g)).toHaveLength(2);
  });
});

describe("the scores of a run", () => {
  const judgedTwice = [
    { iteration: 2, score: 0.9 },
    { iteration: 1, score: 0.4 },
    { iteration: 2, score: 0.3 },
  ];

  it("are the last of each iteration, in order", () => {
    expect(lastOfEach(judgedTwice)).toEqual([
      { iteration: 1, score: 0.4 },
      { iteration: 2, score: 0.3 },
    ]);
  });

  it("have as their best the first iteration that came to it", () => {
    expect(bestOf({ scores: [] })).toBeUndefined();
    expect(bestOf({ scores: judgedTwice })).toEqual({ iteration: 1, score: 0.4 });
    expect(bestOf({ scores: points(0.1, 0.8, 0.8) })).toEqual({ iteration: 2, score: 0.8 });
  });

  it("are placed in words", () => {
    expect([0, 7].map((iteration) => showPlace({ iteration }))).toEqual(["at the start", "in iteration 7"]);
  });
});
