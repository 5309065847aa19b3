// test: the tests are run, and their verdict decides where the run goes.
//
// Held-out tests are run only once all others pass. Nothing of them is remembered but which of them, by their place in the
// order, passed: no name of them is in the state, and so none can reach a prompt. Where everything passes and the run would be
// done, the change itself is looked at; what is found there goes back to the implementer.

import { append, detectStuck, type Finding, type Observation, signTests } from "@loopwright/core";
import { hardOnes, type Judgment, judge, nameSome, runHeldOut } from "@loopwright/workspace";
import { addApproach } from "../asking/questions.ts";
import { addAccepted, betterOf } from "../best.ts";
import { decide } from "../decide.ts";
import { onStep, reportToTests } from "../stuck.ts";
import type { BestState, CodeContext, CodeState, Report } from "../task.ts";
import { type Look, lookAtChange } from "../testing/change.ts";
import { isSlow, runSuiteFor } from "../testing/test-files.ts";
import { findRegressions, learnTests, rememberPassed } from "../testing/test-set.ts";
import { withTests } from "../workspace.ts";
import { runTestsFixing, type Tested } from "./fix.ts";

/** Runs the tests, judges, counts, remembers the best, and goes on. */
export async function test(state: CodeState, ctx: CodeContext) {
  const { snapshot, report: first, retry_count, errors } = await runTestsFixing(state, ctx);
  const report = await wholeReport(state, ctx, { snapshot, report: first });
  const isGreen = judge(report, state.known_tests).verdict.verdict === "pass";
  const hidden_results =
    isGreen && ctx.input.held_out ? await withTests(ctx, state, { key: "hidden", snapshot }, runHeldOut) : [];
  // The reviewer may find nothing to change, which ends the run under the floor too.
  const mayEnd = isGreen && !hidden_results.includes("failed");
  const look: Look = mayEnd ? await lookAtChange(ctx, state, snapshot) : { findings: [] };
  const doubts = look.findings;
  const unaccepted = hardOnes(doubts);
  const judged = judge(report, state.known_tests, hidden_results, doubts);
  const { passed, failed } = judged;
  // Where nothing could be run, nothing is known to have gone.
  const missing = report.fault === undefined ? judged.missing : [];
  const verdict = ctx.verdict(judged.verdict);
  const passes = verdict.verdict === "pass";
  const shown: Observation = {
    ...{ iteration: ctx.iteration, score: verdict.score, artifact: state.impl_hash },
    ...signTests(reportToTests(report, missing, hidden_results, doubts)),
  };
  const history = passes ? [] : [...state.history, shown];
  const now = { iteration: ctx.iteration, score: verdict.score, passed: passed.length, snapshot, report };
  const broken = brokenTests(state, [...failed, ...missing]);
  // A state that broke what worked is never the best, whatever else it does.
  const best = broken.length > 0 && state.best ? state.best : betterOf(state.best, now);
  const seen = {
    ...{ snapshot, test_report: report, hidden_results, best, ...learnTests(state, report) },
    history: passes ? [] : append(shown),
    passed_tests: rememberPassed(state.passed_tests, passed, ctx.iteration),
    regressions: findRegressions(state.passed_tests, [...failed, ...missing]),
    ...(!passes && state.has_written && { approaches: addFailed(state, ctx.iteration, judged) }),
    ...(broken.length > 0 && state.best && { snapshot: best.snapshot }),
    ...(best === now && state.has_written && { accepted: addAccepted(state, now, verdict.reason) }),
    demands: [...(broken.length > 0 && state.best ? [backWords(best, broken)] : []), ...unaccepted.map(findingWords)],
    ...(look.unseen && { unseen: look.unseen }),
    ...(passes && { passed: stopWords(verdict.reason, ctx, state) }),
    proof: undefined,
  };
  await ctx.save("tests.json", `${JSON.stringify({ verdict, retry_count, errors, ...report }, null, 2)}\n`);
  await tellStuck(ctx, { ...state, history }, [...failed, ...missing]);
  const decision = decide({
    ...{ passes, history, iteration: ctx.iteration, floor: ctx.input.min_iterations },
    ...{ ceiling: ctx.ceilings.iterations, areTestsGiven: ctx.input.tests !== undefined || !state.test_file },
    ...(state.baseline && { isRepository: true, isUnaccepted: unaccepted.length > 0 }),
  });
  if (decision === "ceiling")
    return ctx.to("finalize", {
      ...seen,
      stopping: { outcome: decision, reason: stopWords(verdict.reason, ctx, state) },
    });
  if (passes && decision !== "done")
    await ctx.tell("floor-not-reached", { iteration: ctx.iteration, min_iterations: ctx.input.min_iterations });
  if (passes) return ctx.to("prove", seen);
  if (decision === "amend") return ctx.to("amend", seen);
  if (decision === "review") return ctx.to("review", seen);
  if (decision === "implement") return ctx.to("implement", seen);
  return ctx.to("audit", seen);
}

function brokenTests({ baseline }: CodeState, failing: readonly string[]): string[] {
  const before = new Set(baseline?.passing);
  return failing.filter((name) => before.has(name));
}

function backWords({ iteration }: BestState, broken: readonly string[]): string {
  const where = iteration === 0 ? "they were before the first edit" : `they were in iteration ${iteration}`;
  return `Your last change broke tests that passed before (${nameSome(broken)}), and was taken back: the files are as ${where}.`;
}

/** Where only some of a slow suite was run, and all of it passes, the word of the whole suite counts. */
async function wholeReport(
  state: CodeState,
  ctx: CodeContext,
  { snapshot, report }: Omit<Tested, "refusals">,
): Promise<Report> {
  const { baseline, known_tests } = state;
  if (!baseline || !isSlow(baseline) || judge(report, known_tests).verdict.verdict !== "pass") return report;
  return withTests(ctx, state, { key: "whole-suite", snapshot }, (cell, signal) =>
    runSuiteFor(cell, state, { signal, isWhole: true }),
  );
}

function findingWords({ message, fix }: Finding): string {
  return fix === undefined ? `Not accepted: ${message}.` : `Not accepted: ${message}. To do: ${fix}.`;
}

const MOST_NAMED = 10;

/** Says that the run goes nowhere; effective_stuck is in it once the ladder goes by it. */
async function tellStuck(
  ctx: CodeContext,
  { history, plan_generation }: Pick<CodeState, "history" | "plan_generation">,
  failing: readonly string[],
) {
  const stuck = detectStuck(history);
  const effective_stuck = onStep({ history }, "consultant")?.count;
  if (!stuck) return;
  const named = { failing: failing.slice(0, MOST_NAMED), failing_count: failing.length };
  await ctx.tell("stuck-detected", {
    ...{ ...stuck, ...named, ...(effective_stuck && { effective_stuck }), plan_generation },
  });
}

function stopWords(reason: string, { iteration }: CodeContext, { plan_generation }: CodeState): string {
  return `${reason} after ${iteration} ${iteration === 1 ? "iteration" : "iterations"} (plan ${plan_generation})`;
}

const MOST_FAILED = 50;

function addFailed(state: CodeState, iteration: number, judged: Judgment): CodeState["approaches"] {
  const failed = [...judged.failed, ...judged.missing];
  return addApproach(state.approaches, {
    ...{ iteration, approach: state.last_approach, result: judged.verdict.reason },
    ...(failed.length > 0 && failed.length <= MOST_FAILED && { failed }),
  });
}
