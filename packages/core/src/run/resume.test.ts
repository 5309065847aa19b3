import { Crash, dieAt, doomed, memoryEngine, runOf } from "@loopwright/core/testing";
import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { RealClock } from "../../../../test/fakes/clock.ts";
import { climb, type NoteContext, passed, singlePhase } from "../../../../test/fakes/loops.ts";
import { defineLoop } from "../define.ts";
import { ExecutionError } from "../errors.ts";
import { type Outcome, outcomes, type PhaseOutcome, pass } from "../outcomes.ts";
import type { Journal } from "../ports.ts";
import type { Ending } from "../record/events.ts";

const final = (Object.keys(outcomes) as Outcome[]).filter((outcome) => outcomes[outcome].final);

describe("resuming a run that ended for good", () => {
  it("is what done, declined, superseded and cancelled are", () => {
    expect(final).toEqual(["done", "declined", "superseded", "cancelled"]);
  });

  it.each(["done", "declined", "superseded"] as PhaseOutcome[])(
    "does nothing after %s, and says so",
    async (outcome) => {
      const test = memoryEngine();
      const work = vi.fn();
      const finish = vi.fn();
      const loop = singlePhase(
        (ctx) => {
          work();
          ctx.verdict(pass(1, "fine"));
          return ctx.end(outcome, { reason: "so it is", patch: { result: 1 } });
        },
        { finish },
      );
      const { run, ...first } = await test.engine.start(loop, null);
      const before = await test.journal.read(run);
      for (let i = 0; i < 3; i++) {
        const again = await test.other().engine.resume(loop, run, { ceilings: { iterations: 99 } });
        expect(again).toEqual({ ...first, run, advanced: false });
        expect(again).toMatchObject({ outcome, reason: "so it is", exitCode: outcomes[outcome].exit });
      }
      expect(await test.journal.read(run)).toEqual(before);
      expect([work, finish].map((f) => f.mock.calls.length)).toEqual([1, 1]);
    },
  );

  it("does nothing either where another process ended it in the last moment", async () => {
    const test = memoryEngine();
    const loop = climb();
    const { run } = await test.engine.start(loop, { top: 2 }, { signal: AbortSignal.abort() });
    const { acquire } = test.journal;
    const late: Journal["acquire"] = async (...args) => {
      test.journal.acquire = acquire;
      await test.other().engine.resume(loop, run);
      return acquire.apply(test.journal, args);
    };
    test.journal.acquire = late;
    expect(await test.engine.resume(loop, run)).toMatchObject({ outcome: "done", advanced: false });
    expect((await test.types(run)).at(-1)).toBe("run-ended");
  });

  it("does nothing even with a loop that no longer fits", async () => {
    const test = memoryEngine();
    const { run } = await test.engine.start(climb(), { top: 1 });
    expect(await test.engine.resume({ ...climb(), version: 9 }, run)).toMatchObject({
      outcome: "done",
      advanced: false,
    });
  });

  it("is refused where there is no such run", async () => {
    await expect(memoryEngine().engine.resume(climb(), "nothing")).rejects.toMatchObject({ code: "RUN_NOT_FOUND" });
  });
});

