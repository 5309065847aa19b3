// finalize: the workspace is left in its best state, and the run stops for the reason that was decided.
//
// Endings that no phase decides (a ceiling on time, tokens or dollars, a dead endpoint, Ctrl-C) do not come here, and
// `finish` cannot reach the workspace: it writes the best state's files into the run's folder, where they are not what the
// workspace holds. At the ceiling of iterations the best state is restored here, before the engine ends the run.

import type { Ending, FinishContext } from "@loopwright/core";
import type { FileBlock } from "@loopwright/workspace";
import { isWorthRestoring } from "../best.ts";
import { writeHandOff } from "../hand-off.ts";
import type { CodeContext, CodeState, CodeTask } from "../task.ts";
import { workcellOf } from "../workspace.ts";

/** Restores the best state, and ends the run. */
export async function finalize(state: CodeState, ctx: CodeContext) {
  const { outcome, reason } = state.stopping!;
  const restored = outcome !== "done" && isWorthRestoring(state.best, state.snapshot) ? state.best : undefined;
  const snapshot = restored?.snapshot ?? state.snapshot;
  await workcellOf(ctx, { snapshot }).effect("restore", {
    input: { snapshot: snapshot ?? null },
    run: async () => null,
  });
  if (restored) await ctx.tell("best-restored", { iteration: restored.iteration, score: restored.score });
  const standing = { snapshot, stopping: undefined, ...(restored && { test_report: restored.report }) };
  if (outcome === "done") return ctx.end("done", { reason, patch: standing });
  // One iteration more than the ceiling allows: the engine ends the run, and a raised ceiling lets it go on here.
  if (outcome === "ceiling") return ctx.to("implement", standing);
  // A person may change the workspace before the run goes on: it is then taken as it stands.
  const patch = { ...standing, snapshot: undefined };
  if (outcome === "failed") return ctx.end("failed", { reason, patch, next: "summarise" });
  const question = `${reason}. Edit the task file (its Domain Knowledge, say) or the workspace, then answer 'resume' to have it planned again.`;
  const gate = { name: "escalation", question, choices: { resume: "summarise", stay: null }, default: "stay" } as const;
  return ctx.end("escalated", { reason, patch, gate });
}

/** Writes the hand-off note and the ledger; and where the best state is not the last one, its files. */
export async function finish(state: CodeState, ending: Ending, ctx: FinishContext<CodeTask>): Promise<void> {
  await ctx.save("hand-off.md", writeHandOff(state, ending, ctx));
  const { best, snapshot } = state;
  if (!best?.files || snapshot === undefined || !isWorthRestoring(best, snapshot)) return;
  const files = JSON.parse(Buffer.from(await ctx.load(best.files)).toString()) as FileBlock[];
  for (const { path, content } of files) await ctx.save(`best/${path.replace(/[\\:]/g, "_")}`, content);
}
