// The stop rules, in their order: threshold, ceilings, failed, stagnant. Pure.

import { detectStuck } from "@loopwright/core";
import { showCount } from "@loopwright/terminal";
import type { HullState, HullTask } from "../task/task.ts";

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

/** Whether to go on. At the ceiling of iterations the engine itself ends the run, so that it can be raised. */
export function decide(facts: Facts, { score_threshold, max_retries, stagnation }: Limits): Decision {
  const { iteration_history: history, consecutive_failures: failures, iteration, ceiling, passes } = facts;
  const score = history.at(-1)?.score ?? 0;
  if (passes && score >= score_threshold)
    return stop("converged", `the score reached the threshold ${score_threshold}`);
  if (iteration >= ceiling) return { to: "build" };
  if (failures >= max_retries)
    return stop(
      "failed",
      `${showCount(failures, "iteration")}${failures === 1 ? "" : " in a row"} could not be executed, even after re-tries`,
    );
  const stuck = detectStuck(history, { stagnation });
  return stuck ? stop("stagnant", stuck.reason) : { to: "build" };
}

function stop(status: Extract<Decision, { to: "finalize" }>["status"], reason: string): Decision {
  return { to: "finalize", status, reason };
}
