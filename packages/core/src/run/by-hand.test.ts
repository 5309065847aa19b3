// What a person has made between two iterations.

import { Crash, doomed, memoryEngine } from "@loopwright/core/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { climb } from "../../../../test/fakes/loops.ts";
import type { Context } from "../context.ts";
import { defineLoop } from "../define.ts";
import { UsageError } from "../errors.ts";
import { fail, pass } from "../outcomes.ts";
import type { Artifact } from "../record/events.ts";

type Notes = { made: string[] };
type Ctx = Context<null, Notes>;

/** Writes a note and looks at it; what a person gives is a note too. */
const notes = defineLoop({
  name: "notes",
  version: 1,
  input: z.null(),
  state: z.object({ made: z.array(z.string()) }),
  initial: () => ({ made: [] }),
  start: "write",
  iteration: "write",
  byHand: {
    phase: "take",
    file: "note.txt",
    check: (bytes) => {
      if (bytes.length === 0) throw new UsageError("EMPTY", "it is empty");
    },
  },
  phases: {
    write: {
      to: ["look"],
      run: async ({ made }: Notes, ctx: Ctx) => {
        const words = await ctx.effect("words", { run: () => `own ${ctx.iteration}` });
        return ctx.to("look", { made: [...made, words] });
      },
    },
    take: {
      to: ["look"],
      run: async ({ made }: Notes, ctx: Ctx) => {
        const words = Buffer.from(await ctx.load(ctx.given!)).toString();
        const seen = await ctx.effect("seen", { run: () => words.toUpperCase() });
        return ctx.to("look", { made: [...made, `${ctx.iteration}: ${seen}`] });
      },
    },
    look: {
      to: ["write"],
      run: ({ made }: Notes, ctx: Ctx) => {
        expect(ctx.given).toBeUndefined();
        const isGood = made.at(-1)!.includes("GOOD");
        ctx.verdict(isGood ? pass(1, "good") : fail(0.5, "not yet"));
        return isGood ? ctx.end("done") : ctx.to("write");
      },
    },
  },
});

const file = (words: string) => ({ name: "mine.txt", bytes: Buffer.from(words) });

describe("what a person has made", () => {
  it("takes the number of an iteration that was entered and not begun", async () => {
    const test = memoryEngine();
    const stop = new AbortController();
    const stopping = memoryEngine({
      ...test.ports,
      clock: test.clock,
      on: (event) => void (event.type === "verdict-recorded" && stop.abort()),
    });
    const { run, outcome } = await stopping.engine.start(notes, null, { signal: stop.signal });
    expect(outcome).toBe("interrupted");
    expect((await test.record(run)).entry).toMatchObject({ phase: "write", iteration: 2 });
    const { state, iterations } = await test.engine.resume(notes, run, { file: file("good") });
    expect(state.made).toEqual(["own 1", "2: GOOD"]);
    expect(iterations).toBe(2);
    const resumed = (await test.chain(run)).find(({ type }) => type === "run-resumed") as { given?: Artifact };
    expect(resumed.given).toMatchObject({ path: "attempt-000/iterations/iter-002/note.txt", size: 4 });
  });

  it("is the next iteration after one that has begun, and after a ceiling that was raised", async () => {
    const test = memoryEngine();
    const { run } = await test.engine.start(notes, null, { ceilings: { iterations: 1 } });
    const blocked = test.engine.resume(notes, run, { file: file("good") });
    await expect(blocked).rejects.toThrow(
      "the one iteration is used; raise the ceiling 'iterations' to go on, in the same command: --max-iterations 2",
    );
    const { state } = await test.engine.resume(notes, run, { file: file("bad"), ceilings: { iterations: 3 } });
    expect(state.made).toEqual(["own 1", "2: BAD", "own 3"]);
  });

  it("is refused where the loop or the run takes none, or the file cannot be meant, and nothing is recorded", async () => {
    const test = memoryEngine();
    const { run } = await test.engine.start(notes, null, { ceilings: { iterations: 1 } });
    const before = await test.journal.read(run);
    const empty = test.engine.resume(notes, run, { file: file(""), ceilings: {} });
    await expect(empty).rejects.toThrow("--max-iterations 2");
    expect(await test.journal.read(run)).toEqual(before);
    await expect(test.engine.resume(notes, run, { file: file(""), ceilings: { iterations: 2 } })).rejects.toThrow(
      "mine.txt is not taken in: it is empty",
    );
    await test.engine.resume(notes, run, { file: file("good"), ceilings: { iterations: 2 } });
    await expect(test.engine.resume(notes, run, { file: file("x") })).rejects.toThrow("has ended as done");
    const other = await test.engine.start(climb(), { top: 2 }, { signal: AbortSignal.abort() });
    await expect(test.engine.resume(climb(), other.run, { file: file("x") })).rejects.toThrow(
      "the loop 'climb' goes on without files; leave --with out",
    );
  });

  it("is taken in once, at whatever commit the process that takes it dies", async () => {
    let died = 0;
    for (let nth = 1; nth < 20; nth++) {
      const test = memoryEngine();
      const { run } = await test.engine.start(notes, null, { ceilings: { iterations: 1 } });
      const ceilings = { iterations: 3 };
      let count = 0;
      const fate = () => (++count === nth ? (nth % 2 === 0 ? "before" : "after") : undefined);
      const isDead = await doomed(test, fate)
        .engine.resume(notes, run, { file: file("bad"), ceilings })
        .then(
          () => false,
          (error) => error instanceof Crash,
        );
      if (isDead) died += 1;
      const isTaken = (await test.chain(run)).some((event) => event.type === "run-resumed" && event.given);
      const rest = await test.other().engine.resume(notes, run, isTaken ? {} : { file: file("bad"), ceilings });
      expect(rest.state.made, `died at ${nth}`).toEqual(["own 1", "2: BAD", "own 3"]);
    }
    expect(died).toBeGreaterThan(5);
  });
});
