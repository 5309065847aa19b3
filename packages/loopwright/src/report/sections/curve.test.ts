import { describe, expect, it } from "vitest";
import { bestOf, lastOfEach, showPlace } from "../scores.ts";
import { drawCurve } from "./curve.ts";

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

  it("stays small for a very long run, and keeps its highest and lowest points", () => {
    const scores = Array.from({ length: 10_000 }, (_, n) => (n === 5_000 ? 1 : n === 7_000 ? 0 : 0.5));
    const { text } = drawCurve(points(...scores))!;
    expect(text.length).toBeLessThan(20_000);
    expect(text.match(/<circle/g)).toHaveLength(2);
    const heights = /points="([^"]+)"/
      .exec(text)![1]!
      .split(" ")
      .map((pair) => Number(pair.split(",")[1]));
    expect([Math.min(...heights), Math.max(...heights)]).toEqual([0, 1000]);
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
