// A process killed at any event, before or after it is on disk: the next one comes to the same end.

import { Crash, doomed, type Fate, memoryEngine, type TestEngine } from "@loopwright/core/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { climb, singlePhase } from "../../../../test/fakes/loops.ts";
import { type FakeWorkcell, fakeBench, lost } from "../../../../test/fakes/workcell.ts";
import { defineLoop, type Loop } from "../define.ts";
import { ExecutionError } from "../errors.ts";
import { verifyRun } from "../journal/verify.ts";
import { randomStream } from "../random.ts";
import type { Json } from "../record/json.ts";
import { loadRun } from "../record/load.ts";
import { append } from "../record/patch.ts";
import { fastRetry } from "../rules/fast-retry.ts";
import { fail, pass } from "../verdicts.ts";
import type { Ports } from "./active-run.ts";

/** What the world outside saw: how often each effect was really made, by its idempotency key. */
type World = Map<string, number>;

/** A loop with everything that can be cut in two: effects side by side, a child, a gate, a lost workcell, re-tries. */
function everything(world: World): Loop {
  const made = <T>(key: string, result: T): T => {
    world.set(key, (world.get(key) ?? 0) + 1);
    return result;
  };
  const child = singlePhase(
    async (ctx) => {
      const { choice } = await ctx.ask({
        name: "child",
        question: "?",
        choices: ["yes"],
        default: "yes",
        accepting: ["yes"],
      });
      const result = await ctx.effect("work", { run: ({ idempotencyKey: key }) => made(key, "child's") });
      return ctx.end("done", { patch: { result: [choice, result] } });
    },
    { name: "child" },
  );
  return defineLoop({
    name: "everything",
    version: 1,
    input: z.null(),
    state: z.object({ log: z.array(z.any()), large: z.string().optional() }),
    initial: () => ({ log: [] }),
    start: "build",
    iteration: "build",
    phases: {
      build: {
        to: ["child"],
        run: async (_state, ctx) => {
          const { a, b } = await ctx.all({
            a: (side) => side.effect("e", { run: ({ idempotencyKey: key }) => made(key, side.random("a")()) }),
            b: (side) =>
              side
                .effect("e", {
                  run: ({ idempotencyKey: key }) => {
                    made(key, null);
                    throw new ExecutionError("NO", "b fails, always");
                  },
                })
                .catch((error: ExecutionError) => error.code),
          });
          const tried = await fastRetry(ctx, {
            propose: async (_scope, problem) => (problem ? "mended" : "broken"),
            execute: (scope, work) =>
              scope.workcell<FakeWorkcell>("bench", "base ").effect("run", {
                input: work,
                run: async (cell, { idempotencyKey: key, tries }) => {
                  made(key, null);
                  if (work === "broken" && tries === 1 && cell.id === 1) throw lost(cell.id);
                  if (work === "broken") throw new ExecutionError("RAISED", "it raised");
                  return cell.write(work);
                },
              }),
          });
          await ctx.save("made.txt", `${a}`);
          return ctx.to("child", {
            log: append([ctx.iteration, a, b, tried.result ?? null, tried.errors.length] as Json),
            large: "large ".repeat(500 * ctx.iteration),
          });
        },
      },
      child: {
        to: ["judge"],
        run: async (_state, ctx) => {
          const { outcome, state } = await ctx.spawn("c", child, null, { seed: 1 });
          return ctx.to("judge", { log: append([outcome, state.result ?? null] as Json) });
        },
      },
      judge: {
        to: ["build"],
        run: async (state, ctx) => {
          if (ctx.iteration < 2) {
            ctx.verdict(fail(0.5, "once more"));
            return ctx.to("build");
          }
          ctx.verdict(pass(1, "enough"));
          await ctx.tell("closing", { entries: state.log.length });
          await ctx.ask({ name: "close", question: "close?", choices: ["yes"], default: "yes" });
          return ctx.end("done");
        },
      },
    },
  }) as unknown as Loop;
}

const answers: Ports["answers"] = (gate) => ({ choice: gate.default, by: "default" });

