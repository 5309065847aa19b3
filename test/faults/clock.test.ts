// A clock that jumps both ways by hours: time never goes backwards for a run, and only steady time costs anything (L5, L7).

import { append, type Clock, defineLoop, fail, type LoopEvent, type Project, pass } from "loopwright";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { failure, openTemp } from "./harness.ts";

const HOUR = 3_600_000;
const NOON = Date.UTC(2026, 2, 29, 12);

/** A clock that is set by hand; its steady side moves by a millisecond with each look. */
class HandClock implements Clock {
  time = NOON;
  steadyTime = 1_000;
  now(): number {
    return this.time;
  }
  steady(): number {
    this.steadyTime += 1;
    return this.steadyTime;
  }
  async wait(ms: number): Promise<void> {
    this.time += ms;
    this.steadyTime += ms;
  }
}

/** Jumps by an hour or more in every round, there and back. */
function jumping(clock: HandClock, rounds: number, seen: number[] = []) {
  const jumps = [5, -9, 3, -1, 12, -24, 2, 0.5];
  return defineLoop({
    name: "jumping",
    version: 1,
    input: z.object({}),
    state: z.object({ times: z.array(z.number()) }),
    initial: () => ({ times: [] }),
    start: "work",
    iteration: "work",
    phases: {
      work: {
        to: ["judge"],
        run: async ({ times }, ctx) => {
          seen.push(ctx.clock.now());
          for (const half of ["there", "back"]) {
            await ctx.effect(half, {
              run: () => {
                clock.time += jumps[(times.length + (half === "there" ? 0 : 1)) % jumps.length]! * HOUR;
                return null;
              },
            });
            seen.push(ctx.clock.now());
          }
          await ctx.all({
            a: async (scope) => void seen.push(scope.clock.now()),
            b: (scope) => scope.effect("late", { run: () => null }),
          });
          seen.push(ctx.clock.now());
          return ctx.to("judge", { times: append(ctx.clock.now()) });
        },
      },
      judge: {
        to: ["work"],
        run: ({ times }, ctx) => {
          seen.push(ctx.clock.now());
          ctx.verdict(times.length === rounds ? pass(1, "enough") : fail(0, "more"));
          return times.length === rounds ? ctx.end("done") : ctx.to("work");
        },
      },
    },
  });
}

/** Asks once, with a time limit or without. */
function asking(expiresIn: number | undefined, seen: number[] = []) {
  return defineLoop({
    name: "asking",
    version: 1,
    input: z.object({}),
    state: z.object({ choice: z.string() }),
    initial: () => ({ choice: "" }),
    start: "ask",
    iteration: "ask",
    phases: {
      ask: {
        to: ["after"],
        run: async (_state, ctx) => {
          seen.push(ctx.clock.now());
          const gate = { name: "gate", question: "Which?", choices: ["keep", "drop"], default: "keep" } as const;
          const { choice } = await ctx.ask({ ...gate, ...(expiresIn !== undefined && { expiresIn }) });
          seen.push(ctx.clock.now());
          return ctx.to("after", { choice });
        },
      },
      after: {
        to: [],
        run: (_state, ctx) => {
          seen.push(ctx.clock.now());
          return ctx.end("declined");
        },
      },
    },
  });
}

function expectForward(times: readonly number[]): void {
  expect(times).toEqual(times.toSorted((a, b) => a - b));
}

async function eventsOf(project: Project, run: string): Promise<{ at: number; active: number }[]> {
  return (await project.ports.journal.read(run)).map(({ body }) => JSON.parse(body));
}

