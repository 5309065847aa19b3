// review: the program is held against its tests, and the plan is corrected. A review that cannot be read, or whose plan has
// no entry that can be understood, leaves the plan as it is.

import { ReviewForm, reviewAnswer } from "../asking/answers.ts";
import { askForm } from "../asking/ask-form.ts";
import { makeQuestion } from "../asking/questions.ts";
import { showProgram } from "../asking/showing.ts";
import { reviewerFor } from "../decide.ts";
import { warn } from "../notes.ts";
import type { CodeContext, CodeState } from "../task.ts";

/** Whether the tests, the held-out ones and the look at the change were content with what stands. */
function hasPassed({ best, snapshot, history }: CodeState): boolean {
  return best !== undefined && best.snapshot === snapshot && best.score === 1 && history.length === 0;
}

/** Asks for a diagnosis and a corrected plan. */
export async function review(state: CodeState, ctx: CodeContext) {
  const role = reviewerFor(state);
  const variables = await showProgram(ctx, state);
  const question = await makeQuestion(ctx, "review", { ...variables, stuck: role === "consultant" }, role);
  const { answer, fault } = await askForm(ctx, question, ReviewForm, reviewAnswer(state.plan[0]?.file));
  if (fault !== undefined) {
    await warn(
      ctx,
      "REVIEW_UNREADABLE",
      `the review could not be read, and the plan stays: ${fault.split("\n", 1)[0]}`,
    );
    return ctx.to("implement", {});
  }
  const { diagnosis: last_diagnosis, code: last_review_code, plan } = answer;
  await ctx.save("review.json", `${JSON.stringify(answer, null, 2)}\n`);
  if (hasPassed(state) && /^\W*nothing\b/i.test(last_diagnosis)) {
    const reason = "every test passes, and the reviewer finds nothing to change";
    return ctx.to("finalize", { last_diagnosis, stopping: { outcome: "done", reason } });
  }
  if (plan.length === 0) await warn(ctx, "PLAN_KEPT", "the review's plan has no usable entry, and the plan stays");
  return ctx.to("implement", { last_diagnosis, last_review_code, ...(plan.length > 0 && { plan }) });
}
