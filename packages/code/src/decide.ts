// Where a run goes after its tests. Pure.

import { AMEND_AT, effectiveStuck, STUCK_AT, type StuckCounters } from "./stuck-counters.ts";

/** What the decision looks at. */
export interface Facts {
  readonly passes: boolean;
  readonly iteration: number;
  /** The floor, and the ceiling of iterations as it stands now. */
  readonly floor: number;
  readonly ceiling: number;
  readonly counters: StuckCounters;
  /** Whether the tests were given: then there is nothing to audit. */
  readonly areTestsGiven: boolean;
}

export type Decision = "done" | "ceiling" | "amend" | "audit" | "review";

/** The exit condition first, then the ladder. At the ceiling no more is asked of any model. */
export function decide({ passes, iteration, floor, ceiling, counters, areTestsGiven }: Facts): Decision {
  if (passes && iteration >= floor) return "done";
  if (iteration >= ceiling) return "ceiling";
  if (!passes && effectiveStuck(counters) >= AMEND_AT) return "amend";
  return areTestsGiven ? "review" : "audit";
}

/** Who audits and reviews: the consultant once the run is stuck. */
export function reviewerFor(counters: StuckCounters): "reviewer" | "consultant" {
  return effectiveStuck(counters) >= STUCK_AT ? "consultant" : "reviewer";
}

/** Whether the implementer is told to try something else altogether. */
export function needsHint({ stuck_count }: StuckCounters): boolean {
  return stuck_count >= STUCK_AT;
}
