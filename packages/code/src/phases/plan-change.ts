// plan, where there is a program already: the target tests are fixed before the first edit, and a plan says which files change.
// Targets are the given tests, else failing tests that the plan names and new ones that fail on the program as it is. An answer
// that leaves nothing to aim at is asked for again. The planner may look at the program first.

import { errorLine, FormatError } from "@loopwright/core";
import { parseObject, retryWithModel, withoutThought } from "@loopwright/models";
import { judge } from "@loopwright/workspace";
import { type ChangeAnswer, planChangeAnswer, planChangeForm } from "../asking/answers.ts";
import { makeQuestion, variablesOf } from "../asking/questions.ts";
import { openLooking } from "../looking/looking.ts";
import { lookLines, type Requests, readRequests, SEEN_ENOUGH } from "../looking/requests.ts";
import { ring, warn } from "../notes.ts";
import { budgetsIn } from "../rank/budget.ts";
import { readSources } from "../showing/sources.ts";
import type { CodeContext, CodeState, CodeTask } from "../task.ts";
import { onlyCounted } from "../testing/suite.ts";
import { type Aim, aimAt, aimAtGiven } from "../testing/targets.ts";

/** What an answer asks to see. */
function readLooks(text: string): Requests {
  const lines = lookLines(withoutThought(text), { mayBeBare: true });
  if (lines.length > 0) return readRequests(lines);
  try {
    return readRequests(parseObject(text, planChangeAnswer).look, { isList: true });
  } catch (error) {
    if (error instanceof FormatError) return { looks: [], problems: [] };
    throw error;
  }
}

/** An answer of which a plan can be made. */
function readPlan(text: string): ChangeAnswer {
  if (lookLines(withoutThought(text), { mayBeBare: true }).length > 0) throw new FormatError("NO_PLAN", SEEN_ENOUGH);
  const answer = parseObject(text, planChangeAnswer);
  if (answer.plan.length === 0) throw new FormatError("NO_PLAN", SEEN_ENOUGH);
  return answer;
}

/** Asks for a plan, and fixes what must pass. */
export async function planChange(state: CodeState, ctx: CodeContext) {
  const isFirst = state.plan.length === 0;
  const areGiven = ctx.input.tests !== undefined;
  const plan_generation = state.plan_generation + 1;
  const variables = { ...variablesOf(state, ctx.input, []), ...(await readSources(ctx, state)) };
  const { question, follow } = await openLooking(ctx, state, {
    who: "the planner",
    room: budgetsIn(ctx.input.windows).plannerSeen,
    prompt: "plan-change",
    ask: async (view) => ({
      ...(await makeQuestion(ctx, "plan-change", { ...variables, ...view })),
      schema: planChangeForm({ wantsTests: isFirst && !areGiven, mayLook: view.looks_left > 0 }),
    }),
    read: readLooks,
  });
  const tried = await retryWithModel<CodeTask, CodeState, ChangeAnswer, Aim | null>(ctx, {
    ...question,
    follow,
    read: readPlan,
    maxRetries: ctx.input.retries,
    execute: async (scope, answer) => {
      if (!isFirst) return null;
      return areGiven ? aimAtGiven(scope, state) : aimAt(scope, state, answer);
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
  const { plan } = tried.work!;
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
