import { Crash, dieAt, doomed, memoryEngine, runOf } from "@loopwright/core/testing";
import { describe, expect, it, vi } from "vitest";
import { climb, type NoteContext, passed, singlePhase } from "../../../../test/fakes/loops.ts";
import type { ChildResult } from "../context.ts";
import type { Loop } from "../define.ts";
import { ExecutionError } from "../errors.ts";
import type { Json } from "../record/json.ts";

/** A parent that starts one child and ends as done with the child's outcome and state. */
const parentOf = <I, S>(child: Loop<I, S>, input: I) =>
  singlePhase(
    async (ctx) => {
      const { outcome, state } = (await ctx.spawn("child", child, input as never)) as ChildResult<S>;
      return passed(ctx, { result: { outcome, state } as Json });
    },
    { name: "parent" },
  );

const gate = { name: "g", question: "go on?", choices: ["yes", "no"], default: "no" } as const;
const askingChild = (name = "asking") =>
  singlePhase(async (ctx) => passed(ctx, { result: (await ctx.ask(gate)).choice }), { name });

describe("a child run", () => {
  it("is a run of its own, with an id and a folder under its parent's, and its end is the parent's result", async () => {
    const test = memoryEngine();
    const { run, ...result } = await test.engine.start(parentOf(climb(), { top: 2 }), null);
    expect(result).toMatchObject({
      outcome: "done",
      state: { result: { outcome: "done", state: { height: 2, log: ["at 1", "at 2"] } } },
    });
    const child = await runOf(test, 1);
    expect(child).toBe(`${run}.1-child`);
    expect((await test.chain(child))[0]).toMatchObject({
      type: "run-started",
      loop: "climb",
      parent: { run, key: "child" },
      folder: expect.stringMatching(new RegExp(`^${run}/children/[^/]*child$`)),
    });
    expect((await test.types(child)).at(-1)).toBe("run-ended");
  });

  it("has an id that follows from its parent, the visit and the key, and no two are the same", async () => {
    const test = memoryEngine();
    const keys = ["a", "a b", "a-b", "a/b", "A", "ä", "..", "x".repeat(50)];
    const loop = singlePhase(async (ctx) => {
      for (const key of keys) await ctx.spawn(key, climb(), { top: 1 });
      const side = (scope: NoteContext) => scope.spawn("a", climb(), { top: 1 });
      await ctx.all({ one: side, two: side });
      return passed(ctx);
    });
    const { run } = await test.engine.start(loop, null);
    const children = (await test.journal.runs()).filter((id) => id !== run);
    expect(children).toHaveLength(keys.length + 2);
    for (const id of children) expect(id.slice(run.length)).toMatch(/^\.1-[\w-]+$/);
    const folders = await Promise.all(children.map(async (id) => (await test.record(id)).folder));
    expect(new Set(folders).size).toBe(children.length);
  });

  it("that is one of N parallel tries has the attempt's number as its folder", async () => {
    const test = memoryEngine();
    const loop = singlePhase(async (ctx) => {
      const tries = [1, 2, 3].map((attempt) => [
        `try ${attempt}`,
        (side: NoteContext) => side.spawn("run", climb(), { top: attempt }, { attempt }),
      ]);
      const results = await ctx.all(Object.fromEntries(tries) as Record<string, (c: NoteContext) => Promise<unknown>>);
      return passed(ctx, { result: Object.keys(results).length });
    });
    const { run, state } = await test.engine.start(loop, null);
    expect(state.result).toBe(3);
    const children = (await test.journal.runs()).filter((id) => id !== run);
    const folders = await Promise.all(children.map(async (id) => (await test.record(id)).folder));
    expect(folders.sort()).toEqual([1, 2, 3].map((n) => `${run}/attempt-00${n}`));
  });

  const attempts = (numbers: readonly number[]) =>
    singlePhase(async (ctx) => {
      const tries = numbers.map((attempt, i) => [
        `${i}`,
        (side: NoteContext) => side.spawn("run", climb(), { top: 1 }, { attempt }),
      ]);
      await ctx.all(Object.fromEntries(tries) as Record<string, (c: NoteContext) => Promise<unknown>>);
      return ctx.end("stagnant");
    });

  it("keeps its attempt's number when its process was killed", async () => {
    const test = memoryEngine();
    const loop = attempts([1, 2]);
    await expect(doomed(test, dieAt("run-ended", "after")).engine.start(loop, null)).rejects.toThrow(Crash);
    expect(await test.engine.resume(loop, await runOf(test))).toMatchObject({ outcome: "stagnant" });
  });

  it("that is started again under the same key in a later visit is another run, with another folder", async () => {
    const test = memoryEngine();
    const loop = singlePhase(async (ctx) => {
      await ctx.spawn("child", climb(), { top: 1 });
      return ctx.end("stagnant");
    });
    const { run } = await test.engine.start(loop, null);
    await test.engine.resume(loop, run);
    const children = (await test.journal.runs()).filter((id) => id !== run);
    expect(children).toHaveLength(2);
    const folders = await Promise.all(children.map(async (id) => (await test.record(id)).folder));
    expect(new Set(folders).size).toBe(2);
  });

  it("L2: that has ended is not run again when the parent's process dies before it has seen the end", async () => {
    const test = memoryEngine();
    const onStep = vi.fn();
    const loop = parentOf(climb({ onStep }), { top: 3 });
    const { engine } = doomed(test, dieAt("run-ended", "after"));
    await expect(engine.start(loop, null)).rejects.toThrow(Crash);
    const run = await runOf(test);
    const child = await runOf(test, 1);
    const ended = await test.journal.read(child);
    expect(await test.engine.resume(loop, run)).toMatchObject({ state: { result: { outcome: "done" } } });
    expect(onStep).toHaveBeenCalledTimes(3);
    expect(await test.journal.read(child)).toEqual(ended);
    expect(await test.journal.runs()).toEqual([run, child]);
  });

  it.each(["before", "after"] as const)(
    "is gone on with, where it was, after a crash in the middle of it (%s)",
    async (when) => {
      const test = memoryEngine();
      const steps: number[] = [];
      const loop = parentOf(climb({ onStep: (iteration) => void steps.push(iteration) }), { top: 3 });
      const { engine } = doomed(test, dieAt("phase-finished", when, 3));
      await expect(engine.start(loop, null)).rejects.toThrow(Crash);
      const run = await runOf(test);
      const result = await test.engine.resume(loop, run);
      expect(result).toMatchObject({ outcome: "done", state: { result: { state: { height: 3 } } } });
      expect(steps).toEqual([1, 2, 3]);
      expect(await test.journal.runs()).toHaveLength(2);
    },
  );

  it("is started once, however often its parent's process dies around its start", async () => {
    const test = memoryEngine();
    const loop = parentOf(climb(), { top: 1 });
    await expect(doomed(test, dieAt("effect-started", "after")).engine.start(loop, null)).rejects.toThrow(Crash);
    const run = await runOf(test);
    for (const when of ["before", "after"] as const) {
      const { engine } = doomed(test, dieAt("run-started", when));
      await expect(engine.resume(loop, run)).rejects.toThrow(Crash);
    }
    expect(await test.engine.resume(loop, run)).toMatchObject({ outcome: "done" });
    expect(await test.journal.runs()).toEqual([run, `${run}.1-child`]);
  });

  it("that ended without passing is a result, not an error", async () => {
    const test = memoryEngine();
    const child = singlePhase(async () => Promise.reject(new ExecutionError("BAD", "it raised")), { name: "bad" });
    expect(await test.engine.start(parentOf(child, null), null)).toMatchObject({
      outcome: "done",
      state: { result: { outcome: "failed" } },
    });
  });

  it("that has a bug fails its parent's visit; once fixed, both go on", async () => {
    const test = memoryEngine();
    let isBroken = true;
    const child = singlePhase(
      (ctx) => {
        if (isBroken) throw new TypeError("a bug");
        return passed(ctx, { result: "fixed" });
      },
      { name: "buggy" },
    );
    const loop = parentOf(child, null);
    await expect(test.engine.start(loop, null)).rejects.toThrow("a bug");
    isBroken = false;
    expect(await test.engine.resume(loop, await runOf(test))).toMatchObject({
      outcome: "done",
      state: { result: { outcome: "done", state: { result: "fixed" } } },
    });
  });

  it("is interrupted with its parent, and goes on with it", async () => {
    const test = memoryEngine();
    const stop = new AbortController();
    const steps: number[] = [];
    const child = climb({
      onStep: (iteration) => {
        steps.push(iteration);
        if (steps.length === 2) stop.abort();
      },
    });
    const loop = parentOf(child, { top: 3 });
    const { run, outcome } = await test.engine.start(loop, null, { signal: stop.signal });
    expect(outcome).toBe("interrupted");
    expect((await test.record(await runOf(test, 1))).ended?.outcome).toBe("interrupted");
    expect(await test.engine.resume(loop, run)).toMatchObject({ outcome: "done" });
    expect(steps).toEqual([1, 2, 2, 3]);
  });

  it("L7: draws the same random numbers in two runs of the same input and seed", async () => {
    const test = memoryEngine();
    const child = singlePhase((ctx) => passed(ctx, { result: ctx.random("s")() }), { name: "drawing" });
    const loop = singlePhase(async (ctx) => {
      const { a, b } = await ctx.all({
        a: (side) => side.spawn("child", child, null),
        b: (side) => side.spawn("child", child, null),
      });
      return passed(ctx, { result: [a.state.result!, b.state.result!] });
    });
    const [one, two, other] = [
      await test.engine.start(loop, null, { seed: 7 }),
      await test.engine.start(loop, null, { seed: 7 }),
      await test.engine.start(loop, null, { seed: 8 }),
    ].map(({ state }) => state.result as number[]);
    expect(one![0]).not.toBe(one![1]);
    expect(other).not.toEqual(one);
    expect(two).toEqual(one);
  });
});

