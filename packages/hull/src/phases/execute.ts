// build and execute: the builder proposes a plan and code, and the code is carried out in the workcell, from the snapshot that the
// iteration began with. Code that raises is fixed by fast retry; that all tries failed is recorded, and the evaluator still looks.

import { type FastRetryResult, fastRetry } from "@loopwright/core";
import { retryWithModel, roleOf, toRequest } from "@loopwright/models";
import { repair, searchBatch } from "../search/builder.ts";
import type { Execution, HullContext, HullState, HullTask } from "../task/task.ts";
import { type ModelingCell, runAndRecord, type Scene } from "../workcell/cells.ts";
import { codeFile } from "../workcell/code.ts";
import { builderQuestion, type Proposal, parseBuilderAnswer } from "./asking.ts";

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

/** Carries the code out, and saves how that went. */
export async function execute(state: HullState, ctx: HullContext) {
  const { workcell, builder } = ctx.input;
  const tried = builder === "model" ? await tryModel(state, ctx) : await trySearch(state, ctx);
  const { result: scene, failure, retry_count, errors } = tried;
  const execution: Execution = {
    status: scene ? "succeeded" : "failed",
    result: scene?.result ?? null,
    ...(failure && { failure }),
    retry_count,
    errors,
  };
  await ctx.save("execution.json", `${JSON.stringify(execution, null, 2)}\n`);
  const { plan, code } = tried.work ?? { plan: "No answer had a usable form.\n", code: "" };
  if (builder === "model") await ctx.save("plan.txt", plan);
  if (builder === "model" || retry_count > 0) await ctx.save(codeFile(ctx.input), code);
  const { result: _, ...recorded } = scene ?? { result: null };
  return ctx.to("evaluate", {
    ...recorded,
    ...(scene && workcell !== "loft" && { standing_code: code }),
    ...(builder === "model" && { answer: undefined }),
    last_plan: plan,
    last_code: code,
    last_execution_result: execution,
    retry_count,
    consecutive_failures: scene ? 0 : state.consecutive_failures + 1,
  });
}

type Tried = FastRetryResult<Proposal, Scene>;

/** The search's code; after an error it goes half as far. */
function trySearch(state: HullState, ctx: HullContext): Promise<Tried> {
  return fastRetry<HullTask, HullState, Proposal, Scene>(ctx, {
    propose: async (_scope, problem, previous) =>
      problem && previous
        ? repair(state, ctx.input, problem, previous.code)
        : { plan: state.last_plan, code: state.last_code },
    execute: (scope, proposal) => carryOut(scope, state, proposal),
    maxRetries: ctx.input.max_retries,
  });
}

/** The model's answer; after an error, or where it has no usable form, the model is asked again. */
async function tryModel(state: HullState, ctx: HullContext): Promise<Tried> {
  return retryWithModel<HullTask, HullState, Proposal, Scene>(ctx, {
    ...(await builderQuestion(ctx, state)),
    ...(state.answer && { first: state.answer }),
    read: parseBuilderAnswer,
    execute: (scope, proposal) => carryOut(scope, state, proposal),
  });
}

function carryOut(ctx: HullContext, state: HullState, { code }: Proposal): Promise<Scene> {
  return ctx.workcell<ModelingCell>(ctx.input.workcell, state.workcell_snapshot).effect("run", {
    input: { code },
    run: (cell, effect) => runAndRecord(cell, effect, code, ctx.input),
  });
}
