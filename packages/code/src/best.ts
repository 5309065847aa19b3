// The best state so far: the one with the highest score; of two that are alike, the later. Pure.

import type { BestState } from "./task.ts";

/** The better of what was best and what is there now. */
export function betterOf(best: BestState | undefined, now: BestState): BestState {
  return best && best.score > now.score ? best : now;
}

/** Whether the best state is another one than that which stands, so that it is worth restoring. */
export function isWorthRestoring(best: BestState | undefined, snapshot: string | undefined): best is BestState {
  return best !== undefined && best.snapshot !== snapshot;
}
