import { deadProcess, memoryEngine } from "@loopwright/core/testing";
import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { RealClock } from "../../../../test/fakes/clock.ts";
import { climb, passed, singlePhase } from "../../../../test/fakes/loops.ts";
import { defineLoop } from "../define.ts";
import { InfrastructureError } from "../errors.ts";
import { Engine } from "../journal/control.ts";
import { fail, pass } from "../outcomes.ts";
import { durableEvents, type LoopEvent } from "./events.ts";

describe("the events of a run", () => {
  it("come in order, with all that happened in a small run", async () => {
    const test = memoryEngine();
    const { run } = await test.engine.start(climb(), { top: 2 }, { seed: 3, slug: "A small run!", config: { a: 1 } });
    expect(run).toMatch(/^\d{8}-\d{6}_a-small-run$/);
    const stamp = { run, at: test.clock.now() };
    const durable = { ...stamp, active: 0, seq: expect.any(Number) };
    const step = (visit: number, iteration: number) => [
      { type: "phase-started", phase: "step", visit, iteration, ...stamp },
      {
        type: "effect-started",
        visit,
        key: "climb",
        tries: 1,
        input: { from: iteration - 1 },
        digest: expect.stringMatching(/^[0-9a-f]{64}$/),
        ...durable,
      },
      { type: "effect-finished", visit, key: "climb", result: iteration, ...durable },
      expect.objectContaining({
        type: "phase-finished",
        visit,
        phase: "step",
        patch: { set: { height: iteration }, append: { log: [`at ${iteration}`] } },
        enter: { phase: "judge", visit: visit + 1, iteration },
        ...durable,
      }),
      { type: "phase-started", phase: "judge", visit: visit + 1, iteration, ...stamp },
    ];
    expect(test.events).toEqual([
      expect.objectContaining({
        type: "run-started",
        loop: "climb",
        version: 1,
        phases: ["step", "judge"],
        iterationPhase: "step",
        input: { top: 2 },
        state: { height: 0, log: [] },
        seed: 3,
        config: { a: 1 },
        folder: run,
        attempt: "attempt-000",
        enter: { phase: "step", visit: 1, iteration: 1 },
        ...durable,
      }),
      ...step(1, 1),
      {
        type: "verdict-recorded",
        key: "verdict 1",
        iteration: 1,
        verdict: { verdict: "fail", score: 0.5, findings: [], reason: "only at 1" },
        ...durable,
      },
      expect.objectContaining({
        type: "phase-finished",
        phase: "judge",
        patch: {},
        enter: { phase: "step", visit: 3, iteration: 2 },
      }),
      ...step(3, 2),
      expect.objectContaining({ type: "verdict-recorded", iteration: 2 }),
      expect.objectContaining({
        type: "phase-finished",
        phase: "judge",
        ending: { outcome: "done", reason: "the top is reached" },
      }),
      {
        type: "run-ended",
        outcome: "done",
        reason: "the top is reached",
        iterations: 2,
        score: 1,
        ...durable,
      },
    ]);
  });

  it("are told only once they are in the journal, and the durable ones are all of it", async () => {
    const lengths: number[] = [];
    const test = memoryEngine({
      on: (event) => {
        if ("seq" in event) lengths.push(event.seq);
      },
    });
    const { run } = await test.engine.start(climb(), { top: 3 });
    const rows = await test.journal.read(run);
    expect(lengths).toEqual(rows.map(({ seq }) => seq));
    const told = test.events.filter((event) => "seq" in event).map(({ run: _run, seq: _seq, ...event }) => event);
    expect(told).toEqual(await test.chain(run));
  });

  it("that are transient are told and not kept: the start of a phase, progress", async () => {
    const test = memoryEngine();
    const loop = singlePhase(async (ctx) => {
      await ctx.effect("slow", {
        run: ({ progress }) => {
          progress({ done: 0.5 });
          progress("nearly");
        },
      });
      return passed(ctx);
    });
    const { run } = await test.engine.start(loop, null);
    const transient = test.events.filter((event) => !("seq" in event));
    expect(transient).toEqual([
      { type: "phase-started", phase: "work", visit: 1, iteration: 1, run, at: test.clock.now() },
      { type: "progress", key: "slow", data: { done: 0.5 }, run, at: test.clock.now() },
      { type: "progress", key: "slow", data: "nearly", run, at: test.clock.now() },
    ]);
    const types = await test.types(run);
    expect(types).not.toContain("progress");
    expect(types).not.toContain("phase-started");
  });

  it("of the loop's own are notes with a name and data, recorded at once", async () => {
    const test = memoryEngine();
    const loop = singlePhase(async (ctx) => {
      await ctx.tell("fab-escalated", { code: "GEO_FLOATING", big: "x".repeat(5000) });
      ctx.verdict(fail(0.5, "no"));
      await ctx.tell("second", null);
      return ctx.end("stagnant");
    });
    const { run } = await test.engine.start(loop, null);
    expect(await test.types(run)).toEqual([
      "run-started",
      "loop-noted",
      "loop-noted",
      "verdict-recorded",
      "phase-finished",
      "run-ended",
    ]);
    expect(test.events.find((event) => event.type === "loop-noted")).toMatchObject({
      name: "fab-escalated",
      data: { code: "GEO_FLOATING", big: "x".repeat(5000) },
    });
    expect((await test.journal.read(run)).every(({ body }) => body.length < 2000)).toBe(true);
  });

  it("refuse a note that is not plain JSON", async () => {
    const { engine } = memoryEngine();
    const loop = singlePhase(async (ctx) => {
      await ctx.tell("bad", { at: new Date() } as never);
      return passed(ctx);
    });
    await expect(engine.start(loop, null)).rejects.toMatchObject({ code: "NOT_PLAIN_JSON" });
  });

  it("go on to the others, and the run with them, where a listener throws", async () => {
    const warned: Error[] = [];
    const listener = (warning: Error) => void warned.push(warning);
    process.on("warning", listener);
    try {
      const { ports } = memoryEngine();
      const seen: LoopEvent[] = [];
      const engine = new Engine({
        ...ports,
        on: (event) => {
          seen.push(event);
          if (event.type === "effect-started") throw new Error("a bad listener");
        },
      });
      expect(await engine.start(climb(), { top: 1 })).toMatchObject({ outcome: "done" });
      expect(seen.at(-1)?.type).toBe("run-ended");
      await vi.waitFor(() => expect(warned.map(({ message }) => message).join()).toContain("a bad listener"));
    } finally {
      process.off("warning", listener);
    }
  });

  it("cannot be used to change the run: what a listener does to them stays with it", async () => {
    const test = memoryEngine({
      on: (event) => {
        const meddle = (object: object | undefined, changes: object) => {
          try {
            Object.assign(object ?? {}, changes);
          } catch {
            // Frozen is as good as copied.
          }
        };
        if (event.type === "run-started") meddle(event.ceilings, { iterations: 1 });
        if ("enter" in event) meddle(event.enter, { iteration: 9, phase: "judge" });
        if ("ending" in event) meddle(event.ending, { outcome: "cancelled" });
        if (event.type === "phase-finished") meddle(event.patch.set, { height: 7 });
      },
    });
    const { run, ...result } = await test.engine.start(climb(), { top: 3 });
    expect(result).toMatchObject({ outcome: "done", iterations: 3, state: { height: 3 } });
    const kept = await test.record(run);
    vi.spyOn(test.journal, "fold").mockResolvedValueOnce(undefined);
    expect(await test.record(run)).toStrictEqual(kept);
  });

  it("carry times that never decrease, over resumes, a clock set back, and two processes", async () => {
    const test = memoryEngine();
    const start = test.clock.now();
    const loop = climb({
      ceilings: { iterations: 2 },
      onStep: (iteration) => {
        test.clock.advance(1000);
        if (iteration === 2) test.clock.set(start - 86_400_000);
      },
    });
    const { run } = await test.engine.start(loop, { top: 4 });
    await test.other({ process: deadProcess() }).engine.resume(loop, run, { ceilings: { iterations: 3 } });
    test.clock.set(start + 5000);
    await test.engine.resume(loop, run, { ceilings: { iterations: 9 } });
    const chain = await test.chain(run);
    for (const part of ["at", "active"] as const) {
      const stamps = chain.map((event) => event[part]);
      expect(stamps).toEqual(stamps.toSorted((a, b) => a - b));
    }
    expect(chain.at(-1)).toMatchObject({ type: "run-ended", outcome: "done", active: 4000 });
    expect(chain.at(-1)!.at).toBeGreaterThanOrEqual(start + 5000);
  });

  it("carry the real time where the clock is real", async () => {
    const before = Date.now();
    const test = memoryEngine({ clock: new RealClock() });
    const { run } = await test.engine.start(climb(), { top: 1 });
    for (const { at } of await test.chain(run)) {
      expect(at).toBeGreaterThanOrEqual(before);
      expect(at).toBeLessThanOrEqual(Date.now());
    }
  });

  it("have names of a noun and a verb", async () => {
    const test = memoryEngine();
    await test.engine.start(climb(), { top: 2 });
    for (const { type } of test.events) expect(type).toMatch(/^[a-z]+(-[a-z]+ed)?$/);
  });

  it("belong to the run of their own: a child's are told with its id", async () => {
    const test = memoryEngine();
    const loop = singlePhase(async (ctx) => {
      await ctx.spawn("child", climb(), { top: 1 });
      return passed(ctx);
    });
    const { run } = await test.engine.start(loop, null);
    const ended = test.events.filter((event) => event.type === "run-ended");
    expect(ended.map((event) => event.run)).toEqual([`${run}.1-child`, run]);
  });
});

