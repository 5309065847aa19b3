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
  /** Whether there was a program already: tests that pass are not audited then. */
  readonly isRepository?: boolean;
  /** Whether the tests pass and the change is not accepted: what there is to do has been said. */
  readonly isUnaccepted?: boolean;
}

export type Decision = "done" | "ceiling" | "amend" | "audit" | "review" | "implement";

/** The exit condition first, then the ladder. At the ceiling no more is asked of any model. */
export function decide({ passes, iteration, floor, ceiling, areTestsGiven, ...facts }: Facts): Decision {
  if (passes && iteration >= floor) return "done";
  if (iteration >= ceiling) return "ceiling";
  if (!passes && onStep(facts, "amendment")) return "amend";
  if (facts.isUnaccepted) return "implement";
  return areTestsGiven || (passes && facts.isRepository) ? "review" : "audit";
}

/** Who audits and reviews: the consultant once the run is stuck. */
export function reviewerFor(stand: Stand): "reviewer" | "consultant" {
  return onStep(stand, "consultant") ? "consultant" : "reviewer";
}
