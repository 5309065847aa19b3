import { Crash, dieAt, doomed, memoryEngine, runOf } from "@loopwright/core/testing";
import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { RealClock } from "../../../../test/fakes/clock.ts";
import { climb, type NoteContext, passed, singlePhase } from "../../../../test/fakes/loops.ts";
import { defineLoop } from "../define.ts";
import type { Ceilings } from "../record/events.ts";
import { ceilingHit, checkCeilings, defaultCeilings, hitToReason, resolveCeilings } from "./ceilings.ts";

const MINUTE = 60_000;

describe("ceilings that are given", () => {
  const invalid: [string, unknown][] = [
    ["a word", "three"],
    ["a number as text", "3"],
    ["empty text", ""],
    ["a negative number", -1],
    ["NaN", Number.NaN],
    ["infinity", Number.POSITIVE_INFINITY],
    ["null", null],
    ["true", true],
    ["a list", [3]],
    ["an object", {}],
  ];
  it.each(invalid)("are refused where one is %s: it never means no limit", (_what, value) => {
    for (const name of Object.keys(defaultCeilings)) {
      const given = { [name]: value } as Partial<Ceilings>;
      expect(() => checkCeilings(given)).toThrow(expect.objectContaining({ code: "CEILING_INVALID" }));
      expect(() => resolveCeilings({}, given)).toThrow(expect.objectContaining({ code: "CEILING_INVALID" }));
      expect(() => resolveCeilings(given)).toThrow(expect.objectContaining({ code: "CEILING_INVALID" }));
    }
  });

  it.each(["iteration", "max-usd", "toString", "constructor"])("are refused where one is called '%s'", (name) => {
    expect(() => checkCeilings({ [name]: 3 })).toThrow(expect.objectContaining({ code: "CEILING_UNKNOWN" }));
  });

  it.each(invalid)("start no run, change none and raise none where one is %s", async (_what, value) => {
    const test = memoryEngine();
    const ceilings = { iterations: value } as Partial<Ceilings>;
    await expect(test.engine.start(climb(), { top: 1 }, { ceilings })).rejects.toMatchObject({
      code: "CEILING_INVALID",
    });
    expect(await test.journal.runs()).toEqual([]);
    const { run } = await test.engine.start(climb(), { top: 3 }, { ceilings: { iterations: 1 } });
    const before = await test.chain(run);
    await expect(test.engine.resume(climb(), run, { ceilings })).rejects.toMatchObject({ code: "CEILING_INVALID" });
    await expect(test.engine.raise(run, ceilings)).rejects.toMatchObject({ code: "CEILING_INVALID" });
    expect(await test.chain(run)).toEqual(before);
    expect(await test.engine.resume(climb(), run)).toMatchObject({ outcome: "ceiling", advanced: false });
  });
});

describe("the ceilings of a run", () => {
  it("are told to a phase as they stand, raised ones included", async () => {
    const test = memoryEngine();
    const seen: number[] = [];
    const loop = singlePhase((ctx) => {
      seen.push(ctx.ceilings.iterations);
      return ctx.end("stagnant");
    });
    const { run } = await test.engine.start(loop, null, { ceilings: { iterations: 2 } });
    await test.engine.resume(loop, run, { ceilings: { iterations: 7 } });
    expect(seen).toEqual([2, 7]);
  });

  it("are the defaults; a loop's own limit wins where it is lower; one that is given replaces both", () => {
    expect(resolveCeilings()).toEqual(defaultCeilings);
    expect(resolveCeilings({ iterations: 3, usd: 50 })).toEqual({ ...defaultCeilings, iterations: 3 });
    expect(resolveCeilings({ iterations: 3 }, { iterations: 30, usd: 50 })).toEqual({
      ...defaultCeilings,
      iterations: 30,
      usd: 50,
    });
    expect(resolveCeilings({}, { tokens: 0 }).tokens).toBe(0);
  });

  it("are recorded with its first event", async () => {
    const test = memoryEngine();
    const { run } = await test.engine.start(climb({ ceilings: { usd: 1 } }), { top: 1 }, { ceilings: { tokens: 9 } });
    expect((await test.chain(run))[0]).toMatchObject({ ceilings: { ...defaultCeilings, usd: 1, tokens: 9 } });
  });

  it("let what is counted reach its limit, and time not", () => {
    const limits: Ceilings = { iterations: 3, minutes: 3, tokens: 3, usd: 3, phaseMinutes: 3 };
    const low = { iterations: 0, minutes: 0, tokens: 0, usd: 0, phaseMinutes: 0 };
    for (const name of ["iterations", "tokens", "usd"] as const) {
      expect(ceilingHit(limits, { ...low, [name]: 3 })).toBeUndefined();
      expect(ceilingHit(limits, { ...low, [name]: 3.1 })).toEqual({ ceiling: name, limit: 3, used: 3.1 });
    }
    for (const name of ["minutes", "phaseMinutes"] as const) {
      expect(ceilingHit(limits, { ...low, [name]: 2.9 })).toBeUndefined();
      expect(ceilingHit(limits, { ...low, [name]: 3 })).toEqual({ ceiling: name, limit: 3, used: 3 });
    }
  });

  it("say in words which one was reached, and which to raise", () => {
    for (const ceiling of Object.keys(defaultCeilings) as (keyof Ceilings)[])
      expect(hitToReason({ ceiling, limit: 2, used: 2.5 })).toMatch(new RegExp(`2.*raise the ceiling '${ceiling}'`));
  });
});

