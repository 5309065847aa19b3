// One look of the evaluator: it reads the pictures and the export that were saved, measures them beside the references,
// and puts its feedback and its verdict on record. It executes nothing.

import { type Critic, combine, type Problem, type Verdict } from "@loopwright/core";
import { checkMesh, compareMasks, glbToMesh, pictureToPng } from "@loopwright/mesh";
import type { Feedback, HullContext } from "../task.ts";
import { type Measurement, measure } from "./measure.ts";
import { joinPictures } from "./pictures.ts";
import { pngToMask, referenceMasks } from "./references.ts";
import type { Scene } from "./scene.ts";
import { type Masks, type ReferenceView, referenceViews } from "./score.ts";

/** Measures a scene as it stands on record. */
export async function look(
  ctx: HullContext,
  scene: Pick<Scene, "current_renders" | "current_glb">,
  failure: Problem | undefined,
): Promise<{ feedback: Feedback; verdict: Verdict }> {
  const { frame, render_size, score_threshold } = ctx.input;
  const references = referenceMasks(ctx.input, render_size);
  const seen = async (view: ReferenceView) => pngToMask(await ctx.load(scene.current_renders[view]!));
  const masks: Masks = { front: await seen("front"), side: await seen("side"), top: await seen("top") };
  const surface = checkMesh(await glbToMesh(await ctx.load(scene.current_glb)));
  const measured = measure({ masks, references, frame, surface, failure }, score_threshold);
  await ctx.save("feedback.json", `${JSON.stringify(measured.feedback, null, 2)}\n`);
  const pictures = referenceViews.map((view) => compareMasks(masks[view], references[view]));
  await ctx.save("compare.png", pictureToPng(joinPictures(pictures)));
  const opinion = await measuring.look(measured);
  return {
    feedback: measured.feedback,
    verdict: ctx.verdict(combine({ measure: opinion }, { pass: score_threshold })),
  };
}

/** The measured evidence as an opinion; others may stand beside it. */
const measuring: Critic<Measurement> = {
  name: "measure",
  look: ({ feedback, findings, reason }) => ({ score: feedback.overall_score, findings, reason }),
};
