// finalize: the run stops for the reason that was decided. A repair reaches the user's files where the run is done; at every other
// ending, whoever decided it, the checkout holds the program as it was.

import type { Ending, FinishContext } from "@loopwright/core";
import { applyResult, type ProjectCell, withLeft } from "@loopwright/workspace";
import { writeHandOff } from "../hand-off.ts";
import type { RepairContext, RepairState, RepairTask } from "../task.ts";
import { WORKCELL, workspaceAt } from "../workspace.ts";

/** Ends the run; a resume of one that is not done goes on searching, or looks again where there was nothing to search. */
export async function finalize(state: RepairState, ctx: RepairContext) {
  const { outcome, reason } = state.stopping!;
  const patch = { stopping: undefined };
  if (outcome === "done") {
    const applied = await applyResult(ctx, workspaceAt(ctx, state.snapshot));
    return ctx.end("done", { reason: withLeft(reason, applied), patch: { ...patch, applied: applied.written.length } });
  }
  return ctx.end(outcome, { reason, patch, next: state.search ? "search" : "locate" });
}

/** Leaves the workspace as it is to be left, and writes the note, and the diff where there is a repair. */
export async function finish(state: RepairState, ending: Ending, ctx: FinishContext<RepairTask>): Promise<void> {
  const { snapshot, search } = state;
  const kept = ending.outcome === "done" ? snapshot : (search?.base ?? snapshot);
  // Whoever presses Ctrl-C will go on, or look at what stands there: nothing is put in its place.
  if (kept !== undefined && ending.outcome !== "interrupted")
    await ctx.workcell<ProjectCell>(WORKCELL, kept).effect("restore", { run: async () => null });
  await ctx.save("hand-off.md", writeHandOff(state, ending, ctx));
  if (ending.outcome === "done" && search?.diff) await ctx.save("repair.diff", search.diff);
}
