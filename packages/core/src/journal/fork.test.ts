import { memoryEngine } from "@loopwright/core/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { climb, passed, singlePhase } from "../../../../test/fakes/loops.ts";
import { defineLoop } from "../define.ts";
import { fail } from "../outcomes.ts";
import { loadRun, summarize } from "../record/load.ts";
import { append } from "../record/patch.ts";
import { releaseRuns } from "./release.ts";
import { recordToSummary } from "./run-folder.ts";
import { verifyRun } from "./verify.ts";

type Drawn = { iteration: number; reseeded: boolean; drawn: number };

/** A loop that sets up, then draws and remembers, with values that are too large for a row. */
const drawing = drawingLoop(() => {});

function drawingLoop(see: (drawn: Drawn) => void) {
  return defineLoop({
    name: "drawing",
    version: 1,
    input: z.object({ rounds: z.number() }),
    state: z.object({ drawn: z.array(z.number()), large: z.array(z.string()) }),
    initial: () => ({ drawn: [], large: Array.from({ length: 40 }, (_, i) => `${i} `.repeat(20)) }),
    start: "setup",
    iteration: "draw",
    phases: {
      setup: { to: ["draw"], run: (_state, ctx) => ctx.to("draw") },
      draw: {
        to: ["judge"],
        run: async (_state, ctx) => {
          const text = await ctx.effect("text", { run: () => `${ctx.iteration} `.repeat(900) });
          await ctx.save("text.txt", text);
          const drawn = ctx.random("draw")();
          see({ iteration: ctx.iteration, reseeded: ctx.reseeded, drawn });
          return ctx.to("judge", { drawn: append(drawn), large: append(text) });
        },
      },
      judge: {
        to: ["draw"],
        run: (state, ctx) => {
          if (state.drawn.length >= ctx.input.rounds) return passed(ctx);
          ctx.verdict(fail(0.5, "more"));
          return ctx.to("draw");
        },
      },
    },
  });
}