describe("a child that waits at a gate", () => {
  it("makes its parent wait; the answer given to the parent goes to the child, and both go on", async () => {
    const test = memoryEngine();
    const loop = parentOf(askingChild(), null);
    const { run, ...waiting } = await test.engine.start(loop, null);
    const child = `${run}.1-child`;
    expect(waiting).toMatchObject({ outcome: "waiting", reason: "go on?", gate: { name: "g", run: child } });
    expect(await test.engine.answer(run, "yes")).toMatchObject({ run: child, counted: true });
    expect(await test.engine.resume(loop, run)).toMatchObject({
      outcome: "done",
      state: { result: { outcome: "done", state: { result: "yes" } } },
    });
    expect(await test.types(child)).toContain("gate-answered");
    expect(await test.types(run)).not.toContain("gate-answered");
  });

  it("is left alone by a resume without an answer: neither run gets an event", async () => {
    const test = memoryEngine();
    const loop = parentOf(askingChild(), null);
    const { run } = await test.engine.start(loop, null);
    const before = [await test.chain(run), await test.chain(`${run}.1-child`)];
    expect(await test.engine.resume(loop, run)).toMatchObject({
      outcome: "waiting",
      advanced: false,
      gate: { name: "g" },
    });
    expect([await test.chain(run), await test.chain(`${run}.1-child`)]).toEqual(before);
  });

  it("can be answered by its own id", async () => {
    const test = memoryEngine();
    const loop = parentOf(askingChild(), null);
    const { run } = await test.engine.start(loop, null);
    await test.engine.answer(`${run}.1-child`, "no");
    expect(await test.engine.resume(loop, run)).toMatchObject({ state: { result: { state: { result: "no" } } } });
  });

  it("is not resumed on its own, and a fork of it is", async () => {
    const test = memoryEngine();
    const child = askingChild();
    const { run } = await test.engine.start(parentOf(child, null), null);
    const own = `${run}.1-child`;
    await expect(test.engine.resume(child, own)).rejects.toThrow(`run ${own} belongs to ${run}; resume that one`);
    const fork = await test.engine.fork(own, 1);
    expect(await test.engine.resume(child, fork)).toMatchObject({ outcome: "waiting" });
  });

  it("is reached through any number of parents", async () => {
    const test = memoryEngine();
    const loop = parentOf(parentOf(askingChild(), null), null);
    const { run, gate: open } = await test.engine.start(loop, null);
    expect(open).toMatchObject({ name: "g", run: `${run}.1-child.1-child` });
    await test.engine.answer(run, "yes");
    expect(await test.engine.resume(loop, run)).toMatchObject({
      outcome: "done",
      state: { result: { state: { result: { state: { result: "yes" } } } } },
    });
  });

  it("may stand beside another one that waits: both are answered through the parent", async () => {
    const test = memoryEngine();
    const loop = singlePhase(async (ctx) => {
      const { a, b } = await ctx.all({
        a: (side) => side.spawn("child", askingChild("one"), null),
        b: (side) => side.spawn("child", askingChild("two"), null),
      });
      return passed(ctx, { result: [a.state.result!, b.state.result!] });
    });
    let { run, outcome } = await test.engine.start(loop, null);
    const asked = new Set<string>();
    for (let i = 0; i < 4 && outcome === "waiting"; i++) {
      asked.add((await test.engine.answer(run, "yes")).run);
      ({ run, outcome } = await test.engine.resume(loop, run));
    }
    expect(outcome).toBe("done");
    expect(asked.size).toBe(2);
  });

  it("lets the effects beside it come to their end first", async () => {
    const test = memoryEngine();
    const body = vi.fn(async () => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      return "made";
    });
    const loop = singlePhase(async (ctx) => {
      const { a, b } = await ctx.all({
        a: (side) => side.spawn("child", askingChild(), null),
        b: (side) => side.effect("slow", { run: body }),
      });
      return passed(ctx, { result: [a.state.result!, b] });
    });
    const { run } = await test.engine.start(loop, null);
    await test.engine.answer(run, "yes");
    expect(await test.engine.resume(loop, run)).toMatchObject({ outcome: "done", state: { result: ["yes", "made"] } });
    expect(body).toHaveBeenCalledOnce();
  });

  it("takes its default where its time is over, through a resume of the parent", async () => {
    const test = memoryEngine();
    const child = singlePhase(
      async (ctx) => passed(ctx, { result: (await ctx.ask({ ...gate, expiresIn: 60 })).choice }),
      { name: "expiring" },
    );
    const loop = parentOf(child, null);
    const { run } = await test.engine.start(loop, null);
    test.clock.set(test.clock.now() + 60_000);
    await expect(test.engine.answer(run, "yes")).rejects.toMatchObject({ code: "GATE_EXPIRED" });
    expect(await test.engine.resume(loop, run)).toMatchObject({ state: { result: { state: { result: "no" } } } });
  });

  it("is answered by a policy at once", async () => {
    const { engine } = memoryEngine({ answers: () => ({ choice: "yes", by: "flag" }) });
    expect(await engine.start(parentOf(askingChild(), null), null)).toMatchObject({ outcome: "done" });
  });

  it("is cancelled with its parent's cancel, or at least no longer waited for", async () => {
    const test = memoryEngine();
    const loop = parentOf(askingChild(), null);
    const { run } = await test.engine.start(loop, null);
    await test.engine.cancel(run);
    expect(await test.engine.resume(loop, run)).toMatchObject({ outcome: "cancelled" });
    await expect(test.engine.answer(run, "yes")).rejects.toMatchObject({ code: "NO_OPEN_GATE" });
  });
});
