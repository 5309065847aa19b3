// L5: ceilings count what was spent, whatever became of the effect, the child run or the process that spent it.

import { Crash, dieAt, doomed, memoryEngine, runOf, type TestEngine } from "@loopwright/core/testing";
import { describe, expect, it, vi } from "vitest";
import { type NoteContext, passed, singlePhase } from "../../../../test/fakes/loops.ts";
import type { EffectContext } from "../context.ts";
import type { Loop } from "../define.ts";
import type { Json } from "../record/json.ts";

const tokensOf = async (test: TestEngine, run: string) => (await test.record(run)).usage.tokens;
const tick = () => new Promise((resolve) => setImmediate(resolve));
const untilAborted = ({ signal }: EffectContext) =>
  new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));

describe("an effect whose end is not known", () => {
  const estimate = { tokens: 100, usd: 0.5 };
  const dear = (charge = { tokens: 30, usd: 0.1 }) =>
    singlePhase(async (ctx) => {
      await ctx.effect("dear", { estimate, run: (effect) => effect.charge(charge) });
      return passed(ctx);
    });

  it("is charged by its estimate when its process was killed, and its next try by what that used", async () => {
    const test = memoryEngine();
    await expect(doomed(test, dieAt("effect-started", "after")).engine.start(dear(), null)).rejects.toThrow(Crash);
    const run = await runOf(test);
    await test.engine.resume(dear(), run);
    expect((await test.record(run)).usage).toEqual({ tokens: 130, usd: 0.6 });
  });

  it("is charged once for each try that was lost", async () => {
    const test = memoryEngine();
    await expect(doomed(test, dieAt("effect-finished", "before")).engine.start(dear(), null)).rejects.toThrow(Crash);
    const run = await runOf(test);
    for (let i = 0; i < 3; i++)
      await expect(doomed(test, dieAt("effect-finished", "before")).engine.resume(dear(), run)).rejects.toThrow(Crash);
    await test.engine.resume(dear(), run);
    expect(await tokensOf(test, run)).toBe(430);
  });

  it("is charged even where the run is cancelled and never makes it again", async () => {
    const test = memoryEngine();
    await expect(doomed(test, dieAt("effect-started", "after")).engine.start(dear(), null)).rejects.toThrow(Crash);
    const run = await runOf(test);
    await test.engine.cancel(run);
    expect(await test.engine.resume(dear(), run)).toMatchObject({ outcome: "cancelled" });
    expect(await tokensOf(test, run)).toBe(100);
  });

  it("is charged when it was interrupted, before the run is resumed", async () => {
    const test = memoryEngine();
    const stop = new AbortController();
    const loop = singlePhase(async (ctx) => {
      await ctx.effect("hangs", {
        estimate,
        run: (effect) => {
          if (effect.tries > 1) return effect.charge({ tokens: 30 });
          setImmediate(() => stop.abort());
          return untilAborted(effect);
        },
      });
      return passed(ctx);
    });
    const { run, outcome } = await test.engine.start(loop, null, { signal: stop.signal });
    expect(outcome).toBe("interrupted");
    expect((await test.record(run)).usage).toEqual({ tokens: 100, usd: 0.5 });
    await test.engine.resume(loop, run);
    expect(await tokensOf(test, run)).toBe(130);
  });

  it("counts against the ceiling before the next act: a run that is killed again and again comes to an end", async () => {
    const test = memoryEngine();
    const body = vi.fn((effect: EffectContext) => effect.charge({ tokens: 30 }));
    const loop = singlePhase(async (ctx) => {
      await ctx.effect("dear", { estimate, run: body });
      return passed(ctx);
    });
    const die = () => doomed(test, dieAt("effect-finished", "before")).engine;
    await expect(die().start(loop, null, { ceilings: { tokens: 350 } })).rejects.toThrow(Crash);
    const run = await runOf(test);
    for (let i = 0; i < 2; i++) await expect(die().resume(loop, run)).rejects.toThrow(Crash);
    expect(await die().resume(loop, run)).toMatchObject({ outcome: "ceiling" });
    expect(body).toHaveBeenCalledTimes(3);
  });

  it("keeps what it has charged so far: after a kill the rest of its estimate is added, not all of it", async () => {
    const test = memoryEngine();
    const loop = singlePhase(async (ctx) => {
      await ctx.effect("long", {
        estimate,
        run: async (effect) => {
          effect.charge({ tokens: 60 });
          await tick();
          await tick();
          await tick();
        },
      });
      return passed(ctx);
    });
    await expect(doomed(test, dieAt("effect-finished", "before")).engine.start(loop, null)).rejects.toThrow(Crash);
    const run = await runOf(test);
    expect(await tokensOf(test, run)).toBe(60);
    await test.engine.resume(loop, run);
    expect(await tokensOf(test, run)).toBe(160);
  });

  it("keeps what it has charged without any estimate", async () => {
    const test = memoryEngine();
    const stop = new AbortController();
    const loop = singlePhase(async (ctx) => {
      await ctx.effect("agent", {
        run: async (effect) => {
          if (effect.tries > 1) return null;
          effect.charge({ tokens: 500 });
          await tick();
          effect.charge({ tokens: 7 });
          stop.abort();
          return untilAborted(effect);
        },
      });
      return passed(ctx);
    });
    const { run } = await test.engine.start(loop, null, { signal: stop.signal });
    expect(await tokensOf(test, run)).toBe(507);
    await test.engine.resume(loop, run);
    expect(await tokensOf(test, run)).toBe(507);
  });

  it("is not charged twice where it failed and is tried again", async () => {
    const test = memoryEngine();
    let isBroken = true;
    const loop = singlePhase(async (ctx) => {
      await ctx.effect("fails", {
        estimate,
        run: (effect) => {
          effect.charge({ tokens: 30 });
          if (isBroken) throw new TypeError("a bug");
        },
      });
      return passed(ctx);
    });
    await expect(test.engine.start(loop, null)).rejects.toThrow("a bug");
    isBroken = false;
    const run = await runOf(test);
    await test.engine.resume(loop, run);
    expect(await tokensOf(test, run)).toBe(60);
  });

  it("counts with its whole estimate beside others until it is settled", async () => {
    const test = memoryEngine();
    const other = vi.fn();
    const loop = singlePhase(async (ctx) => {
      await ctx.all({
        a: (side) =>
          side.effect("a", {
            estimate: { tokens: 60 },
            run: async (effect) => {
              effect.charge({ tokens: 50 });
              for (let i = 0; i < 5; i++) await tick();
            },
          }),
        b: async (side) => {
          for (let i = 0; i < 3; i++) await tick();
          await side.effect("b", { estimate: { tokens: 40 }, run: other });
        },
      });
      return passed(ctx);
    });
    expect(await test.engine.start(loop, null, { ceilings: { tokens: 100 } })).toMatchObject({ outcome: "done" });
    expect(other).toHaveBeenCalledOnce();
  });
});