describe("an interrupted run", () => {
  it("stops cleanly, and a resume goes on with the visit it was in", async () => {
    const test = memoryEngine();
    const stop = new AbortController();
    const steps: number[] = [];
    const loop = climb({
      onStep: (iteration) => {
        steps.push(iteration);
        if (steps.length === 2) stop.abort();
      },
    });
    const { run, ...result } = await test.engine.start(loop, { top: 3 }, { signal: stop.signal });
    expect(result).toMatchObject({ outcome: "interrupted", exitCode: 130, iterations: 2, state: { height: 1 } });
    expect(await test.engine.resume(loop, run)).toMatchObject({ outcome: "done", iterations: 3, advanced: true });
    expect(steps).toEqual([1, 2, 2, 3]);
  });

  it("does not even begin where it was interrupted before", async () => {
    const test = memoryEngine();
    const onStep = vi.fn();
    const { run } = await test.engine.start(climb({ onStep }), { top: 1 }, { signal: AbortSignal.abort() });
    expect(onStep).not.toHaveBeenCalled();
    expect(await test.types(run)).toEqual(["run-started", "run-ended"]);
    expect(await test.engine.resume(climb({ onStep }), run)).toMatchObject({ outcome: "done" });
  });

  it("gives the phase and its effects a signal that is aborted", async () => {
    const test = memoryEngine();
    const stop = new AbortController();
    const aborted: boolean[] = [];
    const loop = singlePhase(async (ctx) => {
      await ctx
        .effect("e", {
          run: async ({ signal }) => {
            stop.abort();
            aborted.push(signal.aborted, ctx.signal.aborted);
          },
        })
        .catch(() => {});
      return passed(ctx);
    });
    expect(await test.engine.start(loop, null, { signal: stop.signal })).toMatchObject({ outcome: "interrupted" });
    expect(aborted).toEqual([true, true]);
  });

  it("stops at the kill switch before the next act, and neither starts nor resumes while it is on", async () => {
    let reason: string | undefined;
    const test = memoryEngine({ killSwitch: () => reason });
    const steps: number[] = [];
    const loop = climb({
      onStep: (iteration) => {
        steps.push(iteration);
        if (iteration === 2) reason = "STOP is there";
      },
    });
    const { run, ...result } = await test.engine.start(loop, { top: 5 });
    expect(result).toMatchObject({ outcome: "interrupted", reason: "STOP is there", state: { height: 2 } });
    await expect(test.engine.resume(loop, run)).rejects.toMatchObject({ code: "STOPPED" });
    await expect(test.engine.start(loop, { top: 1 })).rejects.toMatchObject({ code: "STOPPED" });
    reason = undefined;
    expect(await test.engine.resume(loop, run)).toMatchObject({ outcome: "done" });
    expect(steps).toEqual([1, 2, 3, 4, 5]);
  });
});

