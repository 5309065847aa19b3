// Held-out tests. Nothing of them is remembered but which of them, by their place in the order, passed.

import type { CodeContext, CodeState } from "../task.ts";
import { runTests, workcellOf } from "../workspace.ts";

/** The results of held-out tests in their order. A run of them that could not be had is one that failed. */
export async function runHidden(
  ctx: CodeContext,
  state: CodeState,
  snapshot: string,
): Promise<CodeState["hidden_results"]> {
  return workcellOf(ctx, { snapshot }).effect("hidden", {
    run: async (cell, { signal }) => {
      const { tests, fault } = await runTests(cell, state.test_file, { heldOut: true, signal });
      const results = tests.flatMap(({ state: each }) => (each === "passed" || each === "failed" ? [each] : []));
      return fault !== undefined || results.length === 0 ? [...results, "failed" as const] : results;
    },
  });
}
