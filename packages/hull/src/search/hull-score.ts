// What the evaluator will say of a hull that is not built yet: the same measure, on silhouettes of the same size.

import { silhouette } from "@loopwright/mesh";
import { type HullParameters, loft } from "../loft/index.ts";
import { type Masks, type ReferenceView, scoreView, scoreViews } from "../measure/score.ts";
import type { HullTask } from "../task.ts";

/** The overall score of a loft beside references at the size of the pictures. */
export function scoreHull(hull: HullParameters, references: Masks, { frame, render_size }: HullTask): number {
  const mesh = loft(hull);
  const view = (name: ReferenceView) => scoreView(silhouette(mesh, name, frame, render_size), references[name]);
  return scoreViews({ front: view("front"), side: view("side"), top: view("top") }, 1).overall;
}
