// What whoever judges the program sees of it: the plan's files as they are, and of a repository's long ones the parts that matter.

import { variablesOf } from "../asking/questions.ts";
import type { CodeContext, CodeState } from "../task.ts";
import { readPlanFiles, readTargets, splitFiles } from "../workspace.ts";

/** The variables of a prompt with the plan's files and the tests in them. */
export async function seenBy(state: CodeState, ctx: CodeContext): Promise<Record<string, unknown>> {
  const all = await readPlanFiles(ctx, state);
  if (!state.baseline) return variablesOf(state, ctx.input, all);
  const { files, parts } = await splitFiles(state, all);
  const variables = variablesOf(state, ctx.input, [...files, ...parts]);
  return ctx.input.tests ? variables : { ...variables, tests: await readTargets(ctx, state) };
}
