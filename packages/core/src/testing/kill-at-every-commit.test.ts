import { describe, expect, it } from "vitest";
import { z } from "zod";
import { climb, passed, singlePhase } from "../../../../test/fakes/loops.ts";
import { fakeBench } from "../../../../test/fakes/workcell.ts";
import { defineLoop } from "../define.ts";
import { memoryEngine } from "./engine.ts";
import { killAtEveryCommit } from "./kill-at-every-commit.ts";
import { scriptedModels } from "./scripted-model.ts";

describe("a loop that is killed at every commit", () => {
  it("is crash-tested in a few lines", async () => {
    const { points, end } = await killAtEveryCommit({ loop: climb(), input: { top: 3 } });
    expect(points).toBeGreaterThan(15);
    expect(end).toMatchObject({ outcome: "done", iterations: 3 });
  });

  it("may end in a way that is not final: it is not resumed beyond it", async () => {
    const loop = defineLoop({
      name: "stuck",
      version: 1,
      input: z.null(),
      state: z.object({ rounds: z.number() }),
      initial: () => ({ rounds: 0 }),
      start: "try",
      iteration: "try",
      phases: {
        try: {
          to: ["try"],
          run: ({ rounds }, ctx) =>
            rounds < 2 ? ctx.to("try", { rounds: rounds + 1 }) : ctx.end("stagnant", { reason: "it goes nowhere" }),
        },
      },
    });
    const { end } = await killAtEveryCommit({ loop, input: null });
    expect(end).toMatchObject({ outcome: "stagnant", iterations: 3 });
  });

  it("has its workcells stopped, also those of the killed", async () => {
    const { bench, log } = fakeBench();
    const world = () => ({ ports: { workcells: { bench } } });
    const loop = singlePhase(async (ctx) => {
      await ctx.workcell("bench").effect("a", { run: async () => 0 });
      return passed(ctx);
    });
    await killAtEveryCommit({ loop, input: null, world });
    const count = (word: string) => log.filter((line) => line.startsWith(word)).length;
    expect(count("stop")).toBe(count("start"));
  });

  it("is found out where it counts in memory what it should have recorded", async () => {
    const world = () => ({ made: 0 });
    const cheating = (counter: { made: number }) =>
      singlePhase(async (ctx) => {
        await ctx.effect("a", { run: () => 0 });
        counter.made += 1;
        await ctx.effect("b", { run: () => 0 });
        return passed(ctx, { result: counter.made });
      });
    const shared = { made: 0 };
    await expect(killAtEveryCommit({ loop: cheating(shared), input: null, world })).rejects.toThrow();
  });

  it("is found out where it does again what is on record", async () => {
    const worlds: { sent: string[] }[] = [];
    const world = () => {
      worlds.push({ sent: [] });
      return worlds.at(-1)!;
    };
    const loop = singlePhase(async (ctx) => {
      // Outside any effect: a crash after it sends it twice.
      worlds.at(-1)!.sent.push("mail");
      await ctx.effect("a", { run: () => 0 });
      return passed(ctx);
    });
    const test = killAtEveryCommit({ loop, input: null, world, observe: ({ sent }) => sent.length });
    await expect(test).rejects.toThrow(/killed (before|after) event \d+ \([a-z-]+\): seen is not what it is unkilled/);
  });

  it("compares what the world shows in the end", async () => {
    const loop = singlePhase(async (ctx) => {
      await ctx.effect("write", { run: () => 0 });
      return passed(ctx);
    });
    const { end } = await killAtEveryCommit({
      loop,
      input: null,
      world: () => ({ file: "x" }),
      observe: ({ file }) => file,
    });
    expect(end.seen).toBe("x");
  });

  it("is not compared by what is never the same twice", async () => {
    let now = 0;
    const loop = singlePhase(async (ctx) => passed(ctx, { result: await ctx.effect("now", { run: () => ++now }) }));
    await expect(killAtEveryCommit({ loop, input: null })).rejects.toThrow("killed after event 1");
    await killAtEveryCommit({ loop, input: null, comparable: ({ outcome }) => outcome });
  });

  it("may die all its deaths in one run, and is found out there too", async () => {
    const { points, end } = await killAtEveryCommit({ loop: climb(), input: { top: 3 }, inOneRun: true });
    expect(points).toBeGreaterThan(30);
    expect(end).toMatchObject({ outcome: "done", iterations: 3 });
    let visits = 0;
    const loop = singlePhase(async (ctx) => {
      visits += 1;
      await ctx.effect("a", { run: () => 0 });
      return passed(ctx, { result: visits });
    });
    await expect(killAtEveryCommit({ loop, input: null, inOneRun: true })).rejects.toThrow(/killed \d+ times/);
  });

  it("is found out where a model is asked again for what is on record", async () => {
    const scripted = scriptedModels({ "": ["yes"] });
    const test = memoryEngine({ models: scripted.models });
    const loop = singlePhase(async (ctx) => {
      const { text } = await ctx.model("writer").call("ask", { prompt: "is it good?" });
      return passed(ctx, { result: text });
    });
    await test.engine.start(loop, null);
    const check = await scripted.sentOnce(test);
    check();
    scripted.sent.push(scripted.sent[0]!);
    expect(check).toThrow("it was sent again: is it good?");
  });
});
