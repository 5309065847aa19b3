// Where a run starts: a hull that the task gives, or one that is drawn and is bad enough to be worth refining.

import { setImmediate } from "node:timers/promises";
import { applyCode, type HullParameters, middleHull, parameters, pointToParameters } from "../loft/parameters.ts";
import type { HullTask } from "../task/task.ts";
import { scoreHull } from "./objective.ts";

/** The most that a start may score. */
export const WORST_START = 0.75;
/** Pictures and silhouettes may differ by a pixel here and there. */
const MARGIN = 0.01;
const DRAWS = 200;

/** The hull that a task names, with what it leaves out in the middle of its range. */
export function applyBaseline(given: Readonly<Record<string, number>>): HullParameters {
  return applyCode(middleHull, JSON.stringify(given));
}

/** Draws hulls until one scores little enough; the smallest and the largest of all come last. */
export async function drawBaseline(task: HullTask, random: () => number, signal: AbortSignal): Promise<HullParameters> {
  let worst = { hull: middleHull, score: Number.POSITIVE_INFINITY };
  for (let draw = 0; draw < DRAWS + 2; draw++) {
    signal.throwIfAborted();
    await setImmediate();
    const corner = draw - DRAWS;
    const hull = pointToParameters(parameters.map(() => (corner < 0 ? 0.1 + 0.8 * random() : corner)));
    const score = scoreHull(hull, task);
    if (score <= WORST_START - MARGIN) return hull;
    if (score < worst.score) worst = { hull, score };
  }
  return worst.hull;
}
