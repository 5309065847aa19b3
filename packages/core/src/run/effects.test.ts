import { Crash, dieAt, doomed, type Fate, memoryEngine, runOf, type TestEngine } from "@loopwright/core/testing";
import { describe, expect, it, vi } from "vitest";
import { climb, type NoteContext, passed, singlePhase } from "../../../../test/fakes/loops.ts";
import type { EffectContext } from "../context.ts";
import type { Loop } from "../define.ts";
import {
  ExecutionError,
  FormatError,
  failureClass,
  InfrastructureError,
  LoopwrightError,
  UsageError,
} from "../errors.ts";
import type { Model } from "../ports.ts";
import type { Json } from "../record/json.ts";

/** Starts a run in a process that is killed; gives back its id. */
async function startAndDie<I, S>(test: TestEngine, loop: Loop<I, S>, input: I, fate: Fate): Promise<string> {
  await expect(doomed(test, fate).engine.start(loop as Loop, input)).rejects.toThrow(Crash);
  return runOf(test);
}

/** A loop of one phase. The run ends as done with what the phase gives back. */
const work = (body: (ctx: NoteContext) => Promise<unknown>) =>
  singlePhase(async (ctx) => passed(ctx, { result: ((await body(ctx)) ?? null) as Json }));

describe("L1: an effect", () => {
  it("has its intent in the journal before its body starts, and its result before the phase sees it", async () => {
    const test = memoryEngine();
    const seen: string[][] = [];
    const look = async () => void seen.push(await test.types(await runOf(test)));
    const loop = work(async (ctx) => {
      await look();
      await ctx.effect("a", { run: look });
      await look();
      return null;
    });
    await test.engine.start(loop, null);
    expect(seen).toEqual([
      ["run-started"],
      ["run-started", "effect-started"],
      ["run-started", "effect-started", "effect-finished"],
    ]);
  });

  it("never runs where its intent could not be journaled", async () => {
    const body = vi.fn();
    const test = memoryEngine();
    await startAndDie(
      test,
      work((ctx) => ctx.effect("a", { run: body })),
      null,
      dieAt("effect-started", "before"),
    );
    expect(body).not.toHaveBeenCalled();
  });

  it.each(["before", "after"] as const)("shows no result whose commit broke off, %s it was on disk", async (when) => {
    const after = vi.fn();
    const loop = work(async (ctx) => {
      after(await ctx.effect("a", { run: () => 1 }).catch((error: Error) => error.name));
      return null;
    });
    await startAndDie(memoryEngine(), loop, null, dieAt("effect-finished", when));
    expect(after.mock.calls).toEqual([["Halt"]]);
  });

  it("belongs to a run whose first event came in the commit that made it", async () => {
    const test = memoryEngine();
    const { create } = test.journal;
    const commits: number[] = [];
    test.journal.create = (run, holder, commit) => {
      commits.push(commit.rows.length);
      return create.call(test.journal, run, holder, commit);
    };
    const { run } = await test.engine.start(climb(), { top: 1 });
    expect(commits).toEqual([1]);
    expect((await test.types(run))[0]).toBe("run-started");
    await expect(doomed(test, dieAt("run-started", "before")).engine.start(climb(), { top: 1 })).rejects.toThrow(Crash);
    expect(await test.journal.runs()).toEqual([run]);
  });
});

