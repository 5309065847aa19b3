// Values that cannot be stored: the failure is recorded, the phase is told what to do, and the run can go on.

import { append, defineLoop, fail, LoopwrightError, type Project, pass, UsageError } from "loopwright";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { failure, openTemp } from "./harness.ts";

const MIB = 1024 * 1024;
const cycle: Record<string, unknown> = {};
cycle.self = [cycle];

const unplain: [string, () => unknown, RegExp][] = [
  ["a function", () => () => 1, /is a function; only plain JSON/],
  ["a function inside", () => ({ a: [{ f: Math.max }] }), /\.a\[0\]\.f is a function/],
  ["a cycle", () => cycle, /\.self\[0\] is a cycle/],
  ["NaN", () => ({ score: Number.NaN }), /\.score is NaN/],
  ["infinity", () => [1, Number.NEGATIVE_INFINITY], /\[1\] is -Infinity/],
  ["a class instance", () => new (class Boat {})(), /an instance of Boat/],
  ["a date", () => ({ at: new Date(0) }), /\.at is an instance of Date/],
  ["bytes", () => new Uint8Array(3), /an instance of Uint8Array/],
  ["a map", () => new Map([[1, 2]]), /an instance of Map/],
  ["a promise inside", () => ({ later: Promise.resolve(1) }), /an instance of Promise/],
  ["a bigint", () => 1n, /a bigint/],
  ["a symbol", () => Symbol("s"), /a symbol/],
  ["a hole in a list", () => [1, undefined, 3], /\[1\] is a undefined/],
  ["a key __proto__", () => JSON.parse('{ "__proto__": { "admin": true } }'), /__proto__/],
  [
    "an object that throws when it is read",
    () =>
      Object.defineProperty({}, "trap", {
        enumerable: true,
        get: () => {
          throw new Error("a trap");
        },
      }),
    /a trap/,
  ],
  [
    "a nesting that never ends",
    () => {
      let deep: unknown = 1;
      for (let n = 0; n < 50_000; n++) deep = [deep];
      return deep;
    },
    /nested deeper/,
  ],
];

const tooLarge: [string, () => unknown][] = [
  ["a text of 200 MB", () => "x".repeat(200 * MIB)],
  ["200 MB of nested lists", () => Array.from({ length: 50 }, () => [{ part: ["y".repeat(4 * MIB)] }])],
  ["a text that is too long for JSON altogether", () => "\u0001".repeat(100 * MIB)],
];

/** A phase whose effect gives something odd; it goes on with what it is told. */
function giving(value: () => unknown) {
  return defineLoop({
    name: "giving",
    version: 1,
    input: z.object({}),
    state: z.object({ told: z.string(), code: z.string() }),
    initial: () => ({ told: "", code: "" }),
    start: "work",
    iteration: "work",
    phases: {
      work: {
        to: ["after"],
        run: async (_state, ctx) => {
          try {
            await ctx.effect("odd", { run: value });
            return ctx.to("after", { told: "nothing" });
          } catch (error) {
            const { message: told, code } = error as LoopwrightError;
            return ctx.to("after", { told, code });
          }
        },
      },
      after: {
        to: [],
        run: async (_state, ctx) => {
          await ctx.effect("odd", { run: () => "fine now" });
          ctx.verdict(pass(1, "it went on"));
          return ctx.end("done");
        },
      },
    },
  });
}

async function typesOf(project: Project, run: string): Promise<string[]> {
  return (await project.ports.journal.read(run)).map(({ body }) => JSON.parse(body).type);
}

async function expectTold(value: () => unknown, code: string, message: RegExp): Promise<void> {
  const project = await openTemp();
  const { run, outcome, state } = await project.start(giving(value), {});
  expect(outcome).toBe("done");
  expect(state.told).toMatch(message);
  expect(state.code).toBe(code);
  expect((await typesOf(project, run)).slice(0, 4)).toEqual([
    "run-started",
    "effect-started",
    "effect-failed",
    "phase-finished",
  ]);
  expect(await project.verify(run)).toMatchObject({ ok: true });
}

describe("an effect whose result cannot be stored", () => {
  it.each(unplain)("fails by name where it is %s, and the run goes on", async (what, value, message) => {
    await expectTold(value, what.startsWith("an object that throws") ? "THROWN" : "NOT_PLAIN_JSON", message);
  });

  it.each(tooLarge)("fails by name where it is %s, and says to save it as an artifact", async (_what, value) => {
    await expectTold(value, "VALUE_TOO_LARGE", /too large for the journal.*save it as an artifact/);
  });

  it("is tried again by a resume where the phase did not expect it", async () => {
    const project = await openTemp();
    let result: unknown = Number.NaN;
    const loop = defineLoop({
      name: "strict",
      version: 1,
      input: z.object({}),
      state: z.object({ n: z.number() }),
      initial: () => ({ n: 0 }),
      start: "work",
      iteration: "work",
      phases: {
        work: {
          to: [],
          run: async (_state, ctx) => {
            const n = await ctx.effect("number", { run: () => result as number });
            return ctx.end("declined", { patch: { n } });
          },
        },
      },
    });
    expect(await failure(project.start(loop, {}))).toMatchObject({ code: "NOT_PLAIN_JSON" });
    const [run] = await project.ports.journal.runs();
    result = 7;
    expect(await project.resume(loop, run!)).toMatchObject({ outcome: "declined", state: { n: 7 } });
    expect(await project.verify(run!)).toMatchObject({ ok: true });
  });
});

