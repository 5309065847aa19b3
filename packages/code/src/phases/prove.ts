// prove: the tests pass; now it is shown what that is worth. What no test notices goes to the reviewer once, who may add tests, or say why it cannot matter.

import { decide } from "../decide.ts";
import { type Evidence, linesOf, openTrials, wordOf, wordsOf } from "../proof/evidence.ts";
import { type Ground, gatherEvidence } from "../proof/gather.ts";
import type { CodeContext, CodeState } from "../task.ts";
import { fileOf, onlyCounted, suiteFiles } from "../testing/test-files.ts";
import { withTests } from "../workspace.ts";

/** Gathers the evidence, and goes where the tests' verdict leads. */
export async function prove(state: CodeState, ctx: CodeContext) {
  const proof = await gather(state, ctx);
  const lines = linesOf(proof, state.requirements);
  await ctx.tell("proof", { word: wordOf(lines), words: wordsOf(lines), seconds: Math.round(proof.spent_ms / 1000) });
  const decision = decide({
    ...{ passes: true, history: state.history, iteration: ctx.iteration, floor: ctx.input.min_iterations },
    ...{ ceiling: ctx.ceilings.iterations, areTestsGiven: ctx.input.tests !== undefined || !state.test_file },
    isRepository: state.baseline !== undefined,
  });
  if (decision === "audit") return ctx.to("audit", { proof });
  const mayGoOn = ctx.iteration < ctx.ceilings.iterations && state.baseline !== undefined && !state.is_told;
  if (decision === "review" || (mayGoOn && isTellable(proof))) return ctx.to("review", { proof, is_told: true });
  return ctx.to("finalize", { proof, stopping: { outcome: "done", reason: state.passed! } });
}

/** Whether there is anything that someone could do something about. */
function isTellable({ after, trials, checks, special }: Evidence): boolean {
  const isFailing = after.some(({ state }) => state === "failed");
  return isFailing || openTrials(trials).length + special.length > 0 || checks.some(({ found }) => found.length > 0);
}

async function gather(state: CodeState, ctx: CodeContext): Promise<Evidence> {
  const { baseline, snapshot, hidden_results, known_tests, plan, proof } = state;
  const ground: Ground = (which, key, run) =>
    withTests(ctx, state, { key, snapshot: which === "after" ? snapshot! : state.base! }, run);
  const suite = baseline ? await ground("after", "proof-suite", (cell) => suiteFiles(cell, state)) : "own";
  return gatherEvidence(ground, {
    ...{ suite, targets: state.targets ?? known_tests, hasBefore: baseline !== undefined },
    counted: (report) => (suite === "own" ? report : onlyCounted(report, state, suite)).tests,
    budget: ctx.input.proof_budget,
    planned: plan.map(({ file }) => file),
    task: state.task,
    testFiles: [...new Set((state.targets ?? known_tests).map(fileOf))],
    ...(proof && { earlier: proof.trials }),
    ...(hidden_results.length > 0 && {
      held_out: { passed: hidden_results.filter((each) => each === "passed").length, of: hidden_results.length },
    }),
  });
}