describe("L2: a recorded effect", () => {
  it("is given back without being made again", async () => {
    const test = memoryEngine();
    const body = vi.fn(() => ({ made: "x".repeat(5000), list: [1, { a: null }], gone: undefined }));
    const got: unknown[] = [];
    const loop = work(async (ctx) => {
      got.push(await ctx.effect("a", { input: { big: "y".repeat(5000) }, run: body }));
      await ctx.effect("b", { run: () => 0 });
      return "end";
    });
    const run = await startAndDie(test, loop, null, dieAt("effect-started", "after", 2));
    expect(await test.engine.resume(loop, run)).toMatchObject({ outcome: "done", state: { result: "end" } });
    expect(body).toHaveBeenCalledOnce();
    expect(got).toHaveLength(2);
    expect(got[1]).toStrictEqual(got[0]);
    expect(Object.isFrozen(got[0])).toBe(true);
  });

  it("gives null where its body gave nothing, the first time and on replay", async () => {
    const test = memoryEngine();
    const got: unknown[] = [];
    const loop = work(async (ctx) => {
      got.push(await ctx.effect("a", { run: () => {} }));
      await ctx.effect("b", { run: () => 0 });
      return null;
    });
    const run = await startAndDie(test, loop, null, dieAt("effect-started", "after", 2));
    await test.engine.resume(loop, run);
    expect(got).toEqual([null, null]);
  });

  const failures: [string, unknown][] = [
    ["E0", new InfrastructureError("GONE", "the worker is gone", { data: { pid: 7 } })],
    ["E1", new ExecutionError("RAISED", "SyntaxError: line 3\nmore", { data: { line: 3, fatal: true } })],
    ["E2", new FormatError("NO_CODE", "no fenced code")],
    ["a usage error", new UsageError("WRONG", "wrong words")],
    ["another error of our own", new LoopwrightError("ODD", "odd")],
    ["a system error", Object.assign(new Error("connect refused"), { code: "ECONNREFUSED" })],
    ["a plain error", new Error("plain")],
    ["a string", "thrown as text"],
    ["a very long message", new ExecutionError("LONG", "x".repeat(100_000))],
    ["a kind of E0 of a module's own", new (class WorkerGone extends InfrastructureError {})("GONE", "gone")],
    ["a kind of E1 of a module's own", new (class TestsRaised extends ExecutionError {})("RAISED", "raised")],
    ["a kind of E2 of a module's own", new (class NoFence extends FormatError {})("NO_FENCE", "no fence")],
  ];
  it.each(failures)("that failed with %s fails the same way on replay, and is not made again", async (_what, error) => {
    const test = memoryEngine();
    const body = vi.fn(() => {
      throw error;
    });
    const got: LoopwrightError[] = [];
    const loop = work(async (ctx) => {
      await ctx.effect("a", { run: body }).catch((caught) => got.push(caught));
      await ctx.effect("b", { run: () => 0 });
      return null;
    });
    const run = await startAndDie(test, loop, null, dieAt("effect-started", "after", 2));
    expect(await test.engine.resume(loop, run)).toMatchObject({ outcome: "done" });
    expect(body).toHaveBeenCalledOnce();
    const [first, replayed] = got.map((e) => ({
      name: e.name,
      code: e.code,
      message: e.message,
      data: e.data,
      class: failureClass(e),
    }));
    expect(replayed).toStrictEqual(first);
    expect(first!.class).toBe(failureClass(error));
    if (error instanceof LoopwrightError) expect(first).toMatchObject({ code: error.code, data: error.data });
    expect(first!.message.length).toBeLessThan(9000);
  });

  it.each([
    ["not plain JSON", { at: new Date() }, "NOT_PLAIN_JSON"],
    ["not a number", Number.NaN, "NOT_PLAIN_JSON"],
    ["too large for the journal", "x".repeat(65 * 1024 * 1024), "VALUE_TOO_LARGE"],
  ])("whose result is %s has failed", async (_what, value, code) => {
    const test = memoryEngine();
    const loop = work((ctx) => ctx.effect("a", { run: () => value as Json }));
    await expect(test.engine.start(loop, null)).rejects.toMatchObject({ code });
    const run = await runOf(test);
    expect((await test.chain(run)).find(({ type }) => type === "effect-failed")).toMatchObject({ error: { code } });
  });
});

