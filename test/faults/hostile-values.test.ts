// Hostile values: none is altered, none is taken for one of the journal's own marks.

import {
  append,
  type Context,
  defineLoop,
  ExecutionError,
  fastRetry,
  type Json,
  type Loop,
  type Project,
  pass,
} from "loopwright";
import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { openTemp } from "./harness.ts";
import { once, type Told } from "./programs/loops.ts";

/** Values that look like the journal's own marks, or that a careless program would merge into a prototype. */
const values: [string, Json][] = [
  ["a mark of a blob", { $blob: "0".repeat(64) }],
  ["a mark of a spread blob", { $blob: "0".repeat(64), spread: true }],
  ["a mark that is no digest", { $blob: 5, spread: "yes" }],
  ["marks inside", { a: [{ $blob: "x" }, [{ $blob: { $blob: null } }]], text: '{"$blob":"x"}' }],
  ["a list of marks", [{ $blob: "ab", spread: true }, 1, { $blob: "cd" }]],
  ["keys that every object has", { constructor: 1, toString: { valueOf: "x" }, hasOwnProperty: null, prototype: [] }],
  ["odd keys", { "": 1, " ": 2, "a\nb": 3, "🚢": 4, "\u0000": 5, "\ud800": 6 }],
  ["odd numbers", [0, -1.5e-300, 1.7976931348623157e308, 5e-324, 2 ** 53]],
];

describe("a value", () => {
  const ways = values.flatMap(
    ([what, value]) =>
      [
        [what, "with its kept fold", value],
        [what, "from its events alone", value],
      ] as const,
  );
  it.each(ways)(
    "that is %s survives a stop and a resume %s unchanged, wherever it stands",
    async (_what, how, value) => {
      const project = await openTemp();
      const big = [value, "x".repeat(3_000)];
      let isBroken = true;
      const seen: unknown[] = [];
      const state = z.object({ first: z.any(), set: z.any(), list: z.array(z.any()), last: z.any() });
      const loop = defineLoop({
        name: "carrying",
        version: 1,
        input: z.any(),
        state,
        initial: (input) => ({ first: input, set: null, list: [input], last: null }),
        start: "one",
        iteration: "one",
        phases: {
          one: { to: ["two"], run: (_state, ctx) => ctx.to("two", { set: value, list: append<unknown>(value, big) }) },
          two: {
            to: [],
            run: async (now, ctx) => {
              const small = await ctx.effect("small", { input: value, run: () => value });
              const large = await ctx.effect("large", { input: big, run: () => big });
              seen.push(small, large, ctx.input);
              await ctx.tell("noted", value);
              await ctx.effect("break", {
                run: () => {
                  if (isBroken) throw new Error("broken");
                  return null;
                },
              });
              return ctx.end("declined", { patch: { last: [now.first, small, large] } });
            },
          },
        },
      });
      await expect(project.start(loop, value, { config: value })).rejects.toThrow("broken");
      const [run] = await project.ports.journal.runs();
      isBroken = false;
      if (how === "from its events alone") vi.spyOn(project.ports.journal, "fold").mockResolvedValueOnce(undefined);
      const result = await project.resume(loop, run!);
      expect(result.state).toEqual({ first: value, set: value, list: [value, value, big], last: [value, value, big] });
      expect(seen).toEqual([value, big, value, value, big, value]);
      expect(await project.verify(run!)).toMatchObject({ ok: true, problems: [] });
      await project.release([run!]);
      expect(await project.verify(run!)).toMatchObject({ ok: true, problems: [] });
    },
  );

  it.each(["constructor", "toString", "valueOf", "$blob", "spread"])("of the state may be called %j", async (key) => {
    const project = await openTemp();
    const state = z.object({ [key]: z.string(), plain: z.string() });
    type Ctx = Context<object, Record<string, string>>;
    const loop = defineLoop({
      name: "naming",
      version: 1,
      input: z.object({}),
      state,
      initial: () => ({ [key]: "first", plain: "first" }),
      start: "one",
      iteration: "one",
      phases: {
        one: { to: ["two"], run: (_state: unknown, ctx: Ctx) => ctx.to("two", { [key]: "second" }) },
        two: {
          to: [],
          run: async (now: Record<string, string>, ctx: Ctx) => {
            await ctx.ask({ name: "wait", question: "Go on?", choices: ["yes"], default: "yes" });
            return ctx.end("declined", { patch: { plain: now[key]! } });
          },
        },
      },
    } as never) as unknown as Loop<object, Record<string, string>>;
    const { run } = await project.start(loop, {});
    expect(await project.verify(run)).toMatchObject({ ok: true, problems: [] });
    await project.answer(run, "yes");
    const result = await project.resume(loop, run);
    expect(result.state).toEqual({ [key]: "second", plain: "second" });
  });

  it.each(["constructor", "toString", "$blob"])("of time is kept for a phase called %j", async (name) => {
    const project = await openTemp();
    const loop = defineLoop({
      name: "phasing",
      version: 1,
      input: z.object({}),
      state: z.object({}),
      initial: () => ({}),
      start: name,
      iteration: name,
      phases: { [name]: { to: [], run: (_state: object, ctx: Context<object, object>) => ctx.end("declined") } },
    } as never);
    const { run, outcome } = await project.start(loop as never, {} as never);
    expect(outcome).toBe("declined");
    const record = await project.record(run);
    expect(record.phaseTimes[name]).toBeTypeOf("number");
    expect(await project.verify(run)).toMatchObject({ ok: true, problems: [] });
  });
});

