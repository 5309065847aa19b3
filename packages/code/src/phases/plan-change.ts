// plan, where there is a program already: the target tests are fixed before the first edit, and a plan says which files change.
// Targets are the given tests, else failing tests that the plan names and new ones that fail on the program as it is. An answer
// that leaves nothing to aim at is asked for again.

import { errorLine, FormatError } from "@loopwright/core";
import { parseObject, retryWithModel } from "@loopwright/models";
import { judge } from "@loopwright/workspace";
import { type ChangeAnswer, planChangeAnswer, planChangeForm } from "../asking/answers.ts";
import { makeQuestion, variablesOf } from "../asking/questions.ts";
import { readSources } from "../asking/sources.ts";
import { ring, warn } from "../notes.ts";
import type { CodeContext, CodeState, CodeTask } from "../task.ts";
import { onlyCounted } from "../testing/suite.ts";
import { type Aim, aimAt, aimAtGiven } from "../testing/targets.ts";

/** An answer of which a plan can be made, or that asks to see more where it may. */
function readPlan(text: string, mayRead: boolean): ChangeAnswer {
  const answer = parseObject(text, planChangeAnswer);
  if (mayRead || answer.read.length === 0) return answer;
  if (answer.plan.length > 0) return { ...answer, read: [] };
  throw new FormatError("NO_PLAN", "You have seen what you asked for, and nothing more can be shown: plan with that.");
}

/** Asks for a plan, and fixes what must pass. */
export async function planChange(state: CodeState, ctx: CodeContext) {
  const isFirst = state.plan.length === 0;
  const areGiven = ctx.input.tests !== undefined;
  const plan_generation = state.plan_generation + 1;
  const mayRead = state.wanted === undefined;
  const shown = await readSources(ctx, state);
  const tried = await retryWithModel<CodeTask, CodeState, ChangeAnswer, Aim | null>(ctx, {
    ...(await makeQuestion(ctx, "plan-change", { ...variablesOf(state, ctx.input, []), ...shown, may_read: mayRead })),
    schema: planChangeForm({ wantsTests: isFirst && !areGiven, mayRead }),
    read: (text) => readPlan(text, mayRead),
    maxRetries: ctx.input.retries,
    execute: async (scope, answer) => {
      if (!isFirst || answer.read.length > 0) return null;
      if (areGiven) return aimAtGiven(scope, state);
      return aimAt(scope, state, answer);
    },
  });
  if (tried.failure && isFirst) {
    await ring(ctx, 1, "there is no usable plan");
    const reason = `there is no usable plan: ${errorLine(tried.failure.message)}`;
    return ctx.to("finalize", { stopping: { outcome: "failed", reason } });
  }
  if (tried.failure) {
    await warn(ctx, "PLAN_KEPT", `the re-plan could not be used, and the plan before it stays`);
    return ctx.to("implement", { plan_generation, history: [] });
  }
  const { plan, read } = tried.work!;
  if (read.length > 0) {
    await ctx.tell("wanted", { parts: read });
    return ctx.to("plan", { wanted: read });
  }
  await ctx.save(`plans/plan-${plan_generation}.json`, `${JSON.stringify(tried.work, null, 2)}\n`, "run");
  const next = { plan, plan_generation, history: [] };
  if (!tried.result) return ctx.to("implement", next);
  const { report, ...aim } = tried.result;
  await ctx.tell("targets", { tests: aim.targets });
  const known_tests = [...new Set([...aim.targets, ...state.baseline!.passing])];
  const { verdict, passed } = judge(report, known_tests);
  const best = {
    iteration: 0,
    score: verdict.score,
    passed: passed.length,
    snapshot: aim.snapshot,
    report,
  };
  return ctx.to("implement", {
    ...next,
    ...aim,
    known_tests,
    best,
    unseen: undefined,
    test_report: onlyCounted(report, { ...state, ...aim, known_tests }),
  });
}
