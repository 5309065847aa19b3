// audit: the tests are held against the task. Corrected ones take their place only where they do not shrink; the run then
// goes on with the implementer. An audit that cannot be read means no more than that the review comes next.

import { errorLine } from "@loopwright/core";
import { askForm, auditForm } from "../asking/answers.ts";
import { makeQuestion } from "../asking/questions.ts";
import { reviewerFor } from "../decide.ts";
import { noteConsultant, noteReplaced, warn } from "../notes.ts";
import { showProgram } from "../showing/program.ts";
import type { CodeContext, CodeState } from "../task.ts";
import { replaceTests } from "../testing/test-set.ts";

/** Asks whether the tests are right, and replaces them where they are not and may be. */
export async function audit(state: CodeState, ctx: CodeContext) {
  const role = reviewerFor(state);
  await noteConsultant(ctx, role, "to audit the tests");
  const variables = await showProgram(ctx, state, { areTestsWhole: true });
  const question = await makeQuestion(
    ctx,
    "audit",
    { ...variables, stuck: role === "consultant" },
    { role, room: state.test_file ? [state.test_file] : [] },
  );
  const { answer, fault } = await askForm(ctx, question, auditForm);
  if (fault !== undefined) {
    await warn(ctx, "AUDIT_UNREADABLE", `the audit could not be read, and the review comes next: ${errorLine(fault)}`);
    return ctx.to("review", { audit_issues: [] });
  }
  const { tests_correct, issues: audit_issues, tests } = answer;
  if (tests_correct) return ctx.to("review", { audit_issues });
  const { replaced, refused } = tests ? await replaceTests(state, ctx, tests) : {};
  if (!replaced) return ctx.to("review", { audit_issues: [...audit_issues, ...(refused ? [refused] : [])] });
  await noteReplaced(ctx, replaced, "the audit");
  await ctx.save("corrected-tests.txt", replaced.test_file.content);
  return ctx.to("implement", { ...replaced, audit_issues: [] });
}