describe("an effect whose input cannot be stored", () => {
  it.each<[string, () => unknown, string]>([
    ["a function", () => Math.max, "NOT_PLAIN_JSON"],
    ["a cycle", () => cycle, "NOT_PLAIN_JSON"],
    ["a text of 100 MB", () => "x".repeat(100 * MIB), "VALUE_TOO_LARGE"],
    ["a text that is too long for JSON altogether", () => "\u0001".repeat(100 * MIB), "VALUE_TOO_LARGE"],
  ])("is not started where it is %s, and the phase can go on", async (_what, input, code) => {
    const project = await openTemp();
    let ran = false;
    const loop = defineLoop({
      name: "asking-oddly",
      version: 1,
      input: z.object({}),
      state: z.object({ code: z.string() }),
      initial: () => ({ code: "" }),
      start: "work",
      iteration: "work",
      phases: {
        work: {
          to: [],
          run: async (_state, ctx) => {
            const run = () => {
              ran = true;
              return null;
            };
            const told = await ctx.effect("odd", { input: input(), run }).then(
              () => "nothing",
              (error: LoopwrightError) => error.code,
            );
            return ctx.end("declined", { patch: { code: told } });
          },
        },
      },
    });
    expect(await project.start(loop, {})).toMatchObject({ outcome: "declined", state: { code } });
    expect(ran).toBe(false);
  });
});

/** A phase whose patch holds something odd the first time. */
function patching(value: () => unknown, isAppended: boolean) {
  return defineLoop({
    name: "patching",
    version: 1,
    input: z.object({}),
    state: z.object({ list: z.array(z.any()), any: z.any() }),
    initial: () => ({ list: [], any: null }),
    start: "before",
    iteration: "before",
    phases: {
      before: { to: ["work"], run: (_state, ctx) => ctx.to("work", { list: append("kept") }) },
      work: {
        to: [],
        run: (_state, ctx) => ctx.end("declined", { patch: isAppended ? { list: append(value()) } : { any: value() } }),
      },
    },
  });
}

describe("a state patch that cannot be stored", () => {
  const cases = [
    ...unplain.filter(([what]) => what !== "a hole in a list"),
    ...tooLarge.slice(0, 2).map(([what, value]) => [what, value, /save it as an artifact/] as const),
  ];
  it.each(cases)("is refused by name where it holds %s, and the run can go on", async (what, value, message) => {
    for (const isAppended of what.includes("MB") ? [false] : [false, true]) {
      const project = await openTemp();
      const error = await project.start(patching(value, isAppended), {}).catch((reason: unknown) => reason);
      expect((error as Error).message).toMatch(message);
      if (!what.startsWith("an object that throws")) expect(error).toBeInstanceOf(LoopwrightError);
      const [run] = await project.ports.journal.runs();
      expect((await typesOf(project, run!)).at(-1)).toBe("visit-failed");
      const result = await project.resume(
        patching(() => "plain", isAppended),
        run!,
      );
      expect(result).toMatchObject({ outcome: "declined" });
      expect(result.state).toEqual(
        isAppended ? { list: ["kept", "plain"], any: null } : { list: ["kept"], any: "plain" },
      );
      expect(await project.verify(run!)).toMatchObject({ ok: true });
    }
  });

  it.each([
    ["a key that the state does not have", { unknown: 1 }, /state\.unknown is not in the loop's state schema/],
    ["a key that every object has", { constructor: 1 }, /state\.constructor is not in the loop's state schema/],
    ["a value that does not fit", { n: "seven" }, /state\.n does not fit its schema/],
    ["a required key dropped", { n: undefined }, /state\.n does not fit its schema/],
    ["entries for what is no list", { n: append(1) }, /state\.n is not a list/],
  ])("is refused by name where it has %s", async (_what, patch, message) => {
    const project = await openTemp();
    const loop = defineLoop({
      name: "patching",
      version: 1,
      input: z.object({}),
      state: z.object({ n: z.number() }),
      initial: () => ({ n: 0 }),
      start: "work",
      iteration: "work",
      phases: { work: { to: [], run: (_state, ctx) => ctx.end("declined", { patch: patch as never }) } },
    });
    const error = await failure(project.start(loop, {}));
    expect(error).toMatchObject({ code: "STATE_INVALID", message: expect.stringMatching(message) });
    expect(error.message).toContain("phase 'work': ");
    expect(error, "a bug of the loop, and no wrong words").not.toBeInstanceOf(UsageError);
  });
});

describe("what else a run is given", () => {
  const loop = defineLoop({
    name: "plain",
    version: 1,
    input: z.any(),
    state: z.object({ any: z.any() }),
    initial: (input: unknown) => ({ any: (input as { state?: unknown } | null)?.state ?? null }),
    start: "work",
    iteration: "work",
    phases: {
      work: {
        to: [],
        run: async (_state, ctx) => {
          ctx.verdict(fail(0, "no"));
          return ctx.end("declined");
        },
      },
    },
  });

  it.each<[string, () => unknown, string]>([
    ["an input with a function", () => ({ f: Math.max }), "NOT_PLAIN_JSON"],
    ["an input of 200 MB", () => "x".repeat(200 * MIB), "VALUE_TOO_LARGE"],
    ["a first state with NaN", () => ({ state: Number.NaN }), "NOT_PLAIN_JSON"],
  ])("is refused before anything is written where it is %s", async (_what, input, code) => {
    const project = await openTemp();
    expect(await failure(project.start(loop, input()))).toMatchObject({ code });
    expect(await project.ports.journal.runs()).toEqual([]);
  });

  it.each([
    ["a number that JSON does not have", { config: { temperature: Number.NaN } }],
    ["a function", { config: { f: Math.max as never } }],
    ["a seed that JSON does not have", { seed: Number.POSITIVE_INFINITY }],
  ])("is refused before anything is written where the options hold %s", async (_what, options) => {
    const project = await openTemp();
    await failure(project.start(loop, null, options));
    expect(await project.ports.journal.runs()).toEqual([]);
  });
});