describe("a clock that jumps by hours", () => {
  it("never makes an event's time, its active time or ctx.clock go backwards", async () => {
    const clock = new HandClock();
    const shown: LoopEvent[] = [];
    const seen: number[] = [];
    const project = await openTemp({ clock, on: (event) => shown.push(event) });
    const { run, outcome, state } = await project.start(jumping(clock, 8, seen), {});
    expect(outcome).toBe("done");
    expectForward(seen);
    expectForward(state.times);
    const events = await eventsOf(project, run);
    expectForward(events.map(({ at }) => at));
    expectForward(events.map(({ active }) => active));
    expectForward(shown.filter((event) => "seq" in event).map(({ at }) => at));
    expect(await project.verify(run)).toMatchObject({ ok: true });
  });

  it("never makes time go backwards over a resume", async () => {
    const clock = new HandClock();
    const seen: number[] = [];
    const project = await openTemp({ clock });
    const loop = jumping(clock, 6, seen);
    const { run } = await project.start(loop, {}, { ceilings: { iterations: 3 } });
    clock.time = NOON - 1000 * HOUR;
    await project.resume(loop, run, { ceilings: { iterations: 6 } });
    expectForward(seen);
    expectForward((await eventsOf(project, run)).map(({ at }) => at));
  });

  it("costs no minutes: only steady time counts against a ceiling", async () => {
    const clock = new HandClock();
    const project = await openTemp({ clock });
    const { outcome } = await project.start(jumping(clock, 8), {}, { ceilings: { minutes: 1, phaseMinutes: 1 } });
    expect(outcome).toBe("done");
  });

  it("gives no minutes either: steady time reaches a ceiling while the clock stands still or runs back", async () => {
    const clock = new HandClock();
    const project = await openTemp({ clock });
    const slow = jumping(clock, 8);
    const loop = {
      ...slow,
      phases: {
        ...slow.phases,
        judge: {
          ...slow.phases.judge!,
          run: (...args: Parameters<NonNullable<(typeof slow.phases)[string]>["run"]>) => {
            clock.steadyTime += 20_000;
            clock.time -= HOUR;
            return slow.phases.judge!.run(...args);
          },
        },
      },
    };
    const result = await project.start(loop, {}, { ceilings: { minutes: 1 } });
    expect(result).toMatchObject({ outcome: "ceiling", iterations: 3 });
    expect(result.reason).toContain("'minutes'");
  });

  it("does not let a gate expire when it jumps back, and lets it when its time is over", async () => {
    const clock = new HandClock();
    const project = await openTemp({ clock });
    const loop = asking(3600);
    const { run } = await project.start(loop, {});
    for (const time of [NOON - 5 * HOUR, NOON - 1, NOON + 0.99 * HOUR, NOON - 48 * HOUR]) {
      clock.time = time;
      expect(await project.resume(loop, run)).toMatchObject({ outcome: "waiting", advanced: false });
    }
    clock.time = NOON + 1.01 * HOUR;
    expect(await failure(project.answer(run, "drop"))).toMatchObject({ code: "GATE_EXPIRED" });
    expect(await project.resume(loop, run)).toMatchObject({ outcome: "declined", state: { choice: "keep" } });
  });

  it("takes an answer that comes while it is hours behind", async () => {
    const clock = new HandClock();
    const project = await openTemp({ clock });
    const loop = asking(3600);
    const { run } = await project.start(loop, {});
    clock.time = NOON - 7 * HOUR;
    await project.answer(run, "drop");
    const result = await project.resume(loop, run);
    expect(result).toMatchObject({ outcome: "declined", state: { choice: "drop" } });
    expectForward((await eventsOf(project, run)).map(({ at }) => at));
  });

  it("never makes ctx.clock go backwards after an answer that came while it was hours ahead", async () => {
    const clock = new HandClock();
    const seen: number[] = [];
    const project = await openTemp({ clock });
    const loop = asking(undefined, seen);
    const { run } = await project.start(loop, {});
    clock.time = NOON + 6 * HOUR;
    await project.answer(run, "drop");
    clock.time = NOON + 1000;
    await project.resume(loop, run);
    expectForward(seen);
  });

  it("reads the same in a visit that is run again after a stop, so that effects that depend on it are found", async () => {
    const clock = new HandClock();
    const project = await openTemp({ clock });
    let isBroken = true;
    const loop = defineLoop({
      name: "stamping",
      version: 1,
      input: z.object({}),
      state: z.object({ at: z.number() }),
      initial: () => ({ at: 0 }),
      start: "work",
      iteration: "work",
      phases: {
        work: {
          to: [],
          run: async (_state, ctx) => {
            const at = ctx.clock.now();
            await ctx.effect("stamp", { input: { at }, run: () => null });
            await ctx.effect("break", {
              run: () => {
                if (isBroken) throw new Error("broken");
                return null;
              },
            });
            return ctx.end("declined", { patch: { at } });
          },
        },
      },
    });
    await expect(project.start(loop, {})).rejects.toThrow("broken");
    const [run] = await project.ports.journal.runs();
    isBroken = false;
    clock.time += 3 * HOUR;
    expect(await project.resume(loop, run!)).toMatchObject({ outcome: "declined", state: { at: NOON } });
  });

  it("leaves a gate open for ever that was given for ever", async () => {
    for (const forever of [undefined, Number.POSITIVE_INFINITY]) {
      const clock = new HandClock();
      const project = await openTemp({ clock });
      const loop = asking(forever);
      let run: string;
      try {
        run = (await project.start(loop, {})).run;
      } catch (error) {
        expect(error, "a limit that cannot be kept is refused by name").toMatchObject({ code: expect.any(String) });
        continue;
      }
      clock.time = NOON + 10_000 * HOUR;
      expect(await project.resume(loop, run)).toMatchObject({ outcome: "waiting" });
    }
  });

  it("keeps run ids apart when it jumps back to a second that has had a run", async () => {
    const clock = new HandClock();
    const project = await openTemp({ clock });
    const ids = new Set<string>();
    for (const time of [NOON, NOON + HOUR, NOON, NOON]) {
      clock.time = time;
      ids.add((await project.start(asking(undefined), {})).run);
    }
    expect(ids.size).toBe(4);
  });
});
