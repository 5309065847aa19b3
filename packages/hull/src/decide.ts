// The stop rules, in their order: threshold, ceilings, failed, stagnant. Pure.

import { firstStop, type StopRule, scoreAtLeast, stagnation } from "@loopwright/core";
import type { HullState, HullTask } from "./task.ts";

type Limits = Pick<HullTask, "score_threshold" | "max_retries" | "stagnation">;

/** What the rules look at, after an iteration was judged. */
export interface Facts extends Pick<HullState, "iteration_history" | "consecutive_failures"> {
  readonly iteration: number;
  /** The ceiling of iterations as it stands now. */
  readonly ceiling: number;
  readonly passes: boolean;
}

export type Decision =
  | { readonly to: "build" }
  | { readonly to: "finalize"; readonly status: "converged" | "failed" | "stagnant"; readonly reason: string };

const words = { done: "converged", failed: "failed", stagnant: "stagnant" } as const;

/** Whether to go on. At the ceiling of iterations the engine itself ends the run, so that it can be raised. */
export function decide(facts: Facts, limits: Limits): Decision {
  const { iteration_history: history, consecutive_failures: failures, iteration, ceiling } = facts;
  const reached: StopRule = (seen) => (facts.passes ? scoreAtLeast(limits.score_threshold)(seen) : undefined);
  const done = firstStop(history, [reached]);
  if (!done && iteration >= ceiling) return { to: "build" };
  const stop = done ?? firstStop(history, [failed(failures, limits.max_retries), stagnation(limits.stagnation)]);
  if (!stop) return { to: "build" };
  return { to: "finalize", status: words[stop.outcome as keyof typeof words], reason: stop.reason };
}

function failed(failures: number, limit: number): StopRule {
  return () =>
    failures < limit
      ? undefined
      : { outcome: "failed", reason: `${failures} iterations in a row could not be executed, even after re-tries` };
}