describe("a run that others want to stop", () => {
  it("pauses at the next phase boundary, and goes on when it is resumed", async () => {
    const test = memoryEngine();
    const steps: number[] = [];
    const loop = climb({
      onStep: async (iteration) => {
        steps.push(iteration);
        if (iteration === 2) await test.other().engine.pause(await runOf(test));
      },
    });
    const { run, ...result } = await test.engine.start(loop, { top: 4 });
    expect(result).toMatchObject({ outcome: "interrupted", reason: "a person paused it", state: { height: 2 } });
    expect(await test.engine.resume(loop, run)).toMatchObject({ outcome: "done" });
    expect(steps).toEqual([1, 2, 3, 4]);
    expect(await test.journal.signals(run)).toEqual([]);
  });

  it("is not paused by an old request once it is resumed", async () => {
    const test = memoryEngine();
    const loop = climb({
      ceilings: { iterations: 2 },
      onStep: async (iteration) => {
        if (iteration === 2) await test.other().engine.pause(await runOf(test));
      },
    });
    // The pause comes first, then the ceiling is lifted: the resume must not stop at the old request again.
    const { run } = await test.engine.start(loop, { top: 3 });
    expect(await test.engine.resume(loop, run, { ceilings: { iterations: 3 } })).toMatchObject({ outcome: "done" });
  });

  it("cannot be paused where it is not running", async () => {
    const test = memoryEngine();
    const { run } = await test.engine.start(climb(), { top: 1 });
    await expect(test.engine.pause(run)).rejects.toMatchObject({ code: "NOT_RUNNING" });
    await expect(test.engine.pause("nothing")).rejects.toMatchObject({ code: "RUN_NOT_FOUND" });
  });

  it("is cancelled at the next phase boundary, for good", async () => {
    const test = memoryEngine();
    const finish = vi.fn();
    const loop = climb({
      finish,
      onStep: async (iteration) => {
        if (iteration === 2) expect(await test.other().engine.cancel(await runOf(test))).toBe(true);
      },
    });
    const { run, ...result } = await test.engine.start(loop, { top: 9 });
    expect(result).toMatchObject({ outcome: "cancelled", exitCode: 130, state: { height: 2 } });
    expect(finish).toHaveBeenCalledOnce();
    expect(await test.engine.resume(loop, run)).toMatchObject({ outcome: "cancelled", advanced: false });
  });

  it("is cancelled in the middle of an effect, within a few seconds", async () => {
    const test = memoryEngine({ clock: new RealClock() });
    const loop = singlePhase(async (ctx) => {
      await ctx.effect("endless", {
        run: async ({ signal }) => {
          await test.other().engine.cancel(await runOf(test));
          await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
        },
      });
      return passed(ctx);
    });
    expect(await test.engine.start(loop, null)).toMatchObject({ outcome: "cancelled" });
  });

  it.each([
    ["waits at a gate", (ctx: NoteContext) => ctx.ask({ name: "g", question: "?", choices: ["y"], default: "y" })],
    ["has failed", () => Promise.reject(new ExecutionError("BAD", "bad"))],
  ])("is cancelled by the next resume where it %s and no process is there", async (_what, stopping) => {
    const test = memoryEngine();
    const work = vi.fn();
    const loop = singlePhase(async (ctx) => {
      work();
      await stopping(ctx);
      return passed(ctx);
    });
    const { run } = await test.engine.start(loop, null);
    expect(await test.engine.cancel(run)).toBe(false);
    expect(await test.engine.resume(loop, run)).toMatchObject({ outcome: "cancelled" });
    expect(work).toHaveBeenCalledOnce();
    expect(await test.engine.resume(loop, run)).toMatchObject({ outcome: "cancelled", advanced: false });
  });

  it("is cancelled by the next resume where its process was killed", async () => {
    const test = memoryEngine();
    const onStep = vi.fn();
    const loop = climb({ onStep });
    await expect(doomed(test, dieAt("effect-started", "after")).engine.start(loop, { top: 3 })).rejects.toThrow(Crash);
    const run = await runOf(test);
    expect(await test.engine.cancel(run)).toBe(false);
    expect(await test.engine.resume(loop, run)).toMatchObject({ outcome: "cancelled" });
    expect(onStep).toHaveBeenCalledTimes(0);
  });
});

describe("the phase that a resume enters", () => {
  const stopping = (outcome: "stagnant" | "failed" | "escalated", next?: "first" | "second") =>
    defineLoop({
      name: "stopping",
      version: 1,
      input: z.null(),
      state: z.object({ visits: z.array(z.string()) }),
      initial: () => ({ visits: [] }),
      start: "first",
      iteration: "first",
      phases: {
        first: { to: ["second"], run: (state, ctx) => ctx.to("second", { visits: [...state.visits, "first"] }) },
        second: {
          to: ["first", "second"],
          run: (state, ctx) => {
            const patch = { visits: [...state.visits, "second"] };
            if (patch.visits.length >= 4) return ctx.end("superseded", { patch });
            const here = ctx.end(outcome, { patch });
            const there = ctx.end(outcome, { patch, next: next as "first" | "second" });
            return next ? there : here;
          },
        },
      },
    });

  it.each(["stagnant", "failed", "escalated"] as const)("is the one that a %s ending recorded", async (outcome) => {
    const test = memoryEngine();
    const loop = stopping(outcome, "first");
    const { run, ...result } = await test.engine.start(loop, null);
    expect(result).toMatchObject({ outcome, iterations: 1, exitCode: outcomes[outcome].exit });
    expect((await test.record(run)).ended).toMatchObject({ outcome, next: "first" });
    expect(await test.engine.resume(loop, run)).toMatchObject({
      outcome: "superseded",
      iterations: 2,
      state: { visits: ["first", "second", "first", "second"] },
    });
  });

  it("is the same phase again, in a new visit, where the ending named none", async () => {
    const test = memoryEngine();
    const loop = stopping("stagnant");
    const { run } = await test.engine.start(loop, null);
    await test.engine.resume(loop, run);
    expect(await test.engine.resume(loop, run)).toMatchObject({
      outcome: "superseded",
      iterations: 1,
      state: { visits: ["first", "second", "second", "second"] },
    });
  });

  it("is kept over crashes between the ending and the resume's first event", async () => {
    const test = memoryEngine();
    const loop = stopping("stagnant", "first");
    await expect(doomed(test, dieAt("run-ended", "before")).engine.start(loop, null)).rejects.toThrow(Crash);
    const run = await runOf(test);
    expect(await test.engine.resume(loop, run)).toMatchObject({ outcome: "stagnant" });
    await expect(doomed(test, dieAt("run-resumed", "before")).engine.resume(loop, run)).rejects.toThrow(Crash);
    await expect(doomed(test, dieAt("run-resumed", "after")).engine.resume(loop, run)).rejects.toThrow(Crash);
    expect(await test.engine.resume(loop, run)).toMatchObject({
      outcome: "superseded",
      state: { visits: ["first", "second", "first", "second"] },
    });
  });
});

