// plan: the consultant writes the tests, unless they are given, and a plan for the implementer. The first plan must be had;
// one that cannot be had later leaves the plan before it in force. Either way the generation is the next one, and the
// history that being stuck is seen by begins anew.

import { errorLine } from "@loopwright/core";
import { PlanForm, PlanOnlyForm, planAnswer } from "../asking/answers.ts";
import { askForm } from "../asking/ask-form.ts";
import { makeQuestion, variablesOf } from "../asking/questions.ts";
import { noteReplaced, ring, warn } from "../notes.ts";
import type { CodeContext, CodeState } from "../task.ts";
import { collectGivenTests, replaceTests, writeFirstTests } from "../testing/test-set.ts";
import { planChange } from "./plan-change.ts";

/** Asks for a plan, and writes its tests where they may be written. */
export async function plan(state: CodeState, ctx: CodeContext) {
  if (state.baseline) return planChange(state, ctx);
  const isFirst = state.plan.length === 0;
  const areGiven = ctx.input.tests !== undefined;
  const plan_generation = state.plan_generation + 1;
  const question = await makeQuestion(ctx, "plan", variablesOf(state, ctx.input, []));
  const reading = planAnswer({ wantsTests: isFirst && !areGiven, fallbackFile: state.plan[0]?.file });
  const { answer, fault } = await askForm(ctx, question, areGiven ? PlanOnlyForm : PlanForm, reading);
  if (fault !== undefined && isFirst) {
    await ring(ctx, 1, "there is no usable plan");
    const reason = `there is no usable plan: ${errorLine(fault)}`;
    return ctx.to("finalize", { stopping: { outcome: "failed", reason } });
  }
  if (fault !== undefined) {
    await warn(ctx, "PLAN_KEPT", `the re-plan could not be used, and the plan before it stays: ${errorLine(fault)}`);
    return ctx.to("implement", { plan_generation, history: [] });
  }
  const next = { plan: answer.plan, plan_generation, history: [] };
  await ctx.save(`plans/plan-${plan_generation}.json`, `${JSON.stringify(answer, null, 2)}\n`, "run");
  if (areGiven) return ctx.to("implement", { ...next, ...(isFirst && (await collectGivenTests(state, ctx))) });
  if (isFirst) return ctx.to("implement", { ...next, ...(await writeFirstTests(state, ctx, answer.tests!)) });
  const replaced = answer.tests && (await replaceTests(state, ctx, answer.tests));
  if (replaced) await noteReplaced(ctx, replaced.original_test_count, "the re-plan");
  return ctx.to("implement", { ...next, ...replaced });
}