describe("L5: the ceiling on iterations", () => {
  it("stops a run before the iteration that would be one too many", async () => {
    const test = memoryEngine();
    const steps: number[] = [];
    const loop = climb({ onStep: (iteration) => void steps.push(iteration) });
    const { run, ...result } = await test.engine.start(loop, { top: 10 }, { ceilings: { iterations: 6 } });
    expect(result).toMatchObject({ outcome: "ceiling", exitCode: 3, iterations: 6, state: { height: 6 } });
    expect(result.reason).toBe("all 6 iterations are used; raise the ceiling 'iterations' to go on");
    expect(steps).toEqual([1, 2, 3, 4, 5, 6]);
    expect((await test.chain(run)).slice(-2)).toMatchObject([
      { type: "ceiling-reached", ceiling: "iterations", limit: 6, used: 7 },
      { type: "run-ended", outcome: "ceiling", iterations: 6, next: "step" },
    ]);
  });

  it("holds over 21 resumes: not one iteration, not one effect, not one event more", async () => {
    const test = memoryEngine();
    const steps: number[] = [];
    const loop = climb({ onStep: (iteration) => void steps.push(iteration), ceilings: { iterations: 6 } });
    const { run } = await test.engine.start(loop, { top: 10 });
    const before = await test.journal.read(run);
    for (let i = 0; i < 21; i++) {
      const { engine } = i % 2 === 0 ? test : test.other();
      expect(await engine.resume(loop, run)).toMatchObject({ outcome: "ceiling", iterations: 6, advanced: false });
    }
    expect(await test.journal.read(run)).toEqual(before);
    expect(steps).toHaveLength(6);
  });

  it("holds over resumes that give the same limit again: that is no event either", async () => {
    const test = memoryEngine();
    const { run } = await test.engine.start(climb(), { top: 10 }, { ceilings: { iterations: 3 } });
    const before = await test.journal.read(run);
    for (let i = 0; i < 3; i++) await test.engine.resume(climb(), run, { ceilings: { iterations: 3 } });
    expect(await test.journal.read(run)).toEqual(before);
  });

  it("holds over crashes at every iteration", async () => {
    const test = memoryEngine();
    const steps: number[] = [];
    const loop = climb({ onStep: (iteration) => void steps.push(iteration), ceilings: { iterations: 4 } });
    await expect(doomed(test, dieAt("phase-finished", "after")).engine.start(loop, { top: 10 })).rejects.toThrow(Crash);
    const run = await runOf(test);
    for (let i = 0; i < 6; i++) {
      await expect(doomed(test, dieAt("phase-finished", "after")).engine.resume(loop, run)).rejects.toThrow(Crash);
    }
    expect(await test.engine.resume(loop, run)).toMatchObject({ outcome: "ceiling", iterations: 4 });
    expect(steps).toEqual([1, 2, 3, 4]);
  });

  it.each([
    ["with a resume", true],
    ["by a signal", false],
  ])("can be raised %s, and stops the run again at the new limit", async (_how, resume) => {
    const test = memoryEngine();
    const { run } = await test.engine.start(climb(), { top: 10 }, { ceilings: { iterations: 2 } });
    const ceilings = { iterations: 5 };
    if (!resume) await test.other().engine.raise(run, ceilings);
    expect(await test.engine.resume(climb(), run, resume ? { ceilings } : {})).toMatchObject({
      outcome: "ceiling",
      iterations: 5,
      state: { height: 5 },
      advanced: true,
    });
    expect((await test.chain(run)).find((event) => event.type === "ceilings-changed")).toMatchObject({ ceilings });
    expect(await test.engine.resume(climb(), run, { ceilings: { iterations: 10 } })).toMatchObject({ outcome: "done" });
  });

  it("is raised while the run is under way, at the next phase boundary", async () => {
    const test = memoryEngine();
    const loop = climb({
      onStep: async (iteration) => {
        if (iteration === 2) await test.other().engine.raise(await runOf(test), { iterations: 4 });
      },
    });
    expect(await test.engine.start(loop, { top: 4 }, { ceilings: { iterations: 2 } })).toMatchObject({
      outcome: "done",
      iterations: 4,
    });
  });

  it("stays reached where what was raised is not enough, or is another ceiling", async () => {
    const test = memoryEngine();
    const { run } = await test.engine.start(climb(), { top: 10 }, { ceilings: { iterations: 2 } });
    for (const ceilings of [{ iterations: 2 }, { usd: 100 }, { iterations: 1 }]) {
      expect(await test.engine.resume(climb(), run, { ceilings })).toMatchObject({
        outcome: "ceiling",
        advanced: false,
      });
    }
    expect((await test.record(run)).iterations).toBe(2);
  });

  it.each([
    ["a resume of a stagnant run", { outcome: "stagnant", next: "work" }],
    ["the answer to an escalation", { outcome: "escalated" }],
  ])("is not passed by %s", async (_what, { outcome }) => {
    const test = memoryEngine({ answers: () => ({ choice: "again", by: "flag" }) });
    const work = vi.fn();
    const loop = defineLoop({
      name: "stopping",
      version: 1,
      input: z.null(),
      state: z.object({}),
      initial: () => ({}),
      start: "work",
      iteration: "work",
      ceilings: { iterations: 2 },
      phases: {
        work: {
          to: ["judge"],
          run: (_state, ctx) => {
            work();
            return ctx.to("judge");
          },
        },
        judge: {
          to: ["work"],
          run: (_state, ctx) => {
            const gate = { name: "g", question: "?", choices: { again: "work" }, default: "again" } as const;
            const stop = outcome === "stagnant" ? ctx.end("stagnant", { next: "work" }) : undefined;
            const ask = ctx.end("escalated", { gate });
            return stop ?? ask;
          },
        },
      },
    });
    const { run } = await test.engine.start(loop, null);
    expect(await test.engine.resume(loop, run)).toMatchObject({ outcome, iterations: 2 });
    for (let i = 0; i < 3; i++)
      expect(await test.engine.resume(loop, run)).toMatchObject({ outcome: "ceiling", iterations: 2 });
    expect(work).toHaveBeenCalledTimes(2);
    expect(await test.engine.resume(loop, run, { ceilings: { iterations: 3 } })).toMatchObject({ iterations: 3 });
    expect(work).toHaveBeenCalledTimes(3);
  });
});

