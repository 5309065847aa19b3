// setup: the references and the baseline are put on record, and the start is measured like everything after it.

import { sha256 } from "@loopwright/core";
import { applyBaseline, drawBaseline } from "../baseline.ts";
import { parametersToCode, parametersToPoint } from "../loft/index.ts";
import { look } from "../measure/look.ts";
import { runAndRecord } from "../measure/scene.ts";
import { referenceViews } from "../measure/score.ts";
import type { ModellingCell } from "../modelling.ts";
import { startSearch } from "../search/search.ts";
import type { HullContext, HullState } from "../task.ts";

/** Draws or takes the baseline, builds it, and measures it. */
export async function setUp(_state: HullState, ctx: HullContext) {
  const task = ctx.input;
  const { references, ...config } = task;
  const digests: Record<string, string> = {};
  for (const view of referenceViews) {
    const bytes = Buffer.from(references[view], "base64");
    digests[view] = sha256(bytes);
    await ctx.save(`references/${view}.png`, bytes, "run");
  }
  await ctx.save("config.json", `${JSON.stringify({ ...config, references: digests }, null, 2)}\n`, "attempt");

  const random = ctx.random("baseline");
  const baseline = task.baseline
    ? applyBaseline(task.baseline)
    : await ctx.effect("draw-baseline", { run: ({ signal }) => drawBaseline(task, random, signal) });
  const code = parametersToCode(baseline);
  const { result, ...scene } = await ctx.workcell<ModellingCell>(task.workcell).effect("baseline", {
    input: { code },
    run: async (cell, effect) => {
      const start = await runAndRecord(cell, effect, code, task);
      await effect.save("baseline.glb", await cell.exportGlb(), "run");
      return start;
    },
  });
  const { feedback, verdict } = await look(ctx, scene, undefined);
  return ctx.to("build", {
    ...scene,
    last_code: code,
    evaluator_feedback: feedback,
    current_score: verdict.score,
    detected_issues: feedback.detected_issues,
    suggested_fixes: feedback.suggested_fixes,
    best: { iteration: 0, score: verdict.score, glb: scene.current_glb },
    search: startSearch(parametersToPoint(baseline), Math.floor(ctx.random("search")() * 2 ** 31)),
  });
}
