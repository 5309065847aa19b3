// Scores: what each iteration came to, and which was the best.

import { showScore } from "@loopwright/terminal";

export interface Point {
  iteration: number;
  score: number;
}

/** The score that each iteration came to, its last, in the order of the iterations. */
export function lastOfEach(scores: readonly Point[]): Point[] {
  const byIteration = new Map<number, Point>();
  for (const point of scores) byIteration.set(point.iteration, point);
  return [...byIteration.values()].sort((a, b) => a.iteration - b.iteration);
}

/** The best score so far, and the iteration that first had it. */
export function bestOf({ scores }: { scores: readonly Point[] }): Point | undefined {
  let best: Point | undefined;
  for (const point of lastOfEach(scores)) if (!best || point.score > best.score) best = point;
  return best;
}

/** Where a score was reached, in words. */
export function showPlace({ iteration }: Pick<Point, "iteration">): string {
  return iteration === 0 ? "at the start" : `in iteration ${iteration}`;
}

/** How a score has changed, as the difference of the two that are shown. */
export function shownChange(before: number, after: number): number {
  return Number((Number(showScore(after)) - Number(showScore(before))).toFixed(3));
}