describe("L5: the ceilings on tokens and dollars", () => {
  it("stop a run before the next act once they are passed, and are cumulative over resumes", async () => {
    const test = memoryEngine();
    const loop = climb({ usage: { tokens: 10 } });
    const { run, ...result } = await test.engine.start(loop, { top: 10 }, { ceilings: { tokens: 25 } });
    expect(result).toMatchObject({ outcome: "ceiling", state: { height: 3 } });
    expect(await test.engine.resume(loop, run)).toMatchObject({ advanced: false });
    expect(await test.engine.resume(loop, run, { ceilings: { tokens: 45 } })).toMatchObject({ state: { height: 5 } });
    expect((await test.record(run)).usage).toEqual({ tokens: 50, usd: 0 });
  });

  it.each([
    ["tokens", { tokens: 101 }, { tokens: 100 }],
    ["usd", { usd: 0.51 }, { usd: 0.5 }],
  ] as const)(
    "refuse a call that its estimate of %s says is too dear, before it is made",
    async (name, estimate, limit) => {
      const test = memoryEngine();
      const body = vi.fn(() => "made");
      const loop = singlePhase(async (ctx) =>
        passed(ctx, { result: await ctx.effect("dear", { estimate, run: body }) }),
      );
      const { run, ...result } = await test.engine.start(loop, null, { ceilings: limit });
      expect(result).toMatchObject({ outcome: "ceiling" });
      expect(body).not.toHaveBeenCalled();
      expect(await test.types(run)).toEqual(["run-started", "ceiling-reached", "run-ended"]);
      expect(await test.engine.resume(loop, run)).toMatchObject({ outcome: "ceiling", advanced: false });
      expect(await test.engine.resume(loop, run, { ceilings: { [name]: 1000 } })).toMatchObject({
        outcome: "done",
        state: { result: "made" },
      });
    },
  );

  it("let a call be made that would just reach them", async () => {
    const { engine } = memoryEngine();
    const loop = singlePhase(async (ctx) => {
      await ctx.effect("a", { estimate: { usd: 0.5 }, run: ({ charge }) => charge({ usd: 0.5 }) });
      return passed(ctx);
    });
    expect(await engine.start(loop, null, { ceilings: { usd: 0.5 } })).toMatchObject({ outcome: "done" });
  });

  it("refuse a model's call by the model's own estimate, and count what it used", async () => {
    const call = vi.fn(async () => ({
      text: "hi",
      model: "m",
      finishReason: "stop",
      usage: { tokens: 60, usd: 0.25 },
    }));
    const test = memoryEngine({ models: () => ({ estimate: () => ({ tokens: 50, usd: 0 }), call }) });
    const loop = singlePhase(async (ctx) => {
      const first = await ctx.model("builder").call("one", { prompt: "a" });
      const second = await ctx.model("builder").call("two", { prompt: "b" });
      return passed(ctx, { result: [first.text, second.text] });
    });
    const { run, outcome } = await test.engine.start(loop, null, { ceilings: { tokens: 100 } });
    expect(outcome).toBe("ceiling");
    expect(call).toHaveBeenCalledOnce();
    expect((await test.record(run)).usage).toEqual({ tokens: 60, usd: 0.25 });
    expect(await test.engine.resume(loop, run, { ceilings: { tokens: 120 } })).toMatchObject({ outcome: "done" });
    expect(call).toHaveBeenCalledTimes(2);
  });

  it("count calls that are under way side by side by their estimates", async () => {
    const test = memoryEngine();
    const body = vi.fn(async ({ charge }) => {
      await new Promise((resolve) => setImmediate(resolve));
      charge({ tokens: 10 });
    });
    const dear = (side: NoteContext) => side.effect("e", { estimate: { tokens: 10 }, run: body });
    const loop = singlePhase(async (ctx) => {
      await ctx.all({ a: dear, b: dear, c: dear, d: dear });
      return passed(ctx);
    });
    const { run, outcome } = await test.engine.start(loop, null, { ceilings: { tokens: 25 } });
    expect(outcome).toBe("ceiling");
    expect(body.mock.calls.length).toBeLessThanOrEqual(2);
    expect((await test.record(run)).usage.tokens).toBeLessThanOrEqual(25);
  });

  const odd: [string, unknown][] = [
    ["NaN", Number.NaN],
    ["infinity", Number.POSITIVE_INFINITY],
    ["a negative number", -1_000_000],
    ["text", "12"],
    ["null", null],
  ];
  it.each(odd)("still hold after a charge of %s: it is refused, and never means no limit", async (_what, value) => {
    const test = memoryEngine();
    const dear = vi.fn(() => "made");
    const loop = singlePhase(async (ctx) => {
      await ctx.effect("used", { run: ({ charge }) => charge({ tokens: 90, usd: 0.9 }) });
      await ctx
        .effect("odd", { run: ({ charge }) => charge({ tokens: value as number, usd: value as number }) })
        .catch(() => {});
      return passed(ctx, { result: await ctx.effect("dear", { estimate: { tokens: 20 }, run: dear }) });
    });
    const { run, outcome } = await test.engine.start(loop, null, { ceilings: { tokens: 100, usd: 1 } });
    expect(outcome).toBe("ceiling");
    expect(dear).not.toHaveBeenCalled();
    expect((await test.record(run)).usage).toEqual({ tokens: 90, usd: 0.9 });
  });

  it("are counted in numbers that JSON has, however much is charged", async () => {
    const test = memoryEngine();
    const most = { tokens: Number.MAX_VALUE, usd: Number.MAX_VALUE };
    const loop = singlePhase(async (ctx) => {
      for (const key of ["a", "b"]) await ctx.effect(key, { run: ({ charge }) => charge(most) });
      return passed(ctx);
    });
    const { run } = await test.engine.start(loop, null, { ceilings: most });
    expect((await test.record(run)).usage).toEqual(most);
  });

  it.each(odd.slice(0, 4))("are not passed by an estimate of %s: the call is not made", async (_what, value) => {
    const test = memoryEngine();
    const body = vi.fn(() => 0);
    const loop = singlePhase(async (ctx) => {
      await ctx.effect("odd", { estimate: { usd: value as number }, run: body });
      return passed(ctx);
    });
    await expect(test.engine.start(loop, null, { ceilings: { usd: 1 } })).rejects.toMatchObject({
      code: expect.stringMatching(/^[A-Z_]+$/),
    });
    expect(body).not.toHaveBeenCalled();
  });

  it("do not refuse what is recorded already: a replay costs nothing", async () => {
    const test = memoryEngine();
    const loop = singlePhase(async (ctx) => {
      await ctx.effect("a", { estimate: { tokens: 10 }, run: ({ charge }) => charge({ tokens: 10 }) });
      await ctx.effect("b", { run: () => 0 });
      return passed(ctx);
    });
    const { engine } = doomed(test, dieAt("effect-started", "after", 2));
    await expect(engine.start(loop, null, { ceilings: { tokens: 10 } })).rejects.toThrow(Crash);
    expect(await test.engine.resume(loop, await runOf(test))).toMatchObject({ outcome: "done" });
  });
});