describe("a fork", () => {
  it("stands at every iteration with the very state that the original had on entering it", async () => {
    const test = memoryEngine();
    const { run } = await test.engine.start(drawing, { rounds: 4 });
    const whole = await loadRun(test.journal, run);
    const drawn = whole.state.drawn as number[];
    const large = whole.state.large as string[];
    for (let iteration = 1; iteration <= 4; iteration++) {
      const fork = await test.engine.fork(run, iteration);
      const { record, state, input } = await loadRun(test.journal, fork);
      expect(state).toEqual({ drawn: drawn.slice(0, iteration - 1), large: large.slice(0, 40 + iteration - 1) });
      expect(input).toEqual({ rounds: 4 });
      expect(record).toMatchObject({ run: fork, iterations: iteration, entry: { phase: "draw", iteration } });
      expect(record.ended).toBeUndefined();
      expect(record.scores).toHaveLength(iteration - 1);
    }
    expect(await test.journal.runs()).toHaveLength(5);
  });

  it("has an id and a folder of its own, the same events up to there, and says where it came from", async () => {
    const test = memoryEngine();
    const { run } = await test.engine.start(drawing, { rounds: 3 });
    const original = await test.journal.read(run);
    const [one, two] = [await test.engine.fork(run, 2), await test.engine.fork(run, 2)];
    expect(new Set([run, one, two]).size).toBe(3);
    for (const fork of [one, two]) {
      const rows = await test.journal.read(fork);
      const bodies = rows.map(({ body }) => body);
      expect(bodies.slice(0, -1)).toEqual(original.slice(0, rows.length - 1).map(({ body }) => body));
      expect(JSON.parse(rows.at(-1)!.body)).toMatchObject({
        type: "run-forked",
        from: run,
        iteration: 2,
        folder: fork,
      });
      expect((await test.record(fork)).folder).toBe(fork);
      expect(await verifyRun(test.journal, test.ports.store, fork)).toMatchObject({ ok: true });
    }
    expect(await test.journal.read(run)).toEqual(original);
  });

  it("has a future of its own; the original is not touched", async () => {
    const test = memoryEngine();
    const { run, state } = await test.engine.start(drawing, { rounds: 3 }, { seed: 1 });
    const original = await test.journal.read(run);
    const fork = await test.engine.fork(run, 2, { seed: 2 });
    const forked = await test.engine.resume(drawing, fork);
    expect(forked).toMatchObject({ run: fork, outcome: "done", iterations: 3 });
    expect(forked.state.drawn[0]).toBe(state.drawn[0]);
    expect(forked.state.drawn[1]).not.toBe(state.drawn[1]);
    expect(await test.journal.read(run)).toEqual(original);
  });

  it("L7: goes the same way as the original where the seed is the same", async () => {
    const test = memoryEngine();
    const { run, state } = await test.engine.start(drawing, { rounds: 4 });
    for (let iteration = 1; iteration <= 4; iteration++) {
      const fork = await test.engine.fork(run, iteration);
      expect((await test.engine.resume(drawing, fork)).state).toEqual(state);
    }
  });

  it("can be forked again, before and after it has gone on", async () => {
    const test = memoryEngine();
    const { run } = await test.engine.start(drawing, { rounds: 4 });
    const first = await test.engine.fork(run, 3);
    const early = await test.engine.fork(first, 2);
    const { state } = await test.engine.resume(drawing, first);
    const late = await test.engine.fork(first, 4);
    expect(new Set([run, first, early, late]).size).toBe(4);
    expect((await test.engine.resume(drawing, early)).state).toEqual(state);
    expect((await test.engine.resume(drawing, late)).state).toEqual(state);
    for (const id of [first, early, late])
      expect(await verifyRun(test.journal, test.ports.store, id)).toMatchObject({ ok: true });
  });

  it("can be made of a run that is stopped: at a gate, at a ceiling, cancelled", async () => {
    const test = memoryEngine();
    const { run } = await test.engine.start(climb(), { top: 5 }, { ceilings: { iterations: 3 } });
    await test.engine.cancel(run);
    expect(await test.engine.resume(climb(), run)).toMatchObject({ outcome: "cancelled" });
    const fork = await test.engine.fork(run, 3);
    expect(await test.engine.resume(climb(), fork)).toMatchObject({ outcome: "ceiling", iterations: 3 });
    expect(await test.engine.resume(climb(), fork, { ceilings: { iterations: 9 } })).toMatchObject({ outcome: "done" });

    const asking = singlePhase(async (ctx) => {
      const { choice } = await ctx.ask({ name: "g", question: "?", choices: ["yes", "no"], default: "no" });
      return passed(ctx, { result: choice });
    });
    const waiting = await test.engine.start(asking, null);
    await test.engine.answer(waiting.run, "yes");
    const other = await test.engine.fork(waiting.run, 1);
    expect(await test.engine.resume(asking, other)).toMatchObject({ outcome: "waiting" });
    await test.engine.answer(other, "no");
    expect(await test.engine.resume(asking, other)).toMatchObject({ state: { result: "no" } });
    expect(await test.engine.resume(asking, waiting.run)).toMatchObject({ state: { result: "yes" } });
  });

  it("can be made at an iteration from before the loop's iterations began at another phase", async () => {
    const test = memoryEngine();
    const { run } = await test.engine.start(climb(), { top: 4 }, { ceilings: { iterations: 2 } });
    const newer = { ...climb(), version: 2, iteration: "judge", migrate: (state: unknown) => state } as never;
    await test.engine.resume(newer, run, { ceilings: { iterations: 9 } });
    const fork = await test.engine.fork(run, 2);
    expect(await test.record(fork)).toMatchObject({ iterations: 2, entry: { phase: "step", iteration: 2 } });
  });

  it("makes every effect of its own future again, under keys of its own", async () => {
    const test = memoryEngine();
    const keys: string[] = [];
    const loop = climb({ onStep: (_iteration, key) => void keys.push(key) });
    const { run } = await test.engine.start(loop, { top: 3 });
    await test.engine.resume(loop, await test.engine.fork(run, 2));
    expect(keys).toHaveLength(5);
    expect(new Set(keys).size).toBe(5);
  });

  it("L5: carries over what its past has used", async () => {
    const test = memoryEngine();
    const loop = climb({ usage: { tokens: 10 } });
    const { run } = await test.engine.start(loop, { top: 4 });
    const fork = await test.engine.fork(run, 3);
    expect((await test.record(fork)).usage.tokens).toBe(20);
    await test.engine.resume(loop, fork);
    expect((await test.record(fork)).usage.tokens).toBe(40);
  });

  it.each([0, 5, -1, 1.5, Number.NaN])("is refused at iteration %d, which the run never entered", async (iteration) => {
    const test = memoryEngine();
    const { run } = await test.engine.start(drawing, { rounds: 4 });
    await expect(test.engine.fork(run, iteration)).rejects.toMatchObject({
      code: "ITERATION_UNKNOWN",
      message: expect.stringContaining("it has had 4"),
    });
    expect(await test.journal.runs()).toEqual([run]);
  });

  it("is refused of a run that does not exist", async () => {
    await expect(memoryEngine().engine.fork("nothing", 1)).rejects.toMatchObject({ code: "RUN_NOT_FOUND" });
  });
});

