// Effects are made once, whatever happens; trivial failures of generated work are fixed inside their iteration.
// Run it with: npx node examples/03-effects-and-retry.ts
import { append, defineLoop, ExecutionError, fastRetry, openProject, passIf } from "loopwright";
import { z } from "zod";

/** Stands for generated code: it fails on its first tries, and says why. */
function buildMast(height: number): string {
  if (height > 12) throw new ExecutionError("TOO_TALL", `a mast of ${height} m will break; 12 m is the most`);
  return `a mast of ${height} m`;
}

const rig = defineLoop({
  name: "rig",
  version: 1,
  input: z.object({ masts: z.number(), wanted: z.number() }),
  state: z.object({ built: z.array(z.string()), retries: z.number() }),
  initial: () => ({ built: [], retries: 0 }),
  start: "build",
  iteration: "build",
  phases: {
    build: {
      to: ["judge"],
      run: async (state, ctx) => {
        const tried = await fastRetry(ctx, {
          propose: (scope, problem, previous?: number) =>
            scope.effect("propose", {
              input: { problem: problem?.message, previous },
              run: () => (problem && previous ? previous - 2 : ctx.input.wanted),
            }),
          execute: (scope, height) => scope.effect("execute", { input: height, run: () => buildMast(height) }),
        });
        for (const error of tried.errors) console.log(`  fixed: ${error}`);
        const built = append(tried.result ?? "nothing");
        return ctx.to("judge", { built, retries: state.retries + tried.retry_count });
      },
    },
    judge: {
      to: ["build"],
      run: ({ built }, ctx) => {
        const { masts } = ctx.input;
        const verdict = ctx.verdict(
          passIf(built.length >= masts, built.length / masts, `${built.length} of ${masts} masts`),
        );
        return verdict.verdict === "pass" ? ctx.end("done") : ctx.to("build");
      },
    },
  },
});

await using project = await openProject();
const { outcome, reason, iterations, state } = await project.start(rig, { masts: 2, wanted: 15 });
console.log(`${outcome} - ${reason}, after ${iterations} iterations and ${state.retries} re-tries`);
