// execute: the code is carried out in the workcell, from the snapshot that the iteration began with. Code that raises
// is mended by fast retry; that all tries failed is recorded, and the evaluator still looks.

import { fastRetry } from "@loopwright/core";
import { runAndRecord } from "../measure/scene.ts";
import type { ModellingCell } from "../modelling.ts";
import { type Proposal, repair } from "../search/builder.ts";
import type { Execution, HullContext, HullState } from "../task.ts";

/** Carries the code out, and saves how that went. */
export async function execute(state: HullState, ctx: HullContext) {
  const { workcell } = ctx.input;
  const tried = await fastRetry<HullContext["input"], HullState, Proposal, Awaited<ReturnType<typeof runAndRecord>>>(
    ctx,
    {
      propose: async (_scope, problem, previous) =>
        problem && previous ? repair(state, problem, previous.code) : { plan: state.last_plan, code: state.last_code },
      execute: (scope, { code }) =>
        scope.workcell<ModellingCell>(workcell, state.workcell_snapshot).effect("run", {
          input: { code },
          run: (cell, effect) => runAndRecord(cell, effect, code, ctx.input),
        }),
    },
  );
  const { result: scene, failure, retry_count, errors } = tried;
  const execution: Execution = {
    status: scene ? "succeeded" : "failed",
    result: scene?.result ?? null,
    ...(failure && { failure }),
    retry_count,
    errors,
  };
  await ctx.save("execution.json", `${JSON.stringify(execution, null, 2)}\n`);
  const { plan, code } = tried.work!;
  if (retry_count > 0) await ctx.save("code.json", code);
  const { result: _, ...recorded } = scene ?? { result: null };
  return ctx.to("evaluate", {
    ...recorded,
    last_plan: plan,
    last_code: code,
    last_execution_result: execution,
    retry_count,
    consecutive_failures: scene ? 0 : state.consecutive_failures + 1,
  });
}