describe("a fork with another seed", () => {
  it("tells the phase that it begins with, once, and draws other numbers", async () => {
    const seen: Drawn[] = [];
    const watching = drawingLoop((drawn) => seen.push(drawn));
    const test = memoryEngine();
    const { run } = await test.engine.start(watching, { rounds: 3 }, { seed: 1 });
    const [same, other] = [await test.engine.fork(run, 2), await test.engine.fork(run, 2, { seed: 7 })];
    const whole = seen.splice(0);
    await test.engine.resume(watching, same);
    expect(seen.splice(0)).toEqual(whole.slice(1));
    await test.engine.resume(watching, other);
    expect(seen).toMatchObject([
      { iteration: 2, reseeded: true },
      { iteration: 3, reseeded: false },
    ]);
    expect(seen[0]!.drawn).not.toBe(whole[1]!.drawn);
  });
});

describe("a fork of a pruned run", () => {
  it("is refused with the reason, and leaves nothing behind", async () => {
    const test = memoryEngine();
    const { run } = await test.engine.start(drawing, { rounds: 3 });
    await releaseRuns(test.ports, [run]);
    await expect(test.engine.fork(run, 2)).rejects.toMatchObject({
      code: "RUN_PRUNED",
      message: expect.stringMatching(/^run \S+ was pruned, and what it had made before iteration 2 is gone/),
    });
    expect(await test.journal.runs()).toEqual([run]);
  });
});

describe("a fork that has not gone on", () => {
  it("has had the iterations before the one that it stands at, and that one too once it is resumed", async () => {
    const test = memoryEngine();
    const { run } = await test.engine.start(drawing, { rounds: 3 });
    const fork = await test.engine.fork(run, 3);
    const record = await test.record(fork);
    expect(summarize(record).iterations).toBe(2);
    expect(recordToSummary(record)).toMatchObject({ iterations: 2, scores: [{ iteration: 1 }, { iteration: 2 }] });
    await test.engine.resume(drawing, fork);
    expect(summarize(await test.record(fork)).iterations).toBe(3);
  });

  it("says where it was forked from, and no longer once it is resumed", async () => {
    const test = memoryEngine();
    const { run } = await test.engine.start(drawing, { rounds: 3 });
    const fork = await test.engine.fork(run, 2);
    expect((await test.record(fork)).forked).toEqual({ run, iteration: 2 });
    await test.engine.resume(drawing, fork);
    expect((await test.record(fork)).forked).toBeUndefined();
  });
});
