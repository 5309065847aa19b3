// build: the builder proposes what to do next, as a plan in words and code for the workcell. A model's answer is taken as it
// came; whether it can be used is seen when it is carried out, where it can be asked again.

import { roleOf, toRequest } from "@loopwright/models";
import { searchBatch } from "../search/builder.ts";
import type { HullContext, HullState } from "../task/task.ts";
import { codeFile } from "../workcell/code.ts";
import { builderQuestion } from "./asking.ts";

/** Asks the builder, and saves its plan and its code. */
export async function build(state: HullState, ctx: HullContext) {
  if (ctx.input.builder === "model") {
    const question = await builderQuestion(ctx, state);
    const { text, finishReason } = await ctx.model(roleOf(question)).call("ask", toRequest(question));
    return ctx.to("execute", { status: "running", status_reason: "", answer: { text, finishReason } });
  }
  const { plan, code, search } = await searchBatch(state, ctx);
  await ctx.save("plan.txt", plan);
  await ctx.save(codeFile(ctx.input), code);
  return ctx.to("execute", { status: "running", status_reason: "", last_plan: plan, last_code: code, search });
}
