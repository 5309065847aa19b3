import { Crash, dieAt, doomed, memoryEngine, runOf } from "@loopwright/core/testing";
import { describe, expect, it, vi } from "vitest";
import { type NoteContext, passed, singlePhase } from "../../../../test/fakes/loops.ts";
import { fail, pass } from "../outcomes.ts";
import type { Verdict } from "../record/events.ts";
import type { Json } from "../record/json.ts";

const work = (body: (ctx: NoteContext) => Promise<unknown>) =>
  singlePhase(async (ctx) => passed(ctx, { result: ((await body(ctx)) ?? null) as Json }));

/** Runs a phase and gives back what it came to. */
async function resultOf(body: (ctx: NoteContext) => Promise<unknown>) {
  const { state } = await memoryEngine().engine.start(work(body), null);
  return state.result;
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("all", () => {
  it("gives the results by key, whatever order they come in", async () => {
    const result = await resultOf((ctx) =>
      ctx.all({
        slow: async () => {
          await turn();
          return "last";
        },
        quick: async () => "first",
        b: (side) => side.effect("e", { run: () => 3 }),
      }),
    );
    expect(result).toEqual({ slow: "last", quick: "first", b: 3 });
    expect(Object.keys(result as object)).toEqual(["slow", "quick", "b"]);
    expect(await resultOf((ctx) => ctx.all({}))).toEqual({});
  });

  it.each([
    [1, 1],
    [3, 3],
    [undefined, 8],
    [100, 8],
  ])("runs at most the limit of bodies side by side: limit %s, %i at once", async (limit, most) => {
    let now = 0;
    let peak = 0;
    const body = (side: NoteContext) =>
      side.effect("e", {
        run: async () => {
          peak = Math.max(peak, ++now);
          await turn();
          await turn();
          now -= 1;
        },
      });
    const bodies = Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`body ${i}`, body]));
    await resultOf((ctx) => ctx.all(bodies, limit === undefined ? {} : { limit }));
    expect(peak).toBe(most);
    expect(now).toBe(0);
  });

  it("starts the bodies in the order of their keys", async () => {
    const started: string[] = [];
    const body = (name: string) => async () => {
      started.push(name);
      await turn();
    };
    await resultOf((ctx) => ctx.all({ c: body("c"), a: body("a"), b: body("b") }, { limit: 2 }));
    expect(started).toEqual(["c", "a", "b"]);
  });

  it("throws the first rejection by key, not by time, after all others have been recorded", async () => {
    const test = memoryEngine();
    const loop = work((ctx) =>
      ctx.all({
        slow: async (side) => {
          await side.effect("e", {
            run: async () => {
              await turn();
              await turn();
              throw new Error("the first by key");
            },
          });
        },
        quick: (side) => side.effect("e", { run: () => Promise.reject(new Error("the first by time")) }),
        good: async (side) => {
          await turn();
          await turn();
          await turn();
          return side.effect("e", { run: () => "recorded" });
        },
      }),
    );
    await expect(test.engine.start(loop, null)).rejects.toThrow("the first by key");
    const chain = await test.chain(await runOf(test));
    expect(
      chain
        .filter((event) => event.type === "effect-failed")
        .map(({ key }) => key)
        .sort(),
    ).toEqual(["quick/e", "slow/e"]);
    expect(chain.find((event) => event.type === "effect-finished")).toMatchObject({
      key: "good/e",
      result: "recorded",
    });
    expect(chain.at(-1)).toMatchObject({ type: "visit-failed", effect: "slow/e" });
  });

  it("L2: makes only the effect again that the visit failed on; the next resume takes the next one", async () => {
    const test = memoryEngine();
    const calls: string[] = [];
    let isDown = true;
    const body = (name: string) => (side: NoteContext) =>
      side.effect("e", {
        run: () => {
          calls.push(name);
          if (isDown && name !== "good") throw new Error(`${name} is down`);
          return name;
        },
      });
    const loop = work((ctx) => ctx.all({ a: body("a"), good: body("good"), b: body("b") }));
    await expect(test.engine.start(loop, null)).rejects.toThrow("a is down");
    isDown = false;
    const run = await runOf(test);
    await expect(test.engine.resume(loop, run)).rejects.toThrow("b is down");
    expect(await test.engine.resume(loop, run)).toMatchObject({ outcome: "done" });
    expect(calls).toEqual(["a", "good", "b", "a", "b"]);
  });

  it("also gives back a rejection that has nothing to do with an effect", async () => {
    const result = resultOf((ctx) => ctx.all({ a: async () => 1, b: () => Promise.reject(new TypeError("a bug")) }));
    await expect(result).rejects.toThrow("a bug");
    const thrown = resultOf((ctx) =>
      ctx.all({
        a: () => {
          throw new RangeError("at once");
        },
      }),
    );
    await expect(thrown).rejects.toThrow("at once");
  });

  it("gives every body keys of its own, nested ones too", async () => {
    const test = memoryEngine();
    const key = (side: NoteContext) => side.effect("e", { run: () => 1 });
    const loop = work(async (ctx) => {
      await key(ctx);
      return ctx.all({
        a: async (side) => {
          await key(side);
          return side.all({ a: key, b: (inner) => inner.all({ c: key }) });
        },
        b: key,
      });
    });
    const { run, state } = await test.engine.start(loop, null);
    expect(state.result).toEqual({ a: { a: 1, b: { c: 1 } }, b: 1 });
    const started = (await test.chain(run)).filter((event) => event.type === "effect-started");
    expect(started.map((event) => event.key).sort()).toEqual(["a/a/e", "a/b/c/e", "a/e", "b/e", "e"]);
  });

  it("L2: replays what was recorded of the bodies and makes only the rest", async () => {
    const test = memoryEngine();
    const bodies = { a: vi.fn(() => "a"), b: vi.fn(() => "b"), c: vi.fn(() => "c") };
    const loop = work((ctx) =>
      ctx.all(
        {
          a: (side) => side.effect("e", { run: bodies.a }),
          b: (side) => side.effect("e", { run: bodies.b }),
          c: (side) => side.effect("e", { run: bodies.c }),
        },
        { limit: 1 },
      ),
    );
    const { engine } = doomed(test, dieAt("effect-finished", "before", 2));
    await expect(engine.start(loop, null)).rejects.toThrow(Crash);
    const { state } = await test.engine.resume(loop, await runOf(test));
    expect(state.result).toEqual({ a: "a", b: "b", c: "c" });
    expect([bodies.a, bodies.b, bodies.c].map((body) => body.mock.calls.length)).toEqual([1, 2, 1]);
  });

  it("L7: leaves the clock at the latest time that a body has seen, and each body with its own until then", async () => {
    const test = memoryEngine();
    const sessions: Record<string, number>[] = [];
    const loop = work(async (ctx) => {
      const start = ctx.clock.now();
      const side = (ms: number) => async (scope: NoteContext) => {
        await scope.effect("e", { run: () => test.clock.advance(ms) });
        return scope.clock.now() - start;
      };
      const { a, b, idle } = await ctx.all(
        { a: side(100), b: side(1000), idle: async (scope) => scope.clock.now() - start },
        { limit: 1 },
      );
      sessions.push({ a, b, idle, after: ctx.clock.now() - start });
      await ctx.effect("then", { run: () => 0 });
      return null;
    });
    const { engine } = doomed(test, dieAt("effect-started", "after", 3));
    await expect(engine.start(loop, null)).rejects.toThrow(Crash);
    expect(sessions).toEqual([{ a: 100, b: 1100, idle: 0, after: 1100 }]);
    test.clock.advance(5000);
    await test.engine.resume(loop, await runOf(test));
    expect(sessions[1]).toEqual(sessions[0]);
  });

  it("L7: records the verdicts of its bodies, the worst last, however quick each was, and tells each note once", async () => {
    const test = memoryEngine();
    const judge = (name: string, turns: number, verdict: Verdict) => async (side: NoteContext) => {
      await side.effect("look", {
        run: async () => {
          for (let i = 0; i < turns; i++) await turn();
        },
      });
      await side.tell(name, null);
      side.verdict(verdict);
    };
    const loop = singlePhase(async (ctx) => {
      await ctx.all({ slow: judge("slow", 6, fail(0.1, "slow says no")), quick: judge("quick", 0, pass(1, "quick")) });
      await ctx.effect("then", { run: () => 0 });
      return ctx.end("stagnant");
    });
    const whole = await test.engine.start(loop, null);
    const { engine } = doomed(test, dieAt("effect-started", "after", 3));
    await expect(engine.start(loop, null)).rejects.toThrow(Crash);
    const killed = await runOf(test, 1);
    await test.engine.resume(loop, killed);
    for (const run of [whole.run, killed]) {
      const chain = await test.chain(run);
      const reasons = chain.flatMap((event) => (event.type === "verdict-recorded" ? [event.verdict.reason] : []));
      expect(reasons).toEqual(["quick", "slow says no"]);
      expect(chain.flatMap((event) => (event.type === "loop-noted" ? [event.name] : []))).toEqual(["quick", "slow"]);
    }
  });

  it("gives every body random streams of its own", async () => {
    const streams = await resultOf(async (ctx) => {
      const draw = async (side: NoteContext) => side.random("s")();
      const { a, b } = await ctx.all({ a: draw, b: draw });
      return [a, b, ctx.random("s")()];
    });
    expect(new Set(streams as number[]).size).toBe(3);
  });
});