describe("the schema of an event", () => {
  it("is what the journal has: of a run with a gate, a child, a failure, a note, a file and changed ceilings", async () => {
    const test = memoryEngine({ ceilings: { iterations: 9 } });
    const loop = singlePhase(async (ctx) => {
      await ctx.spawn("child", climb(), { top: 1 });
      await ctx.save("a.txt", "a");
      await ctx.tell("seen", { big: "x".repeat(5_000) });
      await ctx
        .effect("dear", {
          run: () => {
            throw new InfrastructureError("GONE", "nobody answers", { data: { tries: 2 } });
          },
        })
        .catch(() => {});
      await ctx.effect("paid", { run: ({ charge }) => charge({ tokens: 3, usd: 0.1 }) });
      await ctx.ask({ name: "ok", question: "Well?", choices: ["yes"], default: "yes", expiresIn: 60 });
      return passed(ctx);
    });
    const { run } = await test.engine.start(loop, null);
    await test.engine.raise(run, { usd: 7 });
    await test.engine.answer(run, "yes", "go on");
    expect(await test.engine.resume(loop, run)).toMatchObject({ outcome: "done" });
    const seen = new Set<string>();
    for (const { type, at, active, ...event } of (await Promise.all([run, `${run}.1-child`].map(test.chain))).flat()) {
      seen.add(type);
      expect(durableEvents[type].safeParse(event), type).toMatchObject({ success: true });
    }
    expect(seen.size).toBeGreaterThan(11);
  });
});

