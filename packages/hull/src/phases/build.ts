// build: the builder proposes what to do next, as a plan in words and code for the workcell.

import { searchBatch } from "../search/builder.ts";
import type { HullContext, HullState } from "../task.ts";

/** Asks the builder, and saves its plan and its code. */
export async function build(state: HullState, ctx: HullContext) {
  const { plan, code, search } = await searchBatch(state, ctx);
  await ctx.save("plan.txt", plan);
  await ctx.save("code.json", code);
  return ctx.to("execute", { status: "running", status_reason: "", last_plan: plan, last_code: code, search });
}
