// A process killed before or after any commit, once or again and again: the next one comes to the same end.

import { killAtEveryCommit, type TestEngine } from "@loopwright/core/testing";
import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { singlePhase } from "../../../../test/fakes/loops.ts";
import { type FakeWorkcell, fakeBench, lost } from "../../../../test/fakes/workcell.ts";
import { defineLoop } from "../define.ts";
import { ExecutionError } from "../errors.ts";
import { verifyRun } from "../journal/verify.ts";
import { fail, pass } from "../outcomes.ts";
import type { Json } from "../record/json.ts";
import { loadRun } from "../record/load.ts";
import { append } from "../record/patch.ts";
import { fastRetry } from "../rules/fast-retry.ts";
import type { Ports } from "./active-run.ts";

/** What the world outside saw: how often each effect was really made, by its idempotency key. */
const calls = new Map<string, number>();

function made<T>(key: string, result: T): T {
  calls.set(key, (calls.get(key) ?? 0) + 1);
  return result;
}

const ITERATIONS = 4;

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

/** Everything that can be cut in two: effects side by side, a child, a gate, a lost workcell, re-tries. */
const everything = defineLoop({
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
          propose: async (_scope, problem) => (problem ? "fixed" : "broken"),
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
        const { outcome, state } = await ctx.spawn("c", child, null);
        return ctx.to("judge", { log: append([outcome, state.result ?? null] as Json) });
      },
    },
    judge: {
      to: ["build"],
      run: async (state, ctx) => {
        if (ctx.iteration < ITERATIONS) {
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
});

const answers: Ports["answers"] = (gate) => ({ choice: gate.default, by: "default" });

/** All that must hold of the runs of a journal, however they came to their end. */
async function expectSound({ journal, ports, chain }: TestEngine, mostCalls: number): Promise<void> {
  for (const run of await journal.runs()) {
    expect(await verifyRun(journal, ports.store, run)).toMatchObject({ ok: true, problems: [] });
    const kept = await loadRun(journal, run);
    vi.spyOn(journal, "fold").mockResolvedValueOnce(undefined);
    expect((await loadRun(journal, run)).record).toStrictEqual(kept.record);
    const settled = (await chain(run)).flatMap((event) =>
      event.type === "effect-finished" || event.type === "effect-failed" ? [`${event.visit} ${event.key}`] : [],
    );
    expect(new Set(settled).size).toBe(settled.length);
  }
  for (const times of calls.values()) expect(times).toBeLessThanOrEqual(mostCalls);
}

describe("a run that is killed", () => {
  it.each([
    ["once", false, 2],
    ["again and again", true, 4],
  ])("%s, before or after any commit, comes to the same end", async (_how, inOneRun, mostCalls) => {
    const types = new Set<string>();
    const { points, end } = await killAtEveryCommit({
      loop: everything,
      input: null,
      inOneRun,
      world: () => {
        calls.clear();
        return { ports: { workcells: { bench: fakeBench().bench }, answers } };
      },
      observe: async (_world, test, run) => {
        for (const type of await test.types(run)) types.add(type);
        await expectSound(test, mostCalls);
      },
    });
    expect(end).toMatchObject({ outcome: "done", iterations: ITERATIONS, score: 1 });
    expect([...types]).toEqual(
      expect.arrayContaining(["workcell-restarted", "gate-answered", "effect-failed", "loop-noted"]),
    );
    expect(points).toBeGreaterThan(180);
    console.log(`kill points tried: ${points}`);
  });
});
