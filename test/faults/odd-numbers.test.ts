// Numbers that JSON does not have: none of them may switch a ceiling off, or read differently after a resume (L5, L7).

import { type Ceilings, defineLoop, fail, LoopwrightError, type Usage } from "loopwright";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { failure, openTemp } from "./harness.ts";

/** Spends in every iteration, and never gets there. */
function spending(usage: Partial<Usage>, estimate: Partial<Usage> = {}, spent: number[] = []) {
  return defineLoop({
    name: "spending",
    version: 1,
    input: z.object({}),
    state: z.object({}),
    initial: () => ({}),
    start: "work",
    iteration: "work",
    phases: {
      work: {
        to: ["judge"],
        run: async (_state, ctx) => {
          await ctx.effect("spend", {
            estimate,
            run: (effect) => {
              spent.push(ctx.iteration);
              effect.charge(ctx.iteration === 1 ? usage : { tokens: 60, usd: 1 });
              return null;
            },
          });
          return ctx.to("judge");
        },
      },
      judge: {
        to: ["work"],
        run: (_state, ctx) => {
          ctx.verdict(fail(0, "never"));
          return ctx.to("work");
        },
      },
    },
  });
}

describe("a ceiling", () => {
  it.each(["iterations", "minutes", "tokens", "usd", "phaseMinutes"] as const)(
    "on %s that is infinite is refused, or is no limit also after a resume",
    async (name) => {
      const project = await openTemp();
      const ceilings: Partial<Ceilings> = { iterations: 2, [name]: Number.POSITIVE_INFINITY };
      if (name === "iterations") ceilings.tokens = 100;
      const loop = spending({ tokens: 60 });
      const first = await project.start(loop, {}, { ceilings }).catch((error: unknown) => error);
      if (first instanceof LoopwrightError && first.code === "CEILING_INVALID") {
        expect(await project.ports.journal.runs()).toEqual([]);
        return;
      }
      expect(first).toMatchObject({ outcome: "ceiling" });
      const [run] = await project.ports.journal.runs();
      const again = await project.resume(loop, run!, { ceilings: { iterations: 4, tokens: 1_000 } });
      expect(again).toMatchObject({ outcome: "ceiling", iterations: 4 });
      expect(again.reason).toContain("'iterations'");
    },
  );

  it.each([Number.NaN, -1, "5", null, undefined, {}])("of %j is refused by name", async (value) => {
    const project = await openTemp();
    for (const name of ["minutes", "usd"]) {
      const act = project.start(spending({}), {}, { ceilings: { [name]: value } as never });
      if (value === undefined) {
        const error = await act.catch((reason: unknown) => reason);
        if (error instanceof Error) expect(error).toMatchObject({ code: "CEILING_INVALID" });
      } else expect(await failure(act)).toMatchObject({ code: "CEILING_INVALID" });
    }
  });
});

describe("what an effect says it used", () => {
  it.each([
    ["not a number", { tokens: Number.NaN, usd: Number.NaN }],
    ["infinite", { tokens: Number.POSITIVE_INFINITY }],
    ["less than nothing", { tokens: -1_000_000, usd: -1_000 }],
    ["a text", { tokens: "60" } as never],
  ])("cannot switch a ceiling off where it is %s", async (_what, usage) => {
    const project = await openTemp();
    const limits = { tokens: 200, usd: 4, iterations: 20 };
    const spent: number[] = [];
    const act = project.start(spending(usage, {}, spent), {}, { ceilings: limits });
    const result = await act.catch((error: unknown) => error);
    expect(spent.length, "it went on spending").toBeLessThanOrEqual(6);
    if (result instanceof Error) expect(result).toBeInstanceOf(LoopwrightError);
    else expect(result).toMatchObject({ outcome: "ceiling", reason: expect.stringMatching(/'(tokens|usd)'/) });
  });

  it.each([
    ["not a number", { tokens: Number.NaN, usd: Number.NaN }],
    ["less than nothing", { tokens: -1_000_000, usd: -1_000 }],
  ])("cannot pass a ceiling by an estimate that is %s", async (_what, estimate) => {
    const project = await openTemp();
    const limits = { tokens: 100, iterations: 8 };
    const loop = spending({ tokens: 60 }, estimate);
    const result = await project.start(loop, {}, { ceilings: limits }).catch((error: unknown) => error);
    if (result instanceof Error) expect(result).toBeInstanceOf(LoopwrightError);
    else expect(result).toMatchObject({ outcome: "ceiling", reason: expect.stringContaining("'tokens'") });
  });
});
