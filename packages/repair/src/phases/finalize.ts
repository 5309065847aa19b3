// finalize: a repair stays in the workspace; without one the program is left as it was. Then the run stops for the reason
// that was decided.

import type { Ending, FinishContext } from "@loopwright/core";
import { writeHandOff } from "../hand-off.ts";
import type { RepairContext, RepairState, RepairTask } from "../task.ts";
import { workspaceAt } from "../workspace.ts";

/** Leaves the workspace as it is to be left, and ends the run. */
export async function finalize(state: RepairState, ctx: RepairContext) {
  const { outcome, reason } = state.stopping!;
  const snapshot = outcome === "done" ? state.snapshot : (state.search?.base ?? state.snapshot);
  await workspaceAt(ctx, snapshot).effect("restore", { input: { snapshot: snapshot ?? null }, run: async () => null });
  const patch = { snapshot, stopping: undefined };
  if (outcome === "done") return ctx.end("done", { reason, patch });
  // One iteration more than the ceiling allows: the engine ends the run, and a raised ceiling lets it go on here.
  if (outcome === "ceiling") return ctx.to("search", patch);
  if (outcome === "stagnant") return ctx.end("stagnant", { reason, patch, next: "search" });
  // A person may change the workspace before the run goes on: it is then taken as it stands.
  return ctx.end("failed", { reason, patch: { ...patch, snapshot: undefined }, next: "locate" });
}

/** Writes the note, and the diff where there is a repair. */
export async function finish(state: RepairState, ending: Ending, ctx: FinishContext<RepairTask>): Promise<void> {
  await ctx.save("hand-off.md", writeHandOff(state, ending, ctx));
  if (ending.outcome === "done" && state.search?.diff) await ctx.save("repair.diff", state.search.diff);
}
