// What the evaluator will say of a hull that is not built yet: the same measure, on silhouettes of the same size.

import { type HullParameters, loft } from "../loft/index.ts";
import { referenceMasks, seenAs } from "../measure/references.ts";
import { scoreView, scoreViews } from "../measure/score.ts";
import type { HullTask } from "../task.ts";

/** The overall score of a loft beside a task's references. */
export function scoreHull(hull: HullParameters, task: HullTask): number {
  const mesh = loft(hull);
  const references = Object.entries(referenceMasks(task, task.render_size));
  const views = references.map(([name, wanted]) => [
    name,
    scoreView(seenAs(mesh, name, task, task.render_size), wanted),
  ]);
  return scoreViews(Object.fromEntries(views), 1).overall;
}
