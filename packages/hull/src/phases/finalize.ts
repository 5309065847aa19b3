// finalize: the run stops for the reason that was decided. At every ending, whoever decided it, the best hull becomes
// the final one, and where the task wants that, a game asset.

import { type Ending, type FinishContext, isFinal, type Outcome } from "@loopwright/core";
import { EDIT_FILE } from "../folders.ts";
import { makeGameAsset } from "../game-asset/asset.ts";
import type { HullContext, HullState, HullTask } from "../task/task.ts";

/** Ends the run; a resume of one that is not done goes on building. */
export function finalize(state: HullState, ctx: HullContext) {
  const reason = state.status_reason;
  if (state.status === "converged") return ctx.end("done", { reason });
  const outcome = state.status === "failed" ? "failed" : "stagnant";
  return ctx.end(outcome, { reason, next: "build" });
}

/** The run folder's word for an outcome; the others keep their own. */
const statusOf: Partial<Record<Outcome, string>> = { done: "converged", ceiling: "budget_exhausted" };

/** Writes the final files. */
export async function finish(state: HullState, ending: Ending, ctx: FinishContext<HullTask>): Promise<void> {
  const { best } = state;
  const last = ctx.scores.at(-1);
  const final = {
    status: statusOf[ending.outcome] ?? ending.outcome,
    reason: ending.reason,
    score: best?.score ?? null,
    best_iteration: best?.iteration ?? null,
    best_score: best?.score ?? null,
    last_iteration: last?.iteration ?? null,
    last_score: last?.score ?? null,
    iterations: ctx.iterations,
  };
  if (best) await ctx.save("final.glb", await ctx.load(best.glb));
  if (best?.blend) await ctx.save("final.blend", await ctx.load(best.blend));
  await ctx.save("final_score.json", `${JSON.stringify(final, null, 2)}\n`);
  if (state.current_blend && !isFinal(ending.outcome)) await ctx.save(EDIT_FILE, await ctx.load(state.current_blend));
  const { builder, evaluator } = ctx.input;
  const seconds = Math.round(ctx.active / ctx.iterations / 100) / 10;
  if (best && ctx.iterations > 0 && (builder === "model" || evaluator !== "measure"))
    ctx.tell("progress", { from: ctx.scores[0]!.score, to: best.score, iterations: ctx.iterations, seconds });
  const isOver = ending.outcome !== "interrupted" && ending.outcome !== "cancelled";
  if (ctx.input.game_asset && best && isOver) await makeGameAsset(ctx, best);
}