describe("another try inside an effect", () => {
  const trying = (tries: number, body: (nth: number, effect: EffectContext) => unknown) =>
    singlePhase(async (ctx) => {
      await ctx.effect("ask", {
        estimate: { tokens: 100 },
        run: async (effect) => {
          for (let nth = 1; nth <= tries; nth++) {
            if (nth > 1) await effect.again();
            await body(nth, effect);
          }
        },
      });
      return passed(ctx);
    });

  it("is checked against the ceiling before it is made, and the one before is charged", async () => {
    const test = memoryEngine();
    const made: number[] = [];
    const loop = trying(4, (nth, effect) => {
      made.push(nth);
      effect.charge({ tokens: 100 });
    });
    const { run, outcome } = await test.engine.start(loop, null, { ceilings: { tokens: 250 } });
    expect(outcome).toBe("ceiling");
    expect(made).toEqual([1, 2]);
    expect(await tokensOf(test, run)).toBe(200);
  });

  it("is charged by the estimate again where the process is killed in it", async () => {
    const test = memoryEngine();
    const loop = trying(2, (nth, effect) => effect.charge({ tokens: nth === 1 ? 100 : 20 }));
    await expect(doomed(test, dieAt("effect-finished", "before")).engine.start(loop, null)).rejects.toThrow(Crash);
    const run = await runOf(test);
    await test.engine.cancel(run);
    await test.engine.resume(loop, run);
    expect(await tokensOf(test, run)).toBe(200);
  });

  it("costs nothing more where the one before has charged nothing", async () => {
    const test = memoryEngine();
    const loop = trying(4, (nth, effect) => nth === 4 && effect.charge({ tokens: 90 }));
    const { run, outcome } = await test.engine.start(loop, null, { ceilings: { tokens: 100 } });
    expect(outcome).toBe("done");
    expect(await tokensOf(test, run)).toBe(90);
  });
});

