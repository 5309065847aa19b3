// Stuck detection by two independent signals: the sequence of passes and fails, and the set of failing tests. Pure.
//
// Both go by names and results, never by raw output, in which addresses and timings change. A green iteration has neither
// sign: it never counts as stuck. Held-out tests take part without their names, by their place in the order.

import { failingSetHash, type Observation, sequenceHash } from "@loopwright/core";
import type { CodeState, Report } from "./task.ts";

/** From here on the implementer gets the hint, and the consultant reviews. */
export const STUCK_AT = 3;
/** From here on the task is amended. */
export const AMEND_AT = 5;

export type StuckCounters = Pick<
  CodeState,
  "stuck_count" | "failing_set_count" | "last_test_hash" | "last_failing_set"
>;

/** The counters before anything was seen, and after an amendment. */
export const freshCounters: StuckCounters = {
  stuck_count: 0,
  failing_set_count: 0,
  last_test_hash: undefined,
  last_failing_set: undefined,
};

/** The counters after a test run: the same sign again is one more, another begins at 1. */
export function countStuck(before: StuckCounters, tests: NonNullable<Observation["tests"]>): StuckCounters {
  const seen = { iteration: 0, tests };
  const [testHash, failingSet] = [sequenceHash(seen), failingSetHash(seen)];
  return {
    stuck_count: next(before.stuck_count, before.last_test_hash, testHash),
    failing_set_count: next(before.failing_set_count, before.last_failing_set, failingSet),
    last_test_hash: testHash,
    last_failing_set: failingSet,
  };
}

function next(count: number, last: string | undefined, sign: string | undefined): number {
  if (sign === undefined) return 0;
  return sign === last ? count + 1 : 1;
}

/** effective_stuck: the greater of the two counts. */
export function effectiveStuck({ stuck_count, failing_set_count }: StuckCounters): number {
  return Math.max(stuck_count, failing_set_count);
}

/** A test run as the detectors see it. One that could not be had is one failure, the same as long as it lasts. */
export function reportToTests(
  report: Report,
  missing: readonly string[],
  hidden: CodeState["hidden_results"],
): NonNullable<Observation["tests"]> {
  const visible = report.tests.flatMap(({ name, state }) =>
    state === "passed" || state === "failed" ? [[`test ${name}`, state] as const] : [],
  );
  const gone = missing.map((name) => [`test ${name}`, "failed"] as const);
  const unseen = hidden.map((state, index) => [`hidden ${index}`, state] as const);
  const fault = report.fault === undefined ? [] : [["fault", "failed"] as const];
  return Object.fromEntries([...visible, ...gone, ...unseen, ...fault]);
}
