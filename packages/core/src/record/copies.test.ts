import { memoryEngine } from "@loopwright/core/testing";
import { expect, it, vi } from "vitest";
import { z } from "zod";
import * as ours from "../index.ts";

vi.resetModules();
const theirs = await import("../index.ts");

it("runs a loop whose project brings its own copy of this package", async () => {
  const loop = theirs.defineLoop({
    name: "copied",
    version: 1,
    input: z.object({}),
    state: z.object({ words: z.array(z.string()) }),
    initial: () => ({ words: ["a"] }),
    start: "step",
    iteration: "step",
    phases: {
      step: { to: ["lose"], run: async (_state, ctx) => ctx.to("lose", { words: theirs.append("b") }) },
      lose: {
        to: ["step"],
        run: async (_state, ctx) => {
          const gone = new theirs.InfrastructureError("GONE", "the worker is gone");
          await ctx.effect("lost", { run: () => Promise.reject(gone) }).catch((error) => {
            expect(error).toBeInstanceOf(theirs.InfrastructureError);
            throw error;
          });
          return ctx.to("step");
        },
      },
    },
  });
  const { engine } = memoryEngine();
  const result = await engine.start(loop, {});
  expect(result).toMatchObject({ outcome: "failed", state: { words: ["a", "b"] } });
});

it("knows an error of another copy by its class, and a derived class only by itself", () => {
  class Own extends theirs.UsageError {}
  const error = new Own("OWN", "own");
  expect(theirs.UsageError).not.toBe(ours.UsageError);
  expect(error).toBeInstanceOf(ours.UsageError);
  expect(error).toBeInstanceOf(ours.LoopwrightError);
  expect(error).not.toBeInstanceOf(ours.FormatError);
  expect(new ours.UsageError("OWN", "own")).not.toBeInstanceOf(Own);
  expect(ours.errorToRecord(error).kind).toBe("usage");
});