describe("a child run", () => {
  const spender = (then: (ctx: NoteContext) => unknown = () => {}, name = "spender") =>
    singlePhase(
      async (ctx) => {
        await ctx.effect("spend", { run: (effect) => effect.charge({ tokens: 40 }) });
        await then(ctx);
        return passed(ctx);
      },
      { name },
    );
  const parentOf = (child: Loop<Json, never> | ReturnType<typeof spender>, name = "parent") =>
    singlePhase(
      async (ctx) => {
        const found = await ctx
          .spawn("child", child as ReturnType<typeof spender>, null)
          .catch((error: Error) => error);
        return passed(ctx, { result: found instanceof Error ? found.message : found.outcome });
      },
      { name },
    );

  it("that throws is charged to its parent, which goes on without it", async () => {
    const test = memoryEngine();
    const loop = parentOf(spender(() => Promise.reject(new TypeError("a bug"))));
    const { run, state } = await test.engine.start(loop, null);
    expect(state.result).toBe("a bug");
    expect(await tokensOf(test, run)).toBe(40);
  });

  it("that throws, is fixed and goes on is charged once", async () => {
    const test = memoryEngine();
    let isBroken = true;
    const child = spender(() => {
      if (isBroken) throw new TypeError("a bug");
    });
    const loop = singlePhase(async (ctx) => {
      await ctx.spawn("child", child, null);
      return passed(ctx);
    });
    await expect(test.engine.start(loop, null)).rejects.toThrow("a bug");
    const run = await runOf(test);
    expect(await tokensOf(test, run)).toBe(40);
    isBroken = false;
    await test.engine.resume(loop, run);
    expect(await tokensOf(test, run)).toBe(40);
  });

  it.each([1, 2])("that is interrupted is charged to the runs above it, %i of them, and once", async (depth) => {
    const test = memoryEngine();
    const stop = new AbortController();
    const child = spender(async (ctx) => {
      await ctx.effect("hangs", {
        estimate: { tokens: 100 },
        run: (effect) => {
          if (effect.tries > 1) return effect.charge({ tokens: 5 });
          setImmediate(() => stop.abort());
          return untilAborted(effect);
        },
      });
    });
    const loop = depth === 1 ? parentOf(child) : parentOf(parentOf(child, "middle"));
    const { run, outcome } = await test.engine.start(loop, null, { signal: stop.signal });
    expect(outcome).toBe("interrupted");
    expect(await tokensOf(test, run)).toBe(140);
    expect(await test.engine.resume(loop, run)).toMatchObject({ outcome: "done" });
    expect(await tokensOf(test, run)).toBe(145);
    expect(await tokensOf(test, await runOf(test, 1))).toBe(145);
  });

  it("that waits at a gate is charged while it waits, and once", async () => {
    const test = memoryEngine();
    const gate = { name: "g", question: "go on?", choices: ["yes"], default: "yes" } as const;
    const loop = parentOf(spender((ctx) => ctx.ask(gate)));
    const { run, outcome } = await test.engine.start(loop, null);
    expect(outcome).toBe("waiting");
    expect(await tokensOf(test, run)).toBe(40);
    const before = await test.chain(run);
    await test.engine.resume(loop, run);
    expect(await test.chain(run)).toEqual(before);
    await test.engine.answer(run, "yes");
    expect(await test.engine.resume(loop, run)).toMatchObject({ outcome: "done" });
    expect(await tokensOf(test, run)).toBe(40);
  });

  it.each(["before", "after"] as const)(
    "of a process that was killed is charged though its parent is cancelled (%s its end)",
    async (when) => {
      const test = memoryEngine();
      const loop = parentOf(spender());
      await expect(doomed(test, dieAt("run-ended", when)).engine.start(loop, null)).rejects.toThrow(Crash);
      const run = await runOf(test);
      await test.engine.cancel(run);
      expect(await test.engine.resume(loop, run)).toMatchObject({ outcome: "cancelled" });
      expect(await tokensOf(test, run)).toBe(40);
    },
  );

  it("of a process that was killed counts before its parent makes another act beside it", async () => {
    const test = memoryEngine();
    const beside = vi.fn();
    const killed = Promise.withResolvers<void>();
    const loop = singlePhase(async (ctx) => {
      await ctx.all({
        a: async (side) => {
          await killed.promise;
          await side.effect("dear", { estimate: { tokens: 70 }, run: beside });
        },
        b: async (side) => {
          await side.spawn("child", spender(), null);
        },
      });
      return passed(ctx);
    });
    const { engine } = doomed(test, dieAt("effect-finished", "after"));
    await expect(engine.start(loop, null, { ceilings: { tokens: 100 } })).rejects.toThrow(Crash);
    killed.resolve();
    expect(await test.engine.resume(loop, await runOf(test))).toMatchObject({ outcome: "ceiling" });
    expect(beside).not.toHaveBeenCalled();
  });

  it("that was cancelled with its parent is charged to it", async () => {
    const test = memoryEngine();
    const loop = parentOf(
      spender(async (ctx) => {
        await ctx.effect("hangs", {
          estimate: { tokens: 100 },
          run: async (effect) => {
            await test.engine.cancel(await runOf(test));
            return untilAborted(effect);
          },
        });
      }),
    );
    const { run, outcome } = await test.engine.start(loop, null);
    expect(outcome).toBe("cancelled");
    expect(await tokensOf(test, run)).toBe(140);
  }, 10_000);

  it("never counts twice in its parent, not even for a moment, so that no ceiling is met too early", async () => {
    const test = memoryEngine();
    const loop = singlePhase(async (ctx) => {
      await ctx.spawn("child", spender(), null);
      await ctx.effect("rest", { estimate: { tokens: 60 }, run: () => 0 });
      return passed(ctx);
    });
    expect(await test.engine.start(loop, null, { ceilings: { tokens: 100 } })).toMatchObject({ outcome: "done" });
  });
});

describe("an answer whose usage cannot be read", () => {
  it("is charged by the estimate of its call", async () => {
    const answer = { text: "hi", model: "m", finishReason: "stop", usage: { tokens: Number.NaN, usd: -1 } };
    const estimate = { tokens: 50, usd: 1 };
    const test = memoryEngine({ models: () => ({ estimate: () => estimate, call: async () => answer }) });
    const loop = singlePhase(async (ctx) => {
      await ctx.model("writer").call("ask", { prompt: "a" });
      return passed(ctx);
    });
    await test.engine.start(loop, null).catch(() => {});
    expect((await test.record(await runOf(test))).usage).toEqual(estimate);
  });
});
