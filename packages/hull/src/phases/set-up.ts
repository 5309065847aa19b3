// setup: the references and the baseline are put on record, and the start is measured like everything after it.

import { type Artifact, sha256 } from "@loopwright/core";
import { maskToPicture, pictureToPng } from "@loopwright/mesh";
import { type HullParameters, parametersToPoint } from "../loft/parameters.ts";
import { look } from "../measure/look.ts";
import { cutOutMasks, pictureOf } from "../measure/references.ts";
import { applyBaseline, drawBaseline, drawSeed } from "../search/builder.ts";
import { startSearch } from "../search/search.ts";
import type { HullContext, HullState } from "../task/task.ts";
import { type ModelingCell, runAndRecord } from "../workcell/cells.ts";
import { hullToCode } from "../workcell/code.ts";

/** Draws or takes the baseline, builds it, and measures it. */
export async function setUp(_state: HullState, ctx: HullContext) {
  const task = ctx.input;
  const asksModels = task.builder === "model" || task.evaluator !== "measure";
  const references = await recordTask(ctx);
  const hull = task.builder === "search" ? await startingHull(ctx) : undefined;
  const code = hull ? hullToCode(hull, task) : "";
  const { result, ...scene } = await ctx.workcell<ModelingCell>(task.workcell).effect("baseline", {
    input: { code },
    run: async (cell, effect) => {
      const start = await runAndRecord(cell, effect, code, task);
      await effect.save("baseline.glb", await cell.exportGlb(), "run");
      if (cell.exportBlend) await effect.save("baseline.blend", await cell.exportBlend(), "run");
      return start;
    },
  });
  const shown = { ...scene, ...(asksModels && { references }) };
  const { feedback, verdict, compared } = await look(ctx, shown, undefined);
  return ctx.to("build", {
    ...shown,
    last_code: code,
    ...(task.workcell !== "loft" && { standing_code: code }),
    compared,
    evaluator_feedback: feedback,
    current_score: verdict.score,
    detected_issues: feedback.detected_issues,
    suggested_fixes: feedback.suggested_fixes,
    best: {
      iteration: 0,
      score: verdict.score,
      glb: scene.current_glb,
      ...(scene.current_blend && { blend: scene.current_blend }),
      snapshot: scene.workcell_snapshot,
    },
    ...(hull && { search: startSearch(parametersToPoint(hull), drawSeed(ctx)) }),
  });
}

/** Saves the references and the configuration. */
async function recordTask(ctx: HullContext): Promise<Record<string, Artifact>> {
  const { references, ...config } = ctx.input;
  const digests: Record<string, string> = {};
  const saved: Record<string, Artifact> = {};
  for (const [name, reference] of Object.entries(references)) {
    const bytes = Buffer.from(pictureOf(reference), "base64");
    digests[name] = sha256(bytes);
    saved[name] = await ctx.save(`references/${name}.png`, bytes, "run");
  }
  // What is taken for the object, where the pictures do not show it by transparency: a person should be able to look.
  for (const [name, mask] of Object.entries(cutOutMasks(ctx.input)))
    await ctx.save(`references/${name}-mask.png`, pictureToPng(maskToPicture(mask)), "run");
  const { baseline } = config;
  const shown = baseline?.blend === undefined ? config : { ...config, baseline: "baseline.blend" };
  await ctx.save("config.json", `${JSON.stringify({ ...shown, references: digests }, null, 2)}\n`, "attempt");
  return saved;
}

/** Where a search begins. */
async function startingHull(ctx: HullContext): Promise<HullParameters> {
  const { baseline } = ctx.input;
  const random = ctx.random("baseline");
  if (baseline) return applyBaseline(baseline as Readonly<Record<string, number>>);
  return ctx.effect("draw-baseline", { run: ({ signal }) => drawBaseline(ctx.input, random, signal) });
}
