// Several attempts at one hull: the best score wins, and its files are the run's.

import type { Attempt, AttemptsContext, AttemptsSpec } from "@loopwright/core";
import { showScore } from "@loopwright/terminal";
import type { HullState, HullTask } from "./task/task.ts";

const scoreOf = ({ state }: Attempt<HullState>) => state.best?.score ?? 0;

export const attempts: AttemptsSpec<HullTask, HullState> = {
  compare: (_, ended) => {
    const sorted = ended.toSorted((a, b) => scoreOf(b) - scoreOf(a) || a.iterations - b.iterations);
    const ranking = sorted.filter(({ outcome }) => outcome === "done").map(({ attempt }) => attempt);
    const best = sorted[0]!;
    return {
      ranking,
      closest: best.attempt,
      reason: `${showScore(scoreOf(best))} is the best score of ${ended.length} attempts${ranking.length > 0 ? "" : ", and does not pass"}`,
      rows: ended.map((each) => ({
        attempt: each.attempt,
        outcome: each.outcome,
        score: showScore(scoreOf(each)),
        iterations: each.iterations,
      })),
    };
  },
  take: async (ctx, { state }) => saveFinal(ctx, state),
};

async function saveFinal(ctx: AttemptsContext, { best }: HullState): Promise<undefined> {
  if (best) await ctx.save("final.glb", await ctx.load(best.glb), "attempt");
  if (best?.blend) await ctx.save("final.blend", await ctx.load(best.blend), "attempt");
}
