// review: the program is held against its tests, and the plan is corrected. A review that cannot be read, or whose plan has
// no entry that can be understood, leaves the plan as it is.

import { errorLine } from "@loopwright/core";
import { judge, nameSome } from "@loopwright/workspace";
import { askForm, type ReviewAnswer, reviewForm } from "../asking/answers.ts";
import { makeQuestion } from "../asking/questions.ts";
import { reviewerFor } from "../decide.ts";
import { noteConsultant, noteReplaced, warn } from "../notes.ts";
import { openTrials, type Tried } from "../proof/evidence.ts";
import { showProgram } from "../showing/program.ts";
import type { CodeContext, CodeState, CodeTask } from "../task.ts";

/** Whether the tests, the held-out ones and the look at the change were content with what stands. */
function hasPassed({ best, snapshot, history }: CodeState): boolean {
  return best !== undefined && best.snapshot === snapshot && best.score === 1 && history.length === 0;
}

/** Whether there are tests that nobody in the run can correct. */
function mayGiveUp({ tests }: CodeTask, { baseline, test_report, known_tests }: CodeState): boolean {
  if (!test_report || judge(test_report, known_tests).verdict.verdict === "pass") return false;
  return tests !== undefined || baseline !== undefined;
}

function giveUpWords({ diagnosis, obstacle }: ReviewAnswer): string {
  const { kind, tests } = obstacle!;
  const what = kind === "environment" ? "tests need what is not there" : "tests contradict the task or one another";
  return `the reviewer says that ${what}${tests.length > 0 ? ` (${nameSome(tests)})` : ""}: ${diagnosis}`;
}

/** What a review says of the proof. */
function learnFrom({ proof, requirements }: CodeState, answer: ReviewAnswer): Partial<CodeState> {
  if (!proof) return {};
  const open = openTrials(proof.trials);
  const excuses = new Map(answer.cannot_matter?.map(({ number, why }) => [open[number - 1], why]));
  const excused = (each: Tried) => (excuses.has(each) ? { ...each, excuse: excuses.get(each)! } : each);
  const ledger = answer.requirements ?? requirements;
  return { proof: { ...proof, trials: proof.trials.map(excused) }, ...(ledger && { requirements: ledger }) };
}

/** Takes tests that a review adds to those of the run, where they are tests of its own. */
async function addTests(state: CodeState, ctx: CodeContext, { tests }: ReviewAnswer) {
  if (!tests || !state.proof || !state.test_file || ctx.input.tests) return undefined;
  const { replaceTests } = await import("../testing/test-set.ts");
  const { replaced } = await replaceTests(state, ctx, tests);
  if (!replaced) return undefined;
  await noteReplaced(ctx, replaced, "the review");
  return { patch: replaced, passes: judge(replaced.test_report, replaced.known_tests).verdict.verdict === "pass" };
}

/** Asks for a diagnosis and a corrected plan. */
export async function review(state: CodeState, ctx: CodeContext) {
  const role = reviewerFor(state);
  await noteConsultant(ctx, role, "to review the program");
  const canGiveUp = mayGiveUp(ctx.input, state);
  const variables = {
    ...(await showProgram(ctx, state)),
    ...{ stuck: role === "consultant", can_give_up: canGiveUp, is_repository: state.baseline !== undefined },
  };
  const question = await makeQuestion(ctx, "review", variables, { role });
  const form = reviewForm({ canGiveUp, hasProof: state.proof !== undefined, fallbackFile: state.plan[0]?.file });
  const { answer, fault } = await askForm(ctx, question, form);
  if (fault !== undefined) {
    await warn(ctx, "REVIEW_UNREADABLE", `the review could not be read, and the plan stays: ${errorLine(fault)}`);
    return ctx.to("implement", {});
  }
  const { diagnosis: last_diagnosis, code: last_review_code, plan } = answer;
  await ctx.save("review.json", `${JSON.stringify(answer, null, 2)}\n`);
  const learned = { last_diagnosis, ...learnFrom(state, answer) };
  const grown = await addTests(state, ctx, answer);
  if (grown) return ctx.to(grown.passes ? "prove" : "implement", { ...learned, ...grown.patch });
  if (hasPassed(state) && answer.complete) {
    const { verdict } = judge(state.test_report!, state.known_tests);
    const reason = `${verdict.reason}, and the reviewer finds nothing to change`;
    return ctx.to("finalize", { ...learned, stopping: { outcome: "done", reason } });
  }
  if (canGiveUp && answer.obstacle)
    return ctx.to("finalize", { last_diagnosis, stopping: { outcome: "escalated", reason: giveUpWords(answer) } });
  if (plan.length === 0) await warn(ctx, "PLAN_KEPT", "the review's plan has no usable entry, and the plan stays");
  return ctx.to("implement", { last_diagnosis, last_review_code, ...(plan.length > 0 && { plan }) });
}
