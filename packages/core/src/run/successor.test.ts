import { killAtEveryCommit, memoryEngine } from "@loopwright/core/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineLoop } from "../define.ts";

/** A loop whose runs hand their work on, each to the next, until the last of them is done. */
const relay = defineLoop({
  name: "relay",
  version: 1,
  input: z.object({ left: z.number() }),
  state: z.object({ made: z.number() }),
  initial: () => ({ made: 0 }),
  start: "work",
  iteration: "work",
  phases: {
    work: {
      to: [],
      run: async (_state, ctx) => {
        const made = await ctx.effect("make", {
          run: ({ charge }) => {
            charge({ tokens: 10 });
            return ctx.input.left;
          },
        });
        const reason = `${ctx.input.left} left`;
        if (ctx.input.left > 0)
          return ctx.end("superseded", { reason, patch: { made }, by: { left: ctx.input.left - 1 } });
        ctx.verdict({ verdict: "pass", score: 1, findings: [], reason });
        return ctx.end("done", { reason, patch: { made } });
      },
    },
  },
});

const idsOf = async ({ journal }: ReturnType<typeof memoryEngine>) => (await journal.runs()).toSorted();

describe("a run that takes over", () => {
  it("is driven after the one that it takes over from, to the last of them, whose end is the result", async () => {
    const test = memoryEngine();
    const result = await test.engine.start(relay, { left: 2 });
    const [first, second, third] = await idsOf(test);
    expect([second, third]).toEqual([`${first}.2`, `${first}.3`]);
    expect(result).toMatchObject({ run: third, outcome: "done", exitCode: 0, reason: "0 left" });
    expect((await test.record(first!)).ended).toEqual({
      outcome: "superseded",
      reason: "2 left",
      by: { run: second, input: { left: 1 } },
    });
    expect((await test.record(third!)).after).toMatchObject({ run: second, usage: { tokens: 20 } });
  });

  it("has its iterations, tokens and time counted on, against the ceilings of the first", async () => {
    const test = memoryEngine();
    const spent = await test.engine.start(relay, { left: 5 }, { ceilings: { tokens: 30 } });
    expect(spent).toMatchObject({ outcome: "ceiling", iterations: 5, run: expect.stringMatching(/\.5$/) });
    expect(await test.record(spent.run)).toMatchObject({ usage: { tokens: 40 }, after: { usage: { tokens: 40 } } });
    const limited = await test.engine.start(relay, { left: 5 }, { ceilings: { iterations: 2 } });
    expect(limited).toMatchObject({ outcome: "ceiling", run: expect.stringMatching(/\.3$/) });
    const raised = await test.engine.resume(relay, limited.run.replace(/\.3$/, ""), { ceilings: { iterations: 9 } });
    expect(raised).toMatchObject({ outcome: "done", iterations: 6 });
  });

  it("is there once, and ends the same, wherever the process is killed", async () => {
    const { points, end } = await killAtEveryCommit({
      loop: relay,
      input: { left: 2 },
      observe: async (_world, test) => (await idsOf(test as never)).length,
    });
    expect(points).toBeGreaterThan(10);
    expect(end).toMatchObject({ outcome: "done", iterations: 3, seen: 3 });
  });

  it("is gone on with by whoever resumes any of those before it", async () => {
    const test = memoryEngine();
    const { run } = await test.engine.start(relay, { left: 1 });
    const again = await test.engine.resume(relay, run.replace(/\.2$/, ""));
    expect(again).toMatchObject({ run, outcome: "done", advanced: false });
  });
});