describe("finish", () => {
  const all: [string, PhaseOutcome | "ceiling" | "interrupted" | "cancelled"][] = (
    [
      "done",
      "stagnant",
      "escalated",
      "failed",
      "declined",
      "superseded",
      "ceiling",
      "interrupted",
      "cancelled",
    ] as const
  ).map((outcome) => [outcome, outcome]);
  it.each(all)("runs once when a run ends as %s, with the state and the ending", async (_name, outcome) => {
    const test = memoryEngine();
    const seen: [unknown, Ending][] = [];
    const stop = new AbortController();
    const loop = singlePhase(
      async (ctx) => {
        if (outcome === "interrupted") stop.abort();
        if (outcome === "cancelled") await test.engine.cancel(await runOf(test));
        if (outcome === "ceiling" || outcome === "interrupted" || outcome === "cancelled") {
          await ctx.effect("dear", { estimate: { tokens: 10 }, run: () => 0 });
          return ctx.end("stagnant");
        }
        ctx.verdict(pass(1, "fine"));
        return ctx.end(outcome, { reason: "because", patch: { result: "last" } });
      },
      {
        finish: (state, ending) => void seen.push([state, ending]),
        ceilings: { tokens: outcome === "ceiling" ? 5 : 50 },
      },
    );
    const first = await test.engine.start(loop, null, { signal: stop.signal });
    const result = outcome === "cancelled" ? await test.engine.resume(loop, first.run) : first;
    expect(result.outcome).toBe(outcome);
    expect(seen.at(-1)).toEqual([result.state, expect.objectContaining({ outcome, reason: result.reason })]);
    expect(seen).toHaveLength(outcome === "cancelled" ? 2 : 1);
  });

  it("runs again after a crash before the end was written, and once more at each later ending", async () => {
    const test = memoryEngine();
    const finish = vi.fn();
    const loop = climb({ finish, ceilings: { iterations: 1 } });
    await expect(doomed(test, dieAt("run-ended", "before")).engine.start(loop, { top: 2 })).rejects.toThrow(Crash);
    const run = await runOf(test);
    expect(finish).toHaveBeenCalledTimes(1);
    expect(await test.engine.resume(loop, run)).toMatchObject({ outcome: "ceiling" });
    expect(finish).toHaveBeenCalledTimes(2);
    await test.engine.resume(loop, run);
    expect(finish).toHaveBeenCalledTimes(2);
    expect(await test.engine.resume(loop, run, { ceilings: { iterations: 2 } })).toMatchObject({ outcome: "done" });
    expect(finish).toHaveBeenCalledTimes(3);
    expect(finish.mock.calls.map(([, ending]) => ending.outcome)).toEqual(["ceiling", "ceiling", "done"]);
  });

  it("does not run while a run waits at a gate", async () => {
    const finish = vi.fn();
    const loop = singlePhase(
      async (ctx) => {
        await ctx.ask({ name: "g", question: "?", choices: ["y"], default: "y" });
        return passed(ctx);
      },
      { finish },
    );
    expect(await memoryEngine().engine.start(loop, null)).toMatchObject({ outcome: "waiting" });
    expect(finish).not.toHaveBeenCalled();
  });

  it("saves files for the whole attempt, recorded with the end, and reads others", async () => {
    const test = memoryEngine();
    const loop = singlePhase(
      async (ctx) => {
        const artifact = await ctx.save("best.txt", "the best");
        return passed(ctx, { result: { ...artifact } });
      },
      {
        finish: async (state, _ending, { save, load, input, iterations, scores }) => {
          const best = Buffer.from(await load(state.result as never)).toString();
          await save("final.txt", `${best} of ${JSON.stringify({ input, iterations, scores })}`);
        },
      },
    );
    const { run } = await test.engine.start(loop, "in");
    const chain = await test.chain(run);
    const saved = chain.filter((event) => event.type === "artifact-saved").map(({ artifact }) => artifact);
    expect(saved.map(({ path }) => path)).toEqual([
      "attempt-000/iterations/iter-001/best.txt",
      "attempt-000/final.txt",
    ]);
    expect(Buffer.from(await test.ports.store.get(saved[1]!.digest)).toString()).toBe(
      'the best of {"input":"in","iterations":1,"scores":[{"iteration":1,"score":1}]}',
    );
    expect(chain.slice(-2).map(({ type }) => type)).toEqual(["artifact-saved", "run-ended"]);
  });

  it("that throws leaves the ending open: the error is said, and a resume finishes", async () => {
    const test = memoryEngine();
    let isBroken = true;
    const loop = climb({
      finish: () => {
        if (isBroken) throw new Error("no disk");
      },
    });
    await expect(test.engine.start(loop, { top: 1 })).rejects.toThrow("no disk");
    const run = await runOf(test);
    expect(await test.types(run)).not.toContain("run-ended");
    isBroken = false;
    expect(await test.engine.resume(loop, run)).toMatchObject({ outcome: "done", iterations: 1 });
  });
});

