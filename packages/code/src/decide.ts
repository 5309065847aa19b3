// Where a run goes after its tests. Pure.

import { onStep, type Stand } from "./stuck.ts";

/** What the decision looks at. */
export interface Facts extends Stand {
  readonly passes: boolean;
  readonly iteration: number;
  /** The floor, and the ceiling of iterations as it stands now. */
  readonly floor: number;
  readonly ceiling: number;
  /** Whether the tests were given: then there is nothing to audit. */
  readonly areTestsGiven: boolean;
}

export type Decision = "done" | "ceiling" | "amend" | "audit" | "review";

/** The exit condition first, then the ladder. At the ceiling no more is asked of any model. */
export function decide({ passes, iteration, floor, ceiling, areTestsGiven, ...stand }: Facts): Decision {
  if (passes && iteration >= floor) return "done";
  if (iteration >= ceiling) return "ceiling";
  if (!passes && onStep(stand, "amendment")) return "amend";
  return areTestsGiven ? "review" : "audit";
}

/** Who audits and reviews: the consultant once the run is stuck. */
export function reviewerFor(stand: Stand): "reviewer" | "consultant" {
  return onStep(stand, "consultant") ? "consultant" : "reviewer";
}
