// plan: the consultant writes the tests, unless they are given, and a plan for the implementer. The first plan must be had;
// one that cannot be had later leaves the plan before it in force. Either way the generation is the next one, and the
// history that being stuck is seen by begins anew.
//
// Where there is a program already, the target tests are fixed before the first edit: the given tests, else failing tests that the
// plan names and new ones that fail on the program as it is. An answer that leaves nothing to aim at is asked for again. The planner
// may look at the program first.

import { errorLine, FormatError } from "@loopwright/core";
import { parseObject, retryWithModel, withoutThought } from "@loopwright/models";
import { judge } from "@loopwright/workspace";
import {
  askForm,
  type ChangeAnswer,
  type PlanAnswer,
  planChangeReading,
  planChangeSchema,
  planForm,
} from "../asking/answers.ts";
import { makeQuestion, variablesOf } from "../asking/questions.ts";
import { openLooking } from "../looking/looking.ts";
import { lookLines, type Requests, readRequests, SEEN_ENOUGH } from "../looking/requests.ts";
import { noteReplaced, ring, warn } from "../notes.ts";
import { budgetsIn } from "../rank/budget.ts";
import type { CodeContext, CodeState, CodeTask } from "../task.ts";
import { type Aim, aimAt, aimAtGiven } from "../testing/targets.ts";
import { onlyCounted } from "../testing/test-files.ts";
import { collectGivenTests, replaceTests, writeFirstTests } from "../testing/test-set.ts";
import { type Installed, installPackages } from "./packages.ts";

/** Asks for a plan, and writes its tests where they may be written. */
export async function plan(before: CodeState, ctx: CodeContext) {
  if (before.baseline) return planChange(before, ctx);
  const isFirst = before.plan.length === 0;
  const areGiven = ctx.input.tests !== undefined;
  const question = await makeQuestion(ctx, "plan", variablesOf(before, ctx.input, []));
  const form = planForm({ isFirst, areGiven, fallbackFile: before.plan[0]?.file });
  const installed: Installed = { patch: {}, isRefused: false };
  const { answer, fault } = await askForm(ctx, question, form, async (scope, { packages, tests }) => {
    if (isFirst && packages) await installPackages(scope, before, { packages, testPath: tests?.path }, installed);
  });
  const state = { ...before, ...installed.patch };
  if (fault !== undefined) return goWithout(state, ctx, fault);
  const next = { ...installed.patch, ...(await keepPlan(state, ctx, answer)) };
  if (areGiven) return ctx.to("implement", { ...next, ...(isFirst && (await collectGivenTests(state, ctx))) });
  if (isFirst) return ctx.to("implement", { ...next, ...(await writeFirstTests(state, ctx, answer.tests!)) });
  return ctx.to("implement", { ...next, ...(await correctTests(state, ctx, answer)) });
}

/** The tests that a plan other than the first gives, where they may take the place of the run's own. */
async function correctTests(state: CodeState, ctx: CodeContext, { tests }: PlanAnswer) {
  const { replaced } = tests ? await replaceTests(state, ctx, tests) : {};
  if (replaced) await noteReplaced(ctx, replaced, "the re-plan");
  return replaced;
}

/** The same where there is a program: asks for a plan, and fixes what must pass. */
async function planChange(state: CodeState, ctx: CodeContext) {
  const isFirst = state.plan.length === 0;
  const areGiven = ctx.input.tests !== undefined;
  const { readSources } = await import("../showing/sources.ts");
  const variables = { ...variablesOf(state, ctx.input, []), ...(await readSources(ctx, state)) };
  const { question, follow } = await openLooking(ctx, state, {
    who: "the planner",
    room: budgetsIn(ctx.input.windows).plannerSeen,
    prompt: "plan-change",
    ask: async (view) => ({
      ...(await makeQuestion(ctx, "plan-change", { ...variables, ...view })),
      schema: planChangeSchema({
        tests: areGiven ? undefined : isFirst ? "new" : state.test_file && "corrected",
        mayLook: view.looks_left > 0,
      }),
    }),
    read: readLooks,
  });
  const tried = await retryWithModel<CodeTask, CodeState, ChangeAnswer, Aim | null>(ctx, {
    ...question,
    follow,
    read: readPlan,
    maxRetries: ctx.input.max_retries,
    execute: async (scope, answer) => {
      if (!isFirst) return null;
      return areGiven ? aimAtGiven(scope, state) : aimAt(scope, state, answer);
    },
  });
  if (tried.failure) return goWithout(state, ctx, tried.failure.message);
  const next = await keepPlan(state, ctx, tried.work!);
  if (!tried.result)
    return ctx.to("implement", { ...next, ...(!areGiven && (await correctTests(state, ctx, tried.work!))) });
  const { report, ...aim } = tried.result;
  const { targets, snapshot } = aim;
  await ctx.tell("targets", { tests: targets });
  const known_tests = [...new Set([...targets, ...state.baseline!.passing])];
  const { verdict, passed } = judge(report, known_tests);
  return ctx.to("implement", {
    ...{ ...next, ...aim, known_tests, unseen: undefined },
    best: { iteration: 0, score: verdict.score, passed: passed.length, snapshot, report },
    test_report: onlyCounted(report, { ...state, ...aim, known_tests }),
  });
}

/** Where no plan can be had: the first one ends the run, a later one leaves the plan as it is. */
async function goWithout({ plan, plan_generation }: CodeState, ctx: CodeContext, fault: string) {
  if (plan.length > 0) {
    await warn(ctx, "PLAN_KEPT", `the re-plan could not be used, and the plan before it stays: ${errorLine(fault)}`);
    return ctx.to("implement", { plan_generation: plan_generation + 1, history: [] });
  }
  await ring(ctx, 1, "there is no usable plan");
  const reason = `there is no usable plan: ${errorLine(fault)}`;
  return ctx.to("finalize", { stopping: { outcome: "failed", reason } });
}

async function keepPlan({ plan_generation: before }: CodeState, ctx: CodeContext, answer: PlanAnswer) {
  const plan_generation = before + 1;
  await ctx.save(`plans/plan-${plan_generation}.json`, `${JSON.stringify(answer, null, 2)}\n`, "run");
  const { plan, requirements } = answer;
  return { plan, plan_generation, history: [], said: "", ...(requirements && { requirements }) };
}

function readLooks(text: string): Requests {
  const lines = lookLines(withoutThought(text), { mayBeBare: true });
  if (lines.length > 0) return readRequests(lines);
  try {
    return readRequests(parseObject(text, planChangeReading).look, { isList: true });
  } catch (error) {
    if (error instanceof FormatError) return { looks: [], problems: [] };
    throw error;
  }
}

function readPlan(text: string): ChangeAnswer {
  if (lookLines(withoutThought(text), { mayBeBare: true }).length > 0) throw new FormatError("NO_PLAN", SEEN_ENOUGH);
  const answer = parseObject(text, planChangeReading);
  if (answer.plan.length === 0) throw new FormatError("NO_PLAN", SEEN_ENOUGH);
  return answer;
}
