import { Crash, dieAt, doomed, memoryEngine, runOf } from "@loopwright/core/testing";
import { describe, expect, it } from "vitest";
import { type NoteContext, passed, singlePhase } from "../../../test/fakes/loops.ts";
import { randomStream } from "./record/json.ts";

const take = (stream: () => number, count: number) => Array.from({ length: count }, stream);
const drawing = (draw: (ctx: NoteContext) => number[]) => singlePhase((ctx) => passed(ctx, { result: draw(ctx) }));

describe("L7: a random stream", () => {
  it("is the same for the same seed, visit and name, and another one otherwise", () => {
    const first = take(randomStream(1, 1, "", "a"), 50);
    expect(take(randomStream(1, 1, "", "a"), 50)).toEqual(first);
    const others: [number, number, string][] = [
      [2, 1, "a"],
      [1, 2, "a"],
      [1, 1, "b"],
      [11, 1, "a"],
      [1, 11, ""],
    ];
    for (const seed of others) expect(take(randomStream(...seed), 50)).not.toEqual(first);
    expect(take(randomStream(1, 12, "a"), 9)).not.toEqual(take(randomStream(11, 2, "a"), 9));
  });

  it("gives numbers from 0 to 1, 1 excluded, evenly spread, with no run of repeats", () => {
    const counts = new Array<number>(20).fill(0);
    const numbers = take(randomStream(3, 1, "", "spread"), 100_000);
    for (const number of numbers) counts[Math.floor(number * 20)]! += 1;
    // 5,000 expected in each; six standard deviations are about 413.
    for (const count of counts) expect(Math.abs(count - 5000)).toBeLessThan(413);
    expect(numbers.every((number) => number >= 0 && number < 1)).toBe(true);
    expect(new Set(numbers).size).toBeGreaterThan(99_900);
  });

  it("has neighbors that do not follow from each other, within a stream and between streams", () => {
    const correlation = (a: number[], b: number[]) => {
      const mean = (list: number[]) => list.reduce((sum, x) => sum + x, 0) / list.length;
      const [meanA, meanB] = [mean(a), mean(b)];
      const of = (f: (i: number) => number) => mean(a.map((_, i) => f(i)));
      const covariance = of((i) => (a[i]! - meanA) * (b[i]! - meanB));
      return covariance / Math.sqrt(of((i) => (a[i]! - meanA) ** 2) * of((i) => (b[i]! - meanB) ** 2));
    };
    const one = take(randomStream(5, 1, "", "a"), 20_000);
    expect(Math.abs(correlation(one.slice(0, -1), one.slice(1)))).toBeLessThan(0.04);
    expect(Math.abs(correlation(one, take(randomStream(5, 2, "a"), 20_000)))).toBeLessThan(0.04);
    const firsts = Array.from({ length: 5000 }, (_, seed) => randomStream(seed, 1, "", "a")());
    expect(Math.abs(correlation(firsts.slice(0, -1), firsts.slice(1)))).toBeLessThan(0.08);
  });

  it("goes on where it was when a phase asks for it twice", async () => {
    const { engine } = memoryEngine();
    const { state } = await engine.start(
      drawing((ctx) => [ctx.random("a")(), ctx.random("b")(), ctx.random("a")(), ctx.random("a")()]),
      null,
      { seed: 9 },
    );
    const [a1, b1, a2, a3] = state.result as number[];
    expect([a1, a2, a3]).toEqual(take(randomStream(9, 1, "", "a"), 3));
    expect(b1).toBe(randomStream(9, 1, "", "b")());
  });

  it("is the same in two runs of one seed, and another in the next visit", async () => {
    const { engine } = memoryEngine();
    const loop = singlePhase((ctx, state) => {
      const list = [...state.list, String(ctx.random("a")())];
      return list.length < 3 ? ctx.end("stagnant", { patch: { list } }) : passed(ctx, { list });
    });
    const draw = async (seed: number) => {
      const { run } = await engine.start(loop, null, { seed });
      await engine.resume(loop, run);
      return (await engine.resume(loop, run)).state.list;
    };
    const first = await draw(4);
    expect(await draw(4)).toEqual(first);
    expect(await draw(5)).not.toEqual(first);
    expect(new Set(first).size).toBe(3);
  });

  it("gives the same numbers again when a visit is run again after a crash", async () => {
    const test = memoryEngine();
    const drawn: number[][] = [];
    const loop = singlePhase(async (ctx) => {
      const before = ctx.random("a")();
      await ctx.effect("e", { input: before, run: () => 0 });
      drawn.push([before, ctx.random("a")(), ctx.random("b")()]);
      await ctx.effect("f", { run: () => 0 });
      return passed(ctx);
    });
    const { engine } = doomed(test, dieAt("effect-started", "after", 2));
    await expect(engine.start(loop, null)).rejects.toThrow(Crash);
    await test.engine.resume(loop, await runOf(test));
    expect(drawn[1]).toEqual(drawn[0]);
  });

  it("differs between runs where no seed is given, and the seed is recorded", async () => {
    const test = memoryEngine();
    const loop = drawing((ctx) => [ctx.random("a")()]);
    const runs = [await test.engine.start(loop, null), await test.engine.start(loop, null)];
    expect(runs[0]!.state.result).not.toEqual(runs[1]!.state.result);
    const { seed } = await test.record(runs[0]!.run);
    expect((await test.engine.start(loop, null, { seed })).state.result).toEqual(runs[0]!.state.result);
  });
});
