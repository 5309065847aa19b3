// A run whose loop has changed: it is refused with what to do, and nothing is written (L8).

import { type Context, defineLoop, fail, type Loop, type Project } from "loopwright";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { failure, openTemp } from "./harness.ts";

const state = z.object({ count: z.number() });

/** A loop that never gets there: its runs stop at a ceiling, in front of 'make'. */
function loopOf(options: { name?: string; version?: number; make?: string; judge?: string; migrate?: Migrate } = {}) {
  const { name = "endless", version = 1, make = "make", judge = "judge", migrate } = options;
  return defineLoop({
    name,
    version,
    input: z.object({}),
    state,
    initial: () => ({ count: 0 }),
    start: make,
    iteration: make,
    phases: {
      [make]: { to: [judge], run: ({ count }: { count: number }, ctx: Ctx) => ctx.to(judge, { count: count + 1 }) },
      [judge]: {
        to: [make],
        run: (_state: unknown, ctx: Ctx) => {
          ctx.verdict(fail(0, "never good enough"));
          return ctx.to(make);
        },
      },
    },
    ...(migrate && { migrate }),
  } as never) as unknown as Loop<object, { count: number }>;
}

type Ctx = Context<object, { count: number }>;
type Migrate = (old: Readonly<Record<string, unknown>>, from: number) => { count: number };
const carryOver: Migrate = (old) => ({ count: (old.count as number) + 100 });
const more = { ceilings: { iterations: 4 } };

async function stoppedRun(): Promise<{ project: Project; run: string }> {
  const project = await openTemp();
  const { run, outcome } = await project.start(loopOf(), {}, { ceilings: { iterations: 2 } });
  expect(outcome).toBe("ceiling");
  return { project, run };
}

/** Resumes with a loop that does not fit: refused by name, and the journal is as it was. */
async function expectUnfit(project: Project, run: string, loop: Loop<object, { count: number }>, why: RegExp) {
  const { journal, process } = project.ports;
  const before = { rows: await journal.read(run), fold: await journal.fold(run) };
  for (const options of [{}, more, { ...more, take: true }]) {
    const error = await failure(project.resume(loop, run, options));
    expect(error.code).toBe("LOOP_CHANGED");
    expect(error.message).toContain(run);
    expect(error.message).toMatch(why);
    expect(error.message).toMatch(/Use the loop as it was, or raise its version and give it a 'migrate'/);
    expect({ rows: await journal.read(run), fold: await journal.fold(run) }).toEqual(before);
    expect(await journal.holder(run, process)).toBeUndefined();
  }
  expect(await project.resume(loopOf(), run, more)).toMatchObject({ outcome: "ceiling", state: { count: 4 } });
}

describe("a run whose loop has changed", () => {
  it("is refused by another loop", async () => {
    const { project, run } = await stoppedRun();
    await expectUnfit(project, run, loopOf({ name: "other" }), /a run of the loop 'endless', not of 'other'/);
  });

  it.each([
    ["newer one that cannot migrate", loopOf({ version: 2 }), /version 1 .* this is version 2/],
    ["older one", loopOf({ version: 0 }), /version 1 .* this is version 0/],
    ["older one, even if it can migrate", loopOf({ version: 0, migrate: carryOver }), /this is version 0/],
  ])("is refused by a %s", async (_what, loop, why) => {
    const { project, run } = await stoppedRun();
    await expectUnfit(project, run, loop, why);
  });

  it("is refused where a phase was renamed, the one it stands before or another", async () => {
    const first = await stoppedRun();
    await expectUnfit(first.project, first.run, loopOf({ make: "build" }), /no longer has the phase 'make'/);
    const second = await stoppedRun();
    await expectUnfit(second.project, second.run, loopOf({ judge: "review" }), /no longer has the phase 'judge'/);
  });

  it("is refused where the phase it stands before is gone, even if its state can be migrated", async () => {
    const { project, run } = await stoppedRun();
    const loop = loopOf({ version: 2, make: "build", migrate: carryOver });
    await expectUnfit(project, run, loop, /stands before the phase 'make'/);
  });

  it("is refused where its phase is gone but every object has something of that name", async () => {
    const project = await openTemp();
    const old = loopOf({ judge: "constructor" });
    const { run } = await project.start(old, {}, { ceilings: { iterations: 2 } });
    const error = await failure(project.resume(loopOf(), run, more));
    expect(error).toMatchObject({ code: "LOOP_CHANGED" });
  });

  it("goes on with a newer loop that carries its state over, once", async () => {
    const { project, run } = await stoppedRun();
    const calls: number[] = [];
    const migrate: Migrate = (old, from) => {
      calls.push(from);
      return carryOver(old, from);
    };
    const loop = loopOf({ version: 3, judge: "review", migrate });
    expect(await project.resume(loop, run, more)).toMatchObject({ state: { count: 104 } });
    expect(await project.resume(loop, run, { ceilings: { iterations: 5 } })).toMatchObject({ state: { count: 105 } });
    expect(calls).toEqual([1]);
    expect(await project.verify(run)).toMatchObject({ ok: true });
    expect(await failure(project.resume(loopOf(), run, more))).toMatchObject({ code: "LOOP_CHANGED" });
  });

  it.each<[string, Migrate, RegExp]>([
    [
      "throws",
      () => {
        throw new Error("no way to carry it over");
      },
      /no way to carry it over/,
    ],
    ["gives a state that does not fit", () => ({ count: "many" }) as never, /migrated state.*count/],
    ["gives nothing", () => undefined as never, /migrated state/],
    ["gives what is not plain JSON", () => ({ count: Number.NaN }), /migrated state/],
  ])("is left as it is by a migrate that %s", async (_what, migrate, why) => {
    const { project, run } = await stoppedRun();
    const { journal, process } = project.ports;
    const before = await journal.read(run);
    await expect(project.resume(loopOf({ version: 2, migrate }), run, more)).rejects.toThrow(why);
    expect(await journal.read(run)).toEqual(before);
    expect(await journal.holder(run, process)).toBeUndefined();
    expect(await project.resume(loopOf(), run, more)).toMatchObject({ state: { count: 4 } });
  });

  it("is refused where a gate's answer leads to a phase that is gone", async () => {
    const project = await openTemp();
    const gateLoop = (version: number, after: string) =>
      defineLoop({
        name: "gated",
        version,
        input: z.object({}),
        state,
        initial: () => ({ count: 0 }),
        start: "work",
        iteration: "work",
        phases: {
          work: {
            to: [after],
            run: (_state: unknown, ctx: Ctx) =>
              ctx.end("escalated", {
                gate: { name: "look", question: "Go on?", choices: { yes: after, no: null }, default: "no" },
              }),
          },
          [after]: { to: [], run: (_state: unknown, ctx: Ctx) => ctx.end("declined") },
        },
        migrate: (old: Readonly<Record<string, unknown>>) => old as never,
      } as never) as unknown as Loop<object, { count: number }>;
    const { run } = await project.start(gateLoop(1, "before"), {});
    await project.answer(run, "yes");
    const rows = await project.ports.journal.read(run);
    const error = await failure(project.resume(gateLoop(2, "after"), run));
    expect(error).toMatchObject({ code: "LOOP_CHANGED", message: expect.stringContaining("'before'") });
    expect(await project.ports.journal.read(run)).toEqual(rows);
    expect(await project.resume(gateLoop(1, "before"), run)).toMatchObject({ outcome: "declined" });
  });
});