describe("L4: a run has one writer", () => {
  it("is refused to a second engine while the first one drives it", async () => {
    const test = memoryEngine();
    let refused: unknown;
    const loop: ReturnType<typeof climb> = climb({
      onStep: async () => {
        refused = await test
          .other()
          .engine.resume(loop, await runOf(test))
          .catch((error) => error);
      },
    });
    expect(await test.engine.start(loop, { top: 1 })).toMatchObject({ outcome: "done" });
    expect(refused).toMatchObject({ code: "LEASE_HELD" });
  });

  it("goes to the first of two resumes in one process; the second is told that it is held", async () => {
    const test = memoryEngine();
    const loop = climb();
    const { run } = await test.engine.start(loop, { top: 2 }, { signal: AbortSignal.abort() });
    const { acquire } = test.journal;
    let second: unknown;
    test.journal.acquire = async (...args) => {
      test.journal.acquire = acquire;
      const lease = await acquire.apply(test.journal, args);
      second = await test
        .other()
        .engine.resume(loop, run)
        .catch((error) => error);
      return lease;
    };
    expect(await test.engine.resume(loop, run)).toMatchObject({ outcome: "done" });
    expect(second).toMatchObject({ code: "LEASE_HELD" });
  });

  it("can be taken from the first, whose next commit is refused", async () => {
    const test = memoryEngine();
    const taking = climb();
    let taken: unknown;
    const loop = climb({
      onStep: async () => {
        taken = await test.other().engine.resume(taking, await runOf(test), { take: true });
      },
    });
    await expect(test.engine.start(loop, { top: 2 })).rejects.toMatchObject({ code: "LEASE_LOST" });
    expect(taken).toMatchObject({ outcome: "done" });
    expect((await test.types(await runOf(test))).filter((type) => type === "run-ended")).toHaveLength(1);
  });

  it("is given back after a fault, so that the same process can go on once it is fixed", async () => {
    const test = memoryEngine();
    const { append } = test.journal;
    let isFull = false;
    test.journal.append = async (lease, commit) => {
      if (isFull) throw new Error("the disk is full");
      return append.call(test.journal, lease, commit);
    };
    const loop = climb({
      onStep: (iteration) => {
        isFull = iteration === 2;
      },
    });
    await expect(test.engine.start(loop, { top: 2 })).rejects.toThrow("the disk is full");
    isFull = false;
    const fixed = climb();
    expect(await test.engine.resume(fixed, await runOf(test))).toMatchObject({ outcome: "done", iterations: 2 });
  });
});

