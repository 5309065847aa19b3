// Drives a run that holds its lease for long, in a process of its own: `node test/crash/holder.ts <dir> [<run>]`.
//
// Prints "holding <run>" once a phase is under way, and how it ended.

import { setTimeout as wait } from "node:timers/promises";
import { append, defineLoop, type LoopwrightError, openProject, pass } from "loopwright";
import { z } from "zod";

export const slow = defineLoop({
  name: "slow",
  version: 1,
  input: z.object({ steps: z.number(), pauseMs: z.number() }),
  state: z.object({ steps: z.array(z.number()) }),
  initial: () => ({ steps: [] }),
  start: "step",
  iteration: "step",
  phases: {
    step: {
      to: ["step"],
      run: async (_state, ctx) => {
        await ctx.effect("pause", { run: ({ signal }) => wait(ctx.input.pauseMs, null, { signal }) });
        if (ctx.iteration < ctx.input.steps) return ctx.to("step", { steps: append(ctx.iteration) });
        ctx.verdict(pass(1, "all steps made"));
        return ctx.end("done", { patch: { steps: append(ctx.iteration) } });
      },
    },
  },
});

if (import.meta.main) {
  const [dir, run] = process.argv.slice(2) as [string, string | undefined];
  const on = (event: { type: string; run: string }) => {
    if (event.type === "phase-started") console.log(`holding ${event.run}`);
  };
  const project = await openProject({ dir, on });
  try {
    const result = run ? await project.resume(slow, run) : await project.start(slow, { steps: 15, pauseMs: 200 });
    console.log(`ended ${result.outcome}`);
  } catch (error) {
    console.log(`refused ${(error as LoopwrightError).code} ${(error as Error).message}`);
    process.exitCode = 1;
  } finally {
    await project.close();
  }
}