describe("L2: an effect in flight when the process died", () => {
  it("runs again with the same key and is told that it may have run", async () => {
    const test = memoryEngine();
    const seen: Pick<EffectContext, "idempotencyKey" | "mayHaveRun" | "tries">[] = [];
    const loop = work((ctx) =>
      ctx.effect("a", {
        run: ({ idempotencyKey, mayHaveRun, tries }) => {
          seen.push({ idempotencyKey, mayHaveRun, tries });
          return seen.length;
        },
      }),
    );
    const run = await startAndDie(test, loop, null, dieAt("effect-finished", "before"));
    expect(await test.engine.resume(loop, run)).toMatchObject({ state: { result: 2 } });
    expect(seen).toEqual([
      { idempotencyKey: seen[0]!.idempotencyKey, mayHaveRun: false, tries: 1 },
      { idempotencyKey: seen[0]!.idempotencyKey, mayHaveRun: true, tries: 2 },
    ]);
    expect(seen[0]!.idempotencyKey).toMatch(/^[0-9a-f]{32}$/);
  });

  it("runs again however often the process dies, with one try more each time", async () => {
    const test = memoryEngine();
    const tries: number[] = [];
    const loop = work((ctx) => ctx.effect("a", { run: (effect) => void tries.push(effect.tries) }));
    const run = await startAndDie(test, loop, null, dieAt("effect-finished", "before"));
    for (let i = 0; i < 3; i++) {
      const { engine } = doomed(test, dieAt("effect-finished", "before"));
      await expect(engine.resume(loop, run)).rejects.toThrow(Crash);
    }
    await test.engine.resume(loop, run);
    expect(tries).toEqual([1, 2, 3, 4, 5]);
  });

  it("has saved nothing that the record names", async () => {
    const test = memoryEngine();
    const loop = work((ctx) =>
      ctx.effect("a", { run: async ({ save, tries }) => void (await save("out.txt", `try ${tries}`)) }),
    );
    const run = await startAndDie(test, loop, null, dieAt("effect-finished", "before"));
    expect(await test.types(run)).not.toContain("artifact-saved");
    await test.engine.resume(loop, run);
    const saved = (await test.chain(run)).filter((event) => event.type === "artifact-saved");
    expect(saved).toHaveLength(1);
    expect(saved[0]!.artifact).toMatchObject({ path: "attempt-000/iterations/iter-001/out.txt", size: 5 });
    expect(Buffer.from(await test.ports.store.get(saved[0]!.artifact.digest)).toString()).toBe("try 2");
  });
});

describe("L2: an aborted effect", () => {
  it("stays in flight: nothing of it is recorded, and a resume makes it again", async () => {
    const test = memoryEngine();
    const stop = new AbortController();
    const aborted: unknown[] = [];
    const loop = work((ctx) =>
      ctx.effect("a", {
        run: async ({ signal, mayHaveRun }) => {
          if (mayHaveRun) return "again";
          stop.abort();
          aborted.push(signal.aborted);
          await new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("aborted"))));
          return "first";
        },
      }),
    );
    // The signal is aborted before the listener is there, so the body never settles by itself.
    expect(await test.engine.start(loop, null, { signal: stop.signal })).toMatchObject({ outcome: "interrupted" });
    const run = await runOf(test);
    expect(aborted).toEqual([true]);
    expect(await test.types(run)).toEqual(["run-started", "effect-started", "run-ended"]);
    expect(await test.engine.resume(loop, run)).toMatchObject({ outcome: "done", state: { result: "again" } });
  });

  it("is not taken for failed where its body throws because it was aborted", async () => {
    const test = memoryEngine();
    const stop = new AbortController();
    const loop = work((ctx) =>
      ctx.effect("a", {
        run: async ({ signal, tries }) => {
          if (tries > 1) return "again";
          setImmediate(() => stop.abort());
          await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
          return "first";
        },
      }),
    );
    const { run, outcome } = await test.engine.start(loop, null, { signal: stop.signal });
    expect(outcome).toBe("interrupted");
    expect(await test.types(run)).not.toContain("effect-failed");
    expect(await test.engine.resume(loop, run)).toMatchObject({ state: { result: "again" } });
  });
});