/** A world of its own, with a process that lives. */
function aWorld(): { test: TestEngine; ports: Partial<Ports>; world: World; loop: Loop } {
  const world: World = new Map();
  const ports = { workcells: { bench: fakeBench().bench }, answers };
  return { test: memoryEngine(ports), ports, world, loop: everything(world) };
}

/** Drives the one run of a world to its end, killed each time as its fate says; gives back how often it was killed. */
async function survive({ test, ports, loop }: ReturnType<typeof aWorld>, fateOf: (life: number) => Fate | undefined) {
  for (let life = 0; ; life++) {
    const fate = fateOf(life);
    const { engine } = fate ? doomed(test, fate, ports) : test;
    const run = (await test.journal.runs())[0];
    try {
      const result = run ? await engine.resume(loop, run) : await engine.start(loop, null, { seed: 11 });
      return { life, result };
    } catch (error) {
      if (!(error instanceof Crash)) throw error;
    }
  }
}

/** All that must hold of a run and its children however they came to their end. */
async function expectSound({ test, world }: ReturnType<typeof aWorld>, mostTries: number): Promise<void> {
  for (const run of await test.journal.runs()) {
    expect(await verifyRun(test.journal, test.ports.store, run)).toMatchObject({ ok: true, problems: [] });
    const kept = await loadRun(test.journal, run);
    await test.journal.dropFold(run);
    expect((await loadRun(test.journal, run)).record).toStrictEqual(kept.record);
    const settled = (await test.chain(run)).flatMap((event) =>
      event.type === "effect-finished" || event.type === "effect-failed" ? [`${event.visit} ${event.key}`] : [],
    );
    expect(new Set(settled).size).toBe(settled.length);
  }
  for (const times of world.values()) expect(times).toBeLessThanOrEqual(mostTries);
}

describe("a run that is killed", () => {
  it("once, at any event, before or after it is on disk, comes to the same end", async () => {
    const whole = aWorld();
    const { result } = await survive(whole, () => undefined);
    expect(result).toMatchObject({ outcome: "done", iterations: 2 });
    const events = (await Promise.all((await whole.test.journal.runs()).map((run) => whole.test.types(run)))).flat();
    expect(events).toEqual(
      expect.arrayContaining(["workcell-restarted", "gate-answered", "effect-failed", "loop-noted"]),
    );
    for (let at = 1; at <= events.length; at++) {
      for (const when of ["before", "after"] as const) {
        const tried = aWorld();
        let count = 0;
        const survived = await survive(tried, (life) =>
          life === 0 ? () => (++count === at ? when : undefined) : undefined,
        );
        const { outcome, state, iterations, score } = survived.result;
        expect({ at, when, outcome, state, iterations, score }).toEqual({
          at,
          when,
          outcome: "done",
          state: result.state,
          iterations: 2,
          score: 1,
        });
        await expectSound(tried, 2);
      }
    }
  });

  it("again and again, at random, comes to the same end", async () => {
    const { result } = await survive(aWorld(), () => undefined);
    let killed = 0;
    for (let seed = 0; seed < 40; seed++) {
      const random = randomStream("crashes", seed);
      const tried = aWorld();
      const survived = await survive(tried, (life) => {
        if (life > 25) return undefined;
        return () => (random() < 0.08 ? (random() < 0.5 ? "before" : "after") : undefined);
      });
      killed += survived.life;
      expect({ seed, state: survived.result.state }).toEqual({ seed, state: result.state });
      await expectSound(tried, survived.life + 1);
    }
    expect(killed).toBeGreaterThan(80);
  });

  it("after every third event, one life after another, still gets on", async () => {
    const test = memoryEngine();
    const loop = climb();
    let run: string | undefined;
    for (let life = 0; life < 60; life++) {
      let count = 0;
      const { engine } = doomed(test, () => (++count === 3 ? "after" : undefined));
      try {
        if (run) await engine.resume(loop, run);
        else await engine.start(loop, { top: 3 });
      } catch (error) {
        if (!(error instanceof Crash)) throw error;
      }
      [run] = await test.journal.runs();
    }
    expect(await test.engine.resume(loop, run!)).toMatchObject({ outcome: "done", iterations: 3, advanced: false });
  });
});