describe("L8: a run whose loop has changed", () => {
  /** A run that stands before its second step. */
  async function begun() {
    const test = memoryEngine();
    const { run } = await test.engine.start(climb(), { top: 3 }, { ceilings: { iterations: 1 } });
    const more = { ceilings: { iterations: 9 } };
    return { test, run, more };
  }
  const now = climb();

  it.each([
    ["is another one", { ...now, name: "other" }, "it is a run of the loop 'climb', not of 'other'"],
    ["has another version", { ...now, version: 2 }, "it was made with version 1"],
    ["is older than the run", { ...now, version: 0, migrate: () => ({ height: 0, log: [] }) }, "made with version 1"],
    ["lacks a phase", { ...now, phases: { step: now.phases.step! } }, "no longer has the phase 'judge'"],
  ])("is refused, with the reason and what to do, where the loop %s", async (_what, loop, reason) => {
    const { test, run, more } = await begun();
    const before = await test.journal.read(run);
    await expect(test.engine.resume(loop as typeof now, run, more)).rejects.toMatchObject({
      code: "LOOP_CHANGED",
      message: expect.stringContaining(reason),
    });
    await expect(test.engine.resume(loop as typeof now, run, more)).rejects.toThrow("give it a 'migrate'");
    expect(await test.journal.read(run)).toEqual(before);
    expect(await test.engine.resume(now, run, more)).toMatchObject({ outcome: "done" });
  });

  it("goes on where a phase was only added", async () => {
    const { test, run, more } = await begun();
    const loop = { ...now, phases: { ...now.phases, extra: now.phases.judge! } };
    expect(await test.engine.resume(loop, run, more)).toMatchObject({ outcome: "done" });
  });

  it("is carried over by migrate, once, and goes on with the new state", async () => {
    const { test, run, more } = await begun();
    const migrate = vi.fn((state, from) => ({ ...state, height: state.height + 1, log: [`from ${from}`] }));
    const loop = { ...now, version: 2, migrate } as typeof now;
    expect(await test.engine.resume(loop, run, more)).toMatchObject({
      outcome: "done",
      iterations: 2,
      state: { height: 3, log: ["from 1", "at 3"] },
    });
    expect(migrate).toHaveBeenCalledOnce();
    expect(await test.types(run)).toContain("run-migrated");
    await expect(test.engine.resume(now, await test.engine.fork(run, 2))).rejects.toMatchObject({
      code: "LOOP_CHANGED",
    });
  });

  it("is refused where migrate gives a state that does not fit, and stays as it was", async () => {
    const { test, run, more } = await begun();
    const loop = { ...now, version: 2, migrate: () => ({ height: "high" }) } as never;
    await expect(test.engine.resume(loop, run, more)).rejects.toThrow("the migrated state");
    expect(await test.engine.resume(now, run, more)).toMatchObject({ outcome: "done" });
  });

  it("is refused where it would enter a phase that the migrated loop does not have", async () => {
    const { test, run, more } = await begun();
    const { judge } = now.phases;
    const loop = {
      ...now,
      version: 2,
      start: "judge",
      iteration: "judge",
      phases: { judge },
      migrate: (s: never) => s,
    };
    await expect(test.engine.resume(loop as never, run, more)).rejects.toMatchObject({ code: "LOOP_CHANGED" });
  });
});