describe("L2: a visit that ends by throwing", () => {
  it("names the effect, and the next resume makes only that one again, with the same key", async () => {
    const test = memoryEngine();
    const calls: string[] = [];
    let isDown = true;
    const step = (ctx: NoteContext, key: string) =>
      ctx.effect(key, {
        run: ({ idempotencyKey, tries }) => {
          calls.push(`${key} ${tries} ${idempotencyKey}`);
          if (key === "network" && isDown) throw new Error("no network");
          return key;
        },
      });
    const loop = work(async (ctx) => {
      await ctx.effect("caught", { run: () => Promise.reject(new Error("always")) }).catch(() => {});
      return [await step(ctx, "before"), await step(ctx, "network"), await step(ctx, "after")];
    });
    await expect(test.engine.start(loop, null)).rejects.toThrow("no network");
    const run = await runOf(test);
    expect((await test.chain(run)).at(-1)).toMatchObject({ type: "visit-failed", effect: "network" });
    await expect(test.engine.resume(loop, run)).rejects.toThrow("no network");
    isDown = false;
    expect(await test.engine.resume(loop, run)).toMatchObject({ state: { result: ["before", "network", "after"] } });
    const key = calls[1]!.split(" ")[2];
    expect(calls.map((call) => call.split(" ").slice(0, 2).join(" "))).toEqual([
      "before 1",
      "network 1",
      "network 2",
      "network 3",
      "after 1",
    ]);
    expect(calls.filter((call) => call.endsWith(` ${key}`))).toHaveLength(3);
    const started = (await test.chain(run)).filter((event) => event.type === "effect-started");
    expect(started.filter((event) => event.key === "caught")).toHaveLength(1);
  });

  it("does so where the phase wraps the error with its cause", async () => {
    const test = memoryEngine();
    let isDown = true;
    const loop = work(async (ctx) => {
      try {
        return await ctx.effect("network", {
          run: () => {
            if (isDown) throw new Error("no network");
            return "up";
          },
        });
      } catch (cause) {
        throw new Error("the builder could not be asked", { cause });
      }
    });
    await expect(test.engine.start(loop, null)).rejects.toThrow("the builder could not be asked");
    isDown = false;
    expect(await test.engine.resume(loop, await runOf(test))).toMatchObject({ state: { result: "up" } });
  });

  it("does so where the error is its own cause", async () => {
    const test = memoryEngine();
    const error: Error & { cause?: unknown } = new Error("round and round");
    error.cause = error;
    const loop = work(() => Promise.reject(error));
    await expect(test.engine.start(loop, null)).rejects.toThrow("round and round");
    expect((await test.chain(await runOf(test))).at(-1)).toMatchObject({
      type: "visit-failed",
      error: { message: "round and round" },
    });
  });

  it.each([
    ["E0", new InfrastructureError("DOWN", "the endpoint is down")],
    ["E1", new ExecutionError("RAISED", "the work raised")],
    ["E2", new FormatError("PROSE", "only prose")],
  ])("on an %s ends the run as failed, and it can be resumed", async (_class, error) => {
    const test = memoryEngine();
    let isDown = true;
    const loop = work((ctx) =>
      ctx.effect("a", {
        run: () => {
          if (isDown) throw error;
          return "up";
        },
      }),
    );
    const { run, ...result } = await test.engine.start(loop, null);
    expect(result).toMatchObject({ outcome: "failed", reason: error.message, exitCode: 7 });
    isDown = false;
    expect(await test.engine.resume(loop, run)).toMatchObject({ outcome: "done", state: { result: "up" } });
  });

  it("on a fault of the loop's own code names no effect, and recorded effects are not made again", async () => {
    const test = memoryEngine();
    const body = vi.fn(() => 1);
    let isBroken = true;
    const loop = work(async (ctx) => {
      await ctx.effect("a", { run: body });
      if (isBroken) throw new TypeError("a bug");
      return "fixed";
    });
    await expect(test.engine.start(loop, null)).rejects.toThrow("a bug");
    const run = await runOf(test);
    expect((await test.chain(run)).at(-1)).not.toHaveProperty("effect");
    isBroken = false;
    expect(await test.engine.resume(loop, run)).toMatchObject({ state: { result: "fixed" } });
    expect(body).toHaveBeenCalledOnce();
  });

  it("keeps what was used by an effect that failed", async () => {
    const test = memoryEngine();
    const loop = work((ctx) =>
      ctx.effect("a", {
        run: ({ charge }) => {
          charge({ tokens: 10 });
          charge({ tokens: 5, usd: 0.5 });
          throw new Error("after the bill");
        },
      }),
    );
    await expect(test.engine.start(loop, null)).rejects.toThrow();
    expect((await test.record(await runOf(test))).usage).toEqual({ tokens: 15, usd: 0.5 });
  });
});