describe("L5: the ceilings on time", () => {
  it("stop a run before the next act, and count all its writers together, but no time without one", async () => {
    const test = memoryEngine();
    const stop = { controller: new AbortController() };
    let steps = 0;
    const loop = climb({
      onStep: () => {
        test.clock.advance(MINUTE);
        if (++steps === 2 || steps === 4) stop.controller.abort();
      },
    });
    const start = () => {
      stop.controller = new AbortController();
      test.clock.advance(24 * 60 * MINUTE);
      return { signal: stop.controller.signal };
    };
    const { run, outcome } = await test.engine.start(loop, { top: 20 }, { ...start(), ceilings: { minutes: 5 } });
    expect(outcome).toBe("interrupted");
    expect(await test.engine.resume(loop, run, start())).toMatchObject({ outcome: "interrupted" });
    const last = await test.engine.resume(loop, run, start());
    expect(last).toMatchObject({ outcome: "ceiling" });
    expect(last.reason).toBe("5 of 5 active minutes are used; raise the ceiling 'minutes' to go on");
    expect((await test.record(run)).active).toBe(5 * MINUTE);
    expect(await test.engine.resume(loop, run, start())).toMatchObject({ advanced: false });
  });

  it("do not count the time at a gate", async () => {
    const test = memoryEngine();
    const loop = singlePhase(async (ctx) => {
      await ctx.ask({ name: "g", question: "?", choices: ["yes"], default: "yes" });
      await ctx.effect("e", { run: () => test.clock.advance(MINUTE) });
      return passed(ctx);
    });
    const { run } = await test.engine.start(loop, null, { ceilings: { minutes: 2 } });
    test.clock.advance(600 * MINUTE);
    await test.engine.answer(run, "yes");
    expect(await test.engine.resume(loop, run)).toMatchObject({ outcome: "done" });
  });

  it("count the time that a killed process was known to be active", async () => {
    const test = memoryEngine();
    const loop = climb({ onStep: () => test.clock.advance(MINUTE) });
    const { engine } = doomed(test, dieAt("effect-started", "after", 3));
    await expect(engine.start(loop, { top: 9 }, { ceilings: { minutes: 4 } })).rejects.toThrow(Crash);
    test.clock.advance(1000 * MINUTE);
    const result = await test.engine.resume(loop, await runOf(test));
    expect(result).toMatchObject({ outcome: "ceiling", state: { height: 4 } });
  });

  it("hold for one visit to one phase, and begin anew with the next", async () => {
    const test = memoryEngine();
    const brisk = climb({ onStep: () => test.clock.advance(2 * MINUTE) });
    const ceilings = { phaseMinutes: 3 };
    expect(await test.engine.start(brisk, { top: 9 }, { ceilings })).toMatchObject({ outcome: "done", iterations: 9 });
    const long = singlePhase(async (ctx) => {
      for (let i = 0; i < 9; i++) await ctx.effect(`${i}`, { run: () => test.clock.advance(MINUTE) });
      return passed(ctx);
    });
    const stopped = await test.engine.start(long, null, { ceilings });
    expect(stopped.reason).toBe("one phase has run for 3 of 3 minutes; raise the ceiling 'phaseMinutes' to go on");
    expect((await test.types(stopped.run)).filter((type) => type === "effect-finished")).toHaveLength(3);
    expect(await test.engine.resume(long, stopped.run)).toMatchObject({ outcome: "ceiling", advanced: false });
    const on = await test.engine.resume(long, stopped.run, { ceilings: { phaseMinutes: 20 } });
    expect(on).toMatchObject({ outcome: "done" });
  });

  it("abort an effect that outlasts them; it stays in flight and is made again after a raise", async () => {
    const test = memoryEngine({ clock: new RealClock() });
    const loop = singlePhase(async (ctx) => {
      const result = await ctx.effect("hangs", {
        run: ({ signal, tries }) =>
          tries > 1
            ? "made"
            : new Promise<string>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
      });
      return passed(ctx, { result });
    });
    const { run, outcome } = await test.engine.start(loop, null, { ceilings: { minutes: 0.001 } });
    expect(outcome).toBe("ceiling");
    expect(await test.types(run)).toEqual(["run-started", "effect-started", "ceiling-reached", "run-ended"]);
    expect(await test.engine.resume(loop, run, { ceilings: { minutes: 1 } })).toMatchObject({
      state: { result: "made" },
    });
  });
});

