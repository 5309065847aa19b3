import { memoryEngine } from "@loopwright/core/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineLoop, type Phase, type Transition } from "./define.ts";

const stay: Phase<never, never> = { to: [], run: () => ({}) as Transition };
const sound = {
  name: "sound",
  version: 1,
  input: z.object({}),
  state: z.object({}),
  initial: () => ({}),
  start: "a",
  iteration: "a",
  phases: { a: stay },
};

/** What plain JavaScript could write: none of the compiler's checks. */
const define = (changes: object) => defineLoop({ ...sound, ...changes } as never);

describe("defineLoop", () => {
  it("gives back a loop that can no longer be changed", () => {
    const loop = define({});
    expect(loop.name).toBe("sound");
    expect(Object.isFrozen(loop)).toBe(true);
  });

  it.each(["Loud", "", "two words", "1st", "-dash", "../up"])("refuses the name '%s'", (name) => {
    expect(() => define({ name })).toThrow(expect.objectContaining({ code: "LOOP_INVALID" }));
  });

  it.each([
    ["start", { start: "b" }, "'start' names 'b', which is not a phase"],
    ["iteration", { iteration: "b" }, "'iteration' names 'b', which is not a phase"],
    ["a target", { phases: { a: { ...stay, to: ["b"] } } }, "'a' names 'b', which is not a phase"],
    ["a target that every object has", { phases: { a: { ...stay, to: ["toString"] } } }, "which is not a phase"],
  ])("refuses %s that is not a phase", (_what, changes, message) => {
    expect(() => define(changes)).toThrow(message);
  });

  it("refuses at run time a target that the phase's `to` does not list", async () => {
    const { engine } = memoryEngine();
    const loop = define({
      phases: { a: { to: [], run: () => ({ kind: "goto", to: "b", patch: {} }) }, b: stay },
    });
    await expect(engine.start(loop, {})).rejects.toMatchObject({ code: "PHASE_UNLISTED" });
  });

  it("refuses at run time an ending whose next phase the `to` does not list, before it is committed", async () => {
    const { engine, journal, types } = memoryEngine();
    const end = { kind: "end", outcome: "stagnant", reason: "no", patch: {}, next: "nowhere" };
    const loop = define({ phases: { a: { to: [], run: () => end } } });
    await expect(engine.start(loop, {})).rejects.toMatchObject({ code: "PHASE_UNLISTED" });
    const [run] = await journal.runs();
    expect(await types(run!)).not.toContain("run-ended");
  });

  it.each([
    ["input", { input: z.object({ n: z.number() }) }, "input.n does not fit its schema"],
    ["initial state", { state: z.object({ n: z.number() }) }, "the initial state.n does not fit its schema"],
  ])("makes no run of an %s that does not fit its schema", async (_what, changes, message) => {
    const { engine, journal } = memoryEngine();
    await expect(engine.start(define(changes), {})).rejects.toThrow(message);
    expect(await journal.runs()).toEqual([]);
  });
});
