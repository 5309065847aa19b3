import { readFileSync } from "node:fs";
import { join } from "node:path";
import { memoryEngine } from "@loopwright/core/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineLoop } from "./define.ts";

const quick = defineLoop({
  name: "quick",
  version: 1,
  input: z.object({}),
  state: z.object({ steps: z.number() }),
  initial: () => ({ steps: 0 }),
  start: "step",
  iteration: "step",
  phases: {
    step: {
      to: ["step"],
      run: async (state, ctx) => {
        await ctx.effect("at once", { run: () => null });
        return ctx.to("step", { steps: state.steps + 1 });
      },
    },
  },
});

describe("the loop", () => {
  it("lets timers, heartbeats and Ctrl-C through, however quick its phases are", async () => {
    const { engine } = memoryEngine();
    const iterations = 1_000_000;
    const result = await engine.start(quick, {}, { ceilings: { iterations }, signal: AbortSignal.timeout(200) });
    expect(result.outcome).toBe("interrupted");
    expect(result.iterations).toBeLessThan(iterations);
  });

  it("reads on two screens", () => {
    const lines = readFileSync(join(import.meta.dirname, "loop.ts"), "utf8").split("\n");
    expect(lines.length).toBeLessThanOrEqual(120);
  });
});