describe("L5: ceilings and child runs", () => {
  const spending = (steps: number, name = "spending") =>
    singlePhase(
      async (ctx) => {
        for (let i = 0; i < steps; i++) {
          await ctx.effect(`${i}`, { estimate: { tokens: 10 }, run: ({ charge }) => charge({ tokens: 10 }) });
        }
        return passed(ctx, { result: steps });
      },
      { name },
    );
  const parent = (child: ReturnType<typeof spending>, name = "parent") =>
    singlePhase(
      async (ctx) => {
        const { outcome, state } = await ctx.spawn("child", child, null);
        await ctx.effect("own", { estimate: { tokens: 10 }, run: ({ charge }) => charge({ tokens: 10 }) });
        return passed(ctx, { result: [outcome, state.result ?? null] });
      },
      { name },
    );

  it("what a child used counts in its parent, once", async () => {
    const test = memoryEngine();
    const { run } = await test.engine.start(parent(spending(3)), null);
    expect((await test.record(run)).usage).toEqual({ tokens: 40, usd: 0 });
  });

  it("what a child used before a crash is not lost, and not counted twice", async () => {
    const test = memoryEngine();
    const loop = parent(spending(3));
    const { engine } = doomed(test, dieAt("effect-finished", "after", 2));
    await expect(engine.start(loop, null)).rejects.toThrow(Crash);
    const run = await runOf(test);
    expect(await test.engine.resume(loop, run)).toMatchObject({ outcome: "done" });
    expect((await test.record(run)).usage.tokens).toBe(40);
  });

  it("what a child used counts without a gap between its end and the parent's record of it", async () => {
    const test = memoryEngine();
    const { append } = test.journal;
    const ended = Promise.withResolvers<void>();
    const dear = vi.fn(() => 0);
    const spender = singlePhase(
      async (ctx) => {
        await ctx.effect("all of it", { run: ({ charge }) => charge({ tokens: 30 }) });
        return passed(ctx);
      },
      { name: "spender" },
    );
    const loop = singlePhase(async (ctx) => {
      await ctx.all({
        a: (side) => side.spawn("child", spender, null),
        b: async (side) => {
          await ended.promise;
          await side.effect("dear", { estimate: { tokens: 1 }, run: dear });
        },
      });
      return passed(ctx);
    });
    test.journal.append = async (lease, commit) => {
      if (commit.rows.some(({ body }) => body.includes('"effect-finished"') && body.includes('"a/child"'))) {
        ended.resolve();
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      return append.call(test.journal, lease, commit);
    };
    expect(await test.engine.start(loop, null, { ceilings: { tokens: 30 } })).toMatchObject({ outcome: "ceiling" });
    expect(dear).not.toHaveBeenCalled();
  });

  it("a parent's ceiling stops its child before the act, and the child goes on after a raise", async () => {
    const test = memoryEngine();
    const loop = parent(spending(5));
    const { run, ...result } = await test.engine.start(loop, null, { ceilings: { tokens: 30 } });
    expect(result).toMatchObject({ outcome: "ceiling", reason: expect.stringContaining("tokens") });
    const child = await runOf(test, 1);
    expect((await test.record(child)).usage.tokens).toBe(30);
    expect((await test.record(child)).ended?.outcome).toBe("interrupted");
    expect(await test.engine.resume(loop, run)).toMatchObject({ outcome: "ceiling", advanced: false });
    expect(await test.engine.resume(loop, run, { ceilings: { tokens: 60 } })).toMatchObject({
      outcome: "done",
      state: { result: ["done", 5] },
    });
    expect((await test.record(run)).usage.tokens).toBe(60);
  });

  it("so does a grandparent's", async () => {
    const test = memoryEngine();
    const loop = parent(parent(spending(3), "middle") as never, "top");
    const { run, outcome } = await test.engine.start(loop, null, { ceilings: { tokens: 20 } });
    expect(outcome).toBe("ceiling");
    expect(await test.engine.resume(loop, run, { ceilings: { tokens: 60 } })).toMatchObject({
      outcome: "done",
      state: { result: ["done", ["done", 3]] },
    });
    expect((await test.record(run)).usage.tokens).toBe(50);
  });

  it("a parent's ceiling that is reached beside the child stops the child too, and it goes on after a raise", async () => {
    const test = memoryEngine();
    const child = singlePhase(
      async (ctx) => {
        const result = await ctx.effect("slow", {
          run: ({ signal, tries }) =>
            tries > 1
              ? "made"
              : new Promise<string>((_, no) => signal.addEventListener("abort", () => no(signal.reason))),
        });
        return passed(ctx, { result });
      },
      { name: "slow-child" },
    );
    const loop = singlePhase(async (ctx) => {
      const { a } = await ctx.all({
        a: (side) => side.spawn("child", child, null),
        b: async (side) => {
          await new Promise((resolve) => setTimeout(resolve, 20));
          await side.effect("dear", { estimate: { usd: 1 }, run: () => 0 });
        },
      });
      return passed(ctx, { result: [a.outcome, a.state.result ?? null] });
    });
    const { run, outcome } = await test.engine.start(loop, null, { ceilings: { usd: 0.5 } });
    expect(outcome).toBe("ceiling");
    expect(await test.engine.resume(loop, run, { ceilings: { usd: 5 } })).toMatchObject({
      outcome: "done",
      state: { result: ["done", "made"] },
    });
  });

  it("a child's own ceiling ends only the child, and the parent is told", async () => {
    const test = memoryEngine();
    const child = climb({ ceilings: { iterations: 2 } });
    const loop = singlePhase(async (ctx) => {
      const { outcome, iterations, score } = await ctx.spawn("child", child, { top: 4 });
      return passed(ctx, { result: { outcome, iterations, score } });
    });
    expect(await test.engine.start(loop, null)).toMatchObject({
      outcome: "done",
      state: { result: { outcome: "ceiling", iterations: 2, score: 0.5 } },
    });
  });
});