describe("a call to a model", () => {
  const model: Model = {
    estimate: () => ({ tokens: 1, usd: 0 }),
    call: async ({ prompt }) => ({
      text: `to ${prompt}`,
      model: "m",
      finishReason: "stop",
      usage: { tokens: 3, usd: 0.5 },
    }),
  };
  const asking = work(async (ctx) => {
    const { text } = await ctx.model("builder").call("ask", { prompt: "this" });
    await ctx.effect("then", { run: () => 0 });
    return text;
  });

  it("is an effect: what is asked is its input, the answer its result, and what it used is counted", async () => {
    const test = memoryEngine({ models: () => model });
    const { run, state } = await test.engine.start(asking, null);
    expect(state.result).toBe("to this");
    expect((await test.chain(run)).filter((event) => "key" in event && event.key === "ask")).toMatchObject([
      { type: "effect-started", input: { role: "builder", request: { prompt: "this" } } },
      { type: "effect-finished", result: { text: "to this", model: "m" }, usage: { tokens: 3, usd: 0.5 } },
    ]);
  });

  it("that goes to another model is on record before that one answers, and once", async () => {
    const note = { role: "builder", model: "a:one", by: "b:two", error: "refused" };
    let calls = 0;
    const call: Model["call"] = async (request, options) => {
      await options.tellReplaced?.(note);
      if (++calls === 1) throw new InfrastructureError("MODEL_UNREACHABLE", "nobody answers");
      return model.call(request, options);
    };
    const test = memoryEngine({ models: () => ({ ...model, call }) });
    const { run, outcome } = await test.engine.start(asking, null);
    expect(outcome).toBe("failed");
    await test.engine.resume(asking, run);
    const types = (await test.chain(run)).flatMap((event) =>
      event.type === "loop-noted" ? [event.data] : "key" in event && event.key === "ask" ? [event.type] : [],
    );
    expect(types).toEqual(["effect-started", note, "effect-failed", "effect-started", "effect-finished"]);
  });

  it("gives the model the effect's signal, its key and a way to show progress", async () => {
    const seen: Parameters<Model["call"]>[1][] = [];
    const test = memoryEngine({
      models: () => ({
        ...model,
        call: (request, options) => {
          seen.push(options);
          options.progress("a token");
          return model.call(request, options);
        },
      }),
    });
    await test.engine.start(asking, null);
    expect(seen[0]!.idempotencyKey).toMatch(/^[0-9a-f]{32}$/);
    expect(seen[0]!.signal).toBeInstanceOf(AbortSignal);
    expect(test.events.find(({ type }) => type === "progress")).toMatchObject({ key: "ask", data: "a token" });
  });

  it("L2: that is recorded is given back even where no model is configured any more", async () => {
    const test = memoryEngine();
    const { engine } = doomed(test, dieAt("effect-started", "after", 2), { models: () => model });
    await expect(engine.start(asking, null)).rejects.toThrow(Crash);
    expect(await test.engine.resume(asking, await runOf(test))).toMatchObject({ state: { result: "to this" } });
  });

  it("in a role that has no model fails the run, and says which role it is", async () => {
    expect(await memoryEngine().engine.start(asking, null)).toMatchObject({
      outcome: "failed",
      reason: expect.stringContaining("'builder'"),
    });
  });

  it.each<[string, () => Model]>([
    ["there is no model", () => undefined as never],
    [
      "its estimate throws",
      () => ({
        ...model,
        estimate: () => {
          throw new Error("no tokenizer");
        },
      }),
    ],
  ])("rejects, and does not throw at once, where %s", async (_what, models) => {
    const test = memoryEngine({ models });
    const loop = work(async (ctx) =>
      ctx
        .model("builder")
        .call("ask", { prompt: "" })
        .catch(() => "caught"),
    );
    expect(await test.engine.start(loop, null)).toMatchObject({ state: { result: "caught" } });
  });
});

