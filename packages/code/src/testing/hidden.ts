// Held-out tests. Nothing of them is remembered but which of them, by their place in the order, passed.

import { runHeldOut } from "@loopwright/workspace";
import type { CodeContext, CodeState } from "../task.ts";
import { putTests, workcellOf } from "../workspace.ts";

/** The results of held-out tests in their order, with the tests of the state in place. */
export async function runHidden(
  ctx: CodeContext,
  state: CodeState,
  snapshot: string,
): Promise<CodeState["hidden_results"]> {
  return workcellOf(ctx, { snapshot }).effect("hidden", {
    run: async (cell, { signal }) => {
      await putTests(cell, state.test_file);
      return runHeldOut(cell, signal);
    },
  });
}