describe("the id of a run", () => {
  it("is another one for each run of the same second", async () => {
    const { engine } = memoryEngine();
    const runs = await Promise.all([1, 2, 3].map(() => engine.start(climb(), { top: 1 })));
    expect(new Set(runs.map(({ run }) => run)).size).toBe(3);
    expect(new Set(runs.map(({ folder }) => folder)).size).toBe(3);
  });

  it.each([
    ["Größe & Form", "gr-e-form"],
    ["../../etc/passwd", "etc-passwd"],
    ["!!!", "run"],
    ["x".repeat(99), "x".repeat(40)],
  ])("is safe as a file's name whatever the words: '%s'", async (slug, expected) => {
    const { engine } = memoryEngine();
    expect((await engine.start(climb(), { top: 1 }, { slug })).run).toMatch(new RegExp(`_${expected}$`));
  });
});

describe("the files that a phase saves", () => {
  it.each(
    ["../out.txt", "a/../b", "//etc/passwd", "/../out", "/run.json", "/", "", "a//b", ".", "c:\\x", "a\0b", "a\\b"].map(
      (name) => [JSON.stringify(name), name],
    ),
  )("may not be called %s", async (_label, name) => {
    const { engine } = memoryEngine();
    const loop = singlePhase(async (ctx) => {
      await ctx.save(name!, "x");
      return passed(ctx);
    });
    await expect(engine.start(loop, null)).rejects.toMatchObject({ code: "ARTIFACT_NAME" });
  });

  it("are recorded with the end of the phase, in the iteration's folder, and can be read again", async () => {
    const test = memoryEngine();
    const loop = singlePhase(async (ctx) => {
      const text = await ctx.save("notes/a b.txt", "héllo");
      const bytes = await ctx.save("raw.bin", Uint8Array.of(0, 255));
      const back = Buffer.from(await ctx.load(text)).toString();
      return passed(ctx, { result: [back, text.size, bytes.size] });
    });
    const { run, state } = await test.engine.start(loop, null);
    expect(state.result).toEqual(["héllo", 6, 2]);
    const saved = (await test.chain(run)).filter((event) => event.type === "artifact-saved");
    expect(saved.map(({ artifact }) => artifact.path)).toEqual([
      "attempt-000/iterations/iter-001/notes/a b.txt",
      "attempt-000/iterations/iter-001/raw.bin",
    ]);
  });

  it("stand in the folder of the attempt or of the run where that is said", async () => {
    const test = memoryEngine();
    const loop = singlePhase(async (ctx) => {
      await ctx.save("baseline/hull.glb", "x", "run");
      await ctx.save("config.json", "{}", "attempt");
      return passed(ctx);
    });
    const { run } = await test.engine.start(loop, null);
    const saved = (await test.chain(run)).filter((event) => event.type === "artifact-saved");
    expect(saved.map(({ artifact }) => artifact.path)).toEqual(["baseline/hull.glb", "attempt-000/config.json"]);
  });

  it("stand in iter-000 before the first iteration, and in iter-00n in iteration n", async () => {
    const test = memoryEngine();
    const loop = defineLoop({
      name: "two",
      version: 1,
      input: z.null(),
      state: z.object({}),
      initial: () => ({}),
      start: "setup",
      iteration: "build",
      phases: {
        setup: {
          to: ["build"],
          run: async (_, ctx) => {
            await ctx.save("a.txt", "a");
            return ctx.to("build");
          },
        },
        build: {
          to: ["build"],
          run: async (_, ctx) => {
            await ctx.save("a.txt", "a");
            ctx.verdict(pass(1, "it is there"));
            return ctx.iteration < 2 ? ctx.to("build") : ctx.end("done");
          },
        },
      },
    });
    const { run } = await test.engine.start(loop, null);
    const saved = (await test.chain(run)).filter((event) => event.type === "artifact-saved");
    expect(saved.map(({ artifact }) => artifact.path)).toEqual(
      ["iter-000", "iter-001", "iter-002"].map((folder) => `attempt-000/iterations/${folder}/a.txt`),
    );
  });
});