describe("L8: inside a visit that is half done", () => {
  /** Dies in the second effect of a visit, then goes on with other code. */
  async function resumeWith(then: (ctx: NoteContext) => Promise<Json>): Promise<[TestEngine, Promise<unknown>]> {
    const test = memoryEngine();
    const first = work(async (ctx) => {
      await ctx.effect("a", { input: { n: 1, m: 2 }, run: () => 1 });
      return ctx.effect("b", { run: () => 2 });
    });
    const run = await startAndDie(test, first, null, dieAt("effect-started", "after", 2));
    return [test, test.engine.resume(work(then), run)];
  }

  it("an effect that was recorded with another input is refused", async () => {
    const body = vi.fn(() => 1);
    const [, resumed] = await resumeWith(async (ctx) => ctx.effect("a", { input: { n: 2, m: 2 }, run: body }));
    await expect(resumed).rejects.toMatchObject({ code: "EFFECT_CHANGED", message: expect.stringContaining("'a'") });
    expect(body).not.toHaveBeenCalled();
  });

  it("one that was only in flight is made again with its new input, and the journal says so", async () => {
    const body = vi.fn((effect: EffectContext) => effect.mayHaveRun);
    const [test, resumed] = await resumeWith(async (ctx) => {
      await ctx.effect("a", { input: { n: 1, m: 2 }, run: () => 1 });
      return ctx.effect("b", { input: "new", run: body });
    });
    await expect(resumed).resolves.toMatchObject({ outcome: "done", state: { result: true } });
    const tries = (await test.chain(await runOf(test))).filter(
      (event) => event.type === "effect-started" && event.key === "b",
    );
    expect(tries).toMatchObject([
      { tries: 1, input: null },
      { tries: 2, input: "new", inputChanged: true },
    ]);
    expect(tries[0]).not.toHaveProperty("inputChanged");
  });

  it("one that was in flight has another idempotency key with another input, and the same with the same", async () => {
    const keys: string[] = [];
    const test = memoryEngine();
    const asking = (input: string) =>
      work(async (ctx) =>
        ctx.effect("ask", {
          input,
          run: ({ idempotencyKey }) => {
            keys.push(idempotencyKey);
            if (keys.length < 4) throw new Crash();
            return 0;
          },
        }),
      );
    const run = await startAndDie(test, asking("old"), null, dieAt("effect-started", "after", 1));
    for (const input of ["old", "new", "new"]) {
      const { engine } = doomed(test, dieAt("effect-failed", "before", 1));
      await expect(engine.resume(asking(input), run)).rejects.toThrow();
    }
    await test.engine.resume(asking("new"), run);
    expect(keys).toHaveLength(4);
    expect([keys[0] === keys[1], keys[1] === keys[2], keys[2] === keys[3]]).toEqual([false, true, true]);
  });

  it("the order of the input's keys does not matter", async () => {
    const [, resumed] = await resumeWith(async (ctx) => {
      await ctx.effect("a", { input: { m: 2, n: 1 }, run: () => 1 });
      return ctx.effect("b", { run: () => 2 });
    });
    await expect(resumed).resolves.toMatchObject({ outcome: "done" });
  });

  it("a recorded key that is no longer asked for is refused, and nothing is committed of that visit", async () => {
    const [test, resumed] = await resumeWith(async (ctx) => ctx.effect("b", { run: () => 2 }));
    await expect(resumed).rejects.toMatchObject({ code: "EFFECT_CHANGED", message: expect.stringContaining("'a'") });
    expect(await test.types(await runOf(test))).not.toContain("phase-finished");
  });

  it("a catch around the refused effect does not help", async () => {
    const [test, resumed] = await resumeWith(async (ctx) => {
      await ctx.effect("a", { input: "other", run: () => 1 }).catch(() => {});
      return "swallowed";
    });
    await expect(resumed).rejects.toMatchObject({ code: "EFFECT_CHANGED" });
    expect(await test.types(await runOf(test))).not.toContain("phase-finished");
  });

  it("the code before the change can still finish the visit", async () => {
    const [test, resumed] = await resumeWith(async () => "changed");
    await expect(resumed).rejects.toMatchObject({ code: "EFFECT_CHANGED" });
    const original = work(async (ctx) => {
      await ctx.effect("a", { input: { n: 1, m: 2 }, run: () => 1 });
      return ctx.effect("b", { run: () => 2 });
    });
    expect(await test.engine.resume(original, await runOf(test))).toMatchObject({ outcome: "done" });
  });

  it.each<[string, (ctx: NoteContext) => Promise<unknown>]>([
    ["twice for an effect", (ctx) => ctx.effect("a", { run: () => 2 })],
    ["for a gate too", (ctx) => ctx.ask({ name: "a", question: "?", choices: ["y"], default: "y" })],
    [
      "twice, side by side",
      (ctx) => Promise.all([ctx.effect("c", { run: () => 1 }), ctx.effect("c", { run: () => 2 })]),
    ],
  ])("a key that is used %s is refused", async (_what, again) => {
    const { engine } = memoryEngine();
    const loop = work(async (ctx) => {
      await ctx.effect("a", { run: () => 1 });
      await again(ctx).catch(() => {});
      return null;
    });
    await expect(engine.start(loop, null)).rejects.toMatchObject({ code: "KEY_REUSED" });
  });

  it.each(["constructor", "toString", "__proto__", "hasOwnProperty", "a/b#1 ~2", "", "🙂"])(
    "an effect may be called '%s'",
    async (key) => {
      const test = memoryEngine();
      const body = vi.fn(() => 7);
      const loop = work(async (ctx) => {
        const got = await ctx.effect(key, { input: 1, run: body });
        await ctx.effect("then", { run: () => 0 });
        return got;
      });
      const run = await startAndDie(test, loop, null, dieAt("effect-started", "after", 2));
      expect(await test.engine.resume(loop, run)).toMatchObject({ outcome: "done", state: { result: 7 } });
      expect(body).toHaveBeenCalledOnce();
    },
  );
});

