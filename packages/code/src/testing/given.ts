// Given tests that a person has corrected since they were last read: they count from the next iteration on, so also where a run is
// resumed. What was best, known and passed under the old ones begins anew, and an approach that failed by nothing but what was wrong
// with them is no failed approach.

import { correctedTests, judge, runSuite, runTests } from "@loopwright/workspace";
import type { CodeContext, CodeState } from "../task.ts";
import { workcellOf } from "../workspace.ts";
import { rememberPassed } from "./regressions.ts";
import { isOf } from "./test-files.ts";

/** What a correction comes to: what it changes in the state, and whether everything passes as it stands. */
export interface Correction {
  patch: Partial<CodeState>;
  passes: boolean;
}

/** Reads given tests again; undefined where they are what they were. */
export async function takeCorrected(state: CodeState, ctx: CodeContext): Promise<Correction | undefined> {
  const before = state.given_tests ?? ctx.input.tests;
  if (!before) return undefined;
  const taken = await workcellOf(ctx, state).effect("given-tests", {
    run: async (cell, { signal }) => {
      const given_tests = await cell.takeTests(before);
      if (!given_tests) return null;
      const snapshot = await cell.snapshot();
      const own = await runTests(cell, { signal });
      await cell.restore(snapshot);
      if (!state.baseline) return { given_tests, snapshot, own, report: own };
      const { report } = await runSuite(cell, { signal });
      await cell.restore(snapshot);
      return { given_tests, snapshot, own, report };
    },
  });
  if (!taken) return undefined;
  const { given_tests, snapshot, own, report } = taken;
  const isCorrected = await correctedTests(before, given_tests);
  const targets = own.tests.filter(({ state: each }) => each === "passed" || each === "failed").map(({ name }) => name);
  const isGiven = (name: string) => [...before, ...given_tests].some(({ path }) => isOf(name, path));
  const others = state.baseline ? state.known_tests.filter((name) => !isGiven(name)) : [];
  const known_tests = [...new Set([...others, ...targets])];
  const isVindicated = ({ failed }: CodeState["approaches"][number]) => failed?.every(isCorrected) === true;
  const vindicated = state.approaches.filter(isVindicated);
  const iteration = ctx.iteration - 1;
  const { verdict, passed } = judge(report, known_tests);
  await ctx.tell("tests-corrected", {
    files: given_tests.filter(({ content }) => !before.some((old) => old.content === content)).map(({ path }) => path),
    vindicated: vindicated.map((each) => each.iteration),
  });
  return {
    passes: verdict.verdict === "pass",
    patch: {
      ...{ given_tests, snapshot, known_tests, test_report: report, original_test_count: targets.length },
      ...(state.targets && { targets }),
      ...{ hidden_results: [], history: [], regressions: [], passed_tests: rememberPassed([], passed, iteration) },
      approaches: state.approaches.filter((each) => !vindicated.includes(each)),
      best: { iteration, score: verdict.score, passed: passed.length, snapshot, report },
    },
  };
}