describe("what a critic or a failure says", () => {
  async function verified(project: Project, work: (ctx: Context<Json, Told>) => Promise<void>) {
    const loop = once(async (ctx) => {
      await work(ctx);
      return {};
    });
    const { run } = await project.start(loop, null);
    return project.verify(run);
  }

  it("is not taken for a blob where a verdict has more in it than a verdict has", async () => {
    const project = await openTemp();
    const verdict = { ...pass(0.5, "so so"), $blob: "x", extra: { $blob: "0".repeat(64) } };
    const report = await verified(project, async (ctx) => void ctx.verdict(verdict));
    expect(report).toMatchObject({ ok: true, problems: [] });
  });

  it("is not taken for a blob where an error carries such data", async () => {
    const project = await openTemp();
    const report = await verified(project, async (ctx) => {
      const run = () => {
        throw new ExecutionError("BROKEN", "broken", { data: { $blob: "0".repeat(64) } });
      };
      await ctx.effect("odd", { run }).catch(() => {});
    });
    expect(report).toMatchObject({ ok: true, problems: [] });
  });

  it("does not break the run where a note has the fast retry's name and another shape, or is long", async () => {
    for (const data of [
      null,
      "text",
      { retry_count: "many" },
      { retry_count: 2, errors: ["E1 ".padEnd(5_000, "x")] },
    ]) {
      const project = await openTemp();
      const report = await verified(project, async (ctx) => ctx.tell("fast-retry", data as Json));
      expect(report).toMatchObject({ ok: true, problems: [] });
      const [run] = await project.ports.journal.runs();
      vi.spyOn(project.ports.journal, "fold").mockResolvedValueOnce(undefined);
      const record = await project.record(run!);
      expect(record.retries).toBeTypeOf("number");
      expect(Number.isFinite(record.retries)).toBe(true);
    }
  });

  it("is counted as a re-try, however long the messages of the failures are", async () => {
    const project = await openTemp();
    let tries = 0;
    await verified(project, async (ctx) => {
      await fastRetry(ctx, {
        propose: async () => ++tries,
        execute: async (_scope, work) => {
          if (work < 3) throw new ExecutionError("BROKEN", "x".repeat(6_000));
          return work;
        },
      });
    });
    const [run] = await project.ports.journal.runs();
    const record = await project.record(run!);
    expect(record.retries).toBe(2);
  });
});