describe("the idempotency key of an effect", () => {
  it("is another one for every key, visit and run, and for a fork", async () => {
    const test = memoryEngine();
    const keys: string[] = [];
    const loop = climb({ onStep: (_iteration, key) => void keys.push(key) });
    const { run } = await test.engine.start(loop, { top: 3 });
    await test.engine.start(loop, { top: 2 });
    await test.engine.resume(loop, await test.engine.fork(run, 1));
    const sides = singlePhase(async (ctx) => {
      const note = ({ idempotencyKey }: EffectContext) => void keys.push(idempotencyKey);
      await ctx.all({ a: (side) => side.effect("k", { run: note }), b: (side) => side.effect("k", { run: note }) });
      await ctx.effect("k", { run: note });
      return passed(ctx);
    });
    await test.engine.start(sides, null);
    expect(keys).toHaveLength(3 + 2 + 3 + 3);
    expect(new Set(keys).size).toBe(keys.length);
  });
});

describe("L7: the clock of a phase", () => {
  it("reads the time of the last result it has seen, never the time it is", async () => {
    const test = memoryEngine();
    const times: number[] = [];
    const loop = work(async (ctx) => {
      const start = ctx.clock.now();
      const look = () => void times.push(ctx.clock.now() - start);
      test.clock.advance(1000);
      look();
      await ctx.effect("a", { run: () => test.clock.advance(500) });
      look();
      test.clock.advance(1000);
      look();
      await ctx.effect("b", { run: () => 0 });
      look();
      return null;
    });
    await test.engine.start(loop, null);
    expect(times).toEqual([0, 1500, 1500, 2500]);
  });

  it("reads the same again when the visit is run again after a crash, from its first line on", async () => {
    const test = memoryEngine();
    const sessions: number[][] = [];
    const loop = work(async (ctx) => {
      const times = [ctx.clock.now()];
      sessions.push(times);
      await ctx.effect("a", { run: () => test.clock.advance(500) });
      times.push(ctx.clock.now());
      await ctx.effect("b", { run: () => test.clock.advance(500) });
      times.push(ctx.clock.now());
      await ctx.effect("c", { run: () => 0 });
      return null;
    });
    const run = await startAndDie(test, loop, null, dieAt("effect-started", "after", 3));
    test.clock.advance(86_400_000);
    await test.engine.resume(loop, run);
    expect(sessions).toHaveLength(2);
    expect(sessions[1]).toEqual(sessions[0]);
  });

  it("can be part of an effect's input: the resumed visit asks for the same effect", async () => {
    const test = memoryEngine();
    const loop = work((ctx) => ctx.effect("a", { input: { asked: ctx.clock.now() }, run: () => "made" }));
    const run = await startAndDie(test, loop, null, dieAt("effect-finished", "before"));
    test.clock.advance(60_000);
    expect(await test.engine.resume(loop, run)).toMatchObject({ outcome: "done", state: { result: "made" } });
  });

  it("does not go backwards when the machine's clock does", async () => {
    const test = memoryEngine();
    const times: number[] = [];
    const loop = work(async (ctx) => {
      times.push(ctx.clock.now());
      await ctx.effect("a", { run: () => test.clock.set(0) });
      times.push(ctx.clock.now());
      return null;
    });
    const { run } = await test.engine.start(loop, null);
    expect(times[1]).toBe(times[0]);
    const stamps = (await test.chain(run)).map(({ at }) => at);
    expect(stamps).toEqual(stamps.toSorted((a, b) => a - b));
  });
});
