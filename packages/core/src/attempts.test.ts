import { killAtEveryCommit, memoryEngine, runOf } from "@loopwright/core/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { type AttemptsSpec, attemptsOf } from "./attempts.ts";
import { defineLoop } from "./define.ts";
import { passIf } from "./outcomes.ts";

interface Look {
  /** How often the body of each attempt's effect was run. */
  bodies: string[];
  cancelled: number;
}

/** A loop whose attempts come to the scores that it is given, by their numbers. */
function guess(scores: readonly number[], look: Look = { bodies: [], cancelled: 0 }, tokens = 0) {
  return defineLoop({
    name: "guess",
    version: 1,
    input: z.object({ attempt: z.number() }),
    state: z.object({ score: z.number() }),
    initial: () => ({ score: 0 }),
    start: "work",
    iteration: "work",
    phases: {
      work: {
        to: [],
        run: async (_state, ctx) => {
          const { attempt } = ctx.input;
          const score = await ctx.effect("guess", {
            run: async (effect) => {
              look.bodies.push(`${attempt}`);
              effect.charge({ tokens });
              const given = scores[attempt - 1]!;
              // One that never comes back by itself.
              if (Number.isNaN(given)) {
                await new Promise((resolve) => effect.signal.addEventListener("abort", resolve));
                look.cancelled += 1;
                effect.signal.throwIfAborted();
              }
              return given;
            },
          });
          const { verdict } = ctx.verdict(passIf(score >= 0.5, score, `it scores ${score}`));
          return ctx.end(verdict === "pass" ? "done" : "failed", { patch: { score } });
        },
      },
    },
  });
}

type Spec = AttemptsSpec<{ attempt: number }, { score: number }>;
const vary: Spec["vary"] = (_, attempt) => ({ attempt });
const input = (attempts: number) => ({ attempts, input: { attempt: 0 } });

describe("attempts", () => {
  it("are runs of their own, with a folder each, and the best score is taken", async () => {
    const test = memoryEngine();
    const loop = attemptsOf(guess([0.6, 0.9, 0.1]), { vary });
    const result = await test.engine.start(loop, input(3));
    expect(result).toMatchObject({ outcome: "done", score: 0.9 });
    expect(result.reason).toBe("attempt 2 of 3: its score is the best of 2 that are done");
    expect(result.state.ended.map(({ outcome }) => outcome)).toEqual(["done", "done", "failed"]);
    const [run, ...children] = await test.journal.runs();
    expect(children.sort()).toEqual([1, 2, 3].map((attempt) => `${run}.1-attempt-${attempt}`));
    expect((await test.record(children[1]!)).folder).toBe(`${run}/attempt-002`);
    expect(test.events).toContainEqual(expect.objectContaining({ type: "loop-noted", name: "attempts-compared" }));
  });

  it("of which none is done go to a person, who may have as many made again", async () => {
    const test = memoryEngine();
    const loop = attemptsOf(guess([0.1, 0.2, 0.3, 0.8]), { vary });
    const first = await test.engine.start(loop, input(2));
    expect(first).toMatchObject({ outcome: "escalated", reason: "none of 2 attempts is done" });
    await test.engine.answer(first.run, "again");
    const second = await test.engine.resume(loop, first.run);
    expect(second).toMatchObject({ outcome: "done", reason: expect.stringContaining("attempt 4 of 4") });
  });

  it("that cannot win any more are cancelled, and those not begun are never paid", async () => {
    const look: Look = { bodies: [], cancelled: 0 };
    const isSettled: Spec["isSettled"] = (ended) => ended.some(({ outcome }) => outcome === "done");
    const loop = attemptsOf(guess([Number.NaN, 0.9, 0.9], look), { vary, isSettled });
    const result = await memoryEngine().engine.start(loop, input(3));
    expect(result).toMatchObject({ outcome: "done" });
    expect(result.state.ended.map(({ outcome }) => outcome)).toEqual(["cancelled", "done", "cancelled"]);
    expect(look).toEqual({ bodies: ["1", "2"], cancelled: 1 });
  });

  it("that nothing tells apart are asked about, and the answer is the result", async () => {
    const test = memoryEngine();
    const taken: number[] = [];
    const spec: Spec = {
      vary,
      compare: () => ({
        ...{ ranking: [1, 2], reason: "they differ", rows: [{ attempt: 1 }, { attempt: 2 }] },
        question: { text: "f(0): 1 gives 0, 2 gives 1. Which?", attempts: [1, 2] },
      }),
      take: async (_, { attempt }) => {
        taken.push(attempt);
        return "it was taken";
      },
    };
    const loop = attemptsOf(guess([0.9, 0.9]), spec);
    const { run, outcome } = await test.engine.start(loop, input(2));
    expect(outcome).toBe("waiting");
    await test.engine.answer(run, "2");
    const result = await test.engine.resume(loop, run);
    expect(result).toMatchObject({ outcome: "done", reason: "attempt 2 of 2: they differ; it was taken" });
    expect(taken).toEqual([2]);
  });

  it("have one budget over all", async () => {
    const look: Look = { bodies: [], cancelled: 0 };
    const loop = attemptsOf(guess([0.1, 0.1, 0.1, 0.1, 0.1, 0.1], look, 100), { vary });
    const test = memoryEngine();
    const result = await test.engine.start(loop, input(6), { ceilings: { tokens: 250 } });
    expect(result).toMatchObject({ outcome: "ceiling" });
    expect(look.bodies.length).toBeLessThanOrEqual(4);
    const resumed = await test.engine.resume(loop, result.run, { ceilings: { tokens: 10_000 } });
    expect(resumed).toMatchObject({ outcome: "escalated" });
    expect(resumed.state.ended).toHaveLength(6);
  });

  it("are asked with the number that they have, so that each may have a model of its own", async () => {
    const asked: (number | undefined)[] = [];
    const loop = defineLoop({
      ...{ name: "asks", version: 1, input: z.json(), state: z.object({}), initial: () => ({}) },
      ...{ start: "ask", iteration: "ask" },
      phases: {
        ask: {
          to: [],
          run: async (_state, ctx) => {
            await ctx.model("writer").call("one", { messages: [] } as never);
            return ctx.end("failed");
          },
        },
      },
    });
    const models = (_role: string, attempt?: number) => {
      asked.push(attempt);
      return { estimate: () => ({}), call: async () => ({ text: "", usage: {} }) } as never;
    };
    await memoryEngine({ models }).engine.start(attemptsOf(loop), { attempts: 2, input: null });
    expect([...new Set(asked)].sort()).toEqual([1, 2]);
  });

  it("come to the same end wherever their process dies, and nothing is done twice", async () => {
    const { points } = await killAtEveryCommit({
      world: () => ({ look: { bodies: [], cancelled: 0 } as Look }),
      loop: attemptsOf(guess([0.6, 0.9]), { vary }),
      input: input(2),
      observe: async (_, test) =>
        (await test.chain(await runOf(test))).filter(({ type }) => type === "run-ended").length,
    });
    expect(points).toBeGreaterThan(10);
  });
});
