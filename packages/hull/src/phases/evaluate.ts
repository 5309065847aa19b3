// evaluate: the evaluator looks at what was made, and the stop rules decide whether to go on.

import { detectStuck } from "@loopwright/core";
import { showCount } from "@loopwright/terminal";
import { look } from "../measure/look.ts";
import type { HullContext, HullState, HullTask } from "../task/task.ts";

type Limits = Pick<HullTask, "score_threshold" | "max_retries" | "stagnation">;

/** What the rules look at, after an iteration was judged. */
export interface Facts extends Pick<HullState, "iteration_history" | "consecutive_failures"> {
  readonly iteration: number;
  /** The ceiling of iterations as it stands now. */
  readonly ceiling: number;
  readonly passes: boolean;
}

type Decision =
  | { readonly to: "build" }
  | { readonly to: "finalize"; readonly status: "converged" | "failed" | "stagnant"; readonly reason: string };

/** Whether to go on. At the ceiling of iterations the engine itself ends the run, so that it can be raised. */
export function decide(facts: Facts, { score_threshold, max_retries, stagnation }: Limits): Decision {
  const { iteration_history: history, consecutive_failures: failures, iteration, ceiling, passes } = facts;
  const score = history.at(-1)?.score ?? 0;
  if (passes && score >= score_threshold)
    return stop("converged", `the score reached the threshold ${score_threshold}`);
  if (iteration >= ceiling) return { to: "build" };
  if (failures >= Math.max(1, max_retries))
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

/** Judges the scene, remembers the best, and goes on or stops. */
export async function evaluate(state: HullState, ctx: HullContext) {
  const { current_glb, current_blend, last_execution_result } = state;
  const { feedback, verdict, compared } = await look(
    ctx,
    { ...state, current_glb: current_glb! },
    last_execution_result?.failure,
  );
  const { score } = verdict;
  const entry = {
    iteration: ctx.iteration,
    plan: state.last_plan.split("\n", 1)[0]!,
    score,
    issues_count: feedback.detected_issues.length,
    ...(state.by_hand && { by: "person" as const }),
  };
  const snapshot = state.by_hand ? state.by_hand.snapshot : state.workcell_snapshot;
  const best = {
    iteration: ctx.iteration,
    score,
    glb: current_glb!,
    ...(current_blend && { blend: current_blend }),
    ...(snapshot !== undefined && { snapshot }),
  };
  const judged = {
    compared,
    evaluator_feedback: feedback,
    current_score: score,
    detected_issues: feedback.detected_issues,
    suggested_fixes: feedback.suggested_fixes,
    iteration_history: [...state.iteration_history, entry].slice(-ctx.input.history_window),
    best: score > (state.best?.score ?? -1) ? best : state.best,
    ...(state.by_hand ? { by_hand: undefined } : state.standing_score !== undefined && { standing_score: undefined }),
  };
  const decision = decide(
    {
      iteration_history: judged.iteration_history,
      consecutive_failures: state.consecutive_failures,
      iteration: ctx.iteration,
      ceiling: ctx.ceilings.iterations,
      passes: verdict.verdict === "pass",
    },
    ctx.input,
  );
  if (decision.to === "build") return ctx.to("build", judged);
  return ctx.to("finalize", { ...judged, status: decision.status, status_reason: decision.reason });
}
