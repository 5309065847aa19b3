// Whether tests that a model proposes may take the place of those that are there. Pure.
//
// They may not shrink: not in what the runner collects and does not skip, parametrised cases and classes included; not by
// an added skip or expected failure; not by a dropped assertion. What cannot be shown not to shrink is refused.

import { compareTests, testErrorLine } from "@loopwright/workspace";
import type { Report } from "../task.ts";

/** How many tests the runner collected and did not skip; undefined where nothing could be collected. */
export function collectedTests({ fault, tests }: Report): number | undefined {
  if (fault !== undefined && tests.length === 0) return undefined;
  return tests.filter(({ state }) => state === "passed" || state === "failed").length;
}

/** Why proposed tests are refused; undefined where they may be written. `losses` is what their text has less of, and
 * `least` the count of tests that was had before. */
export function refuseTests(
  before: Report,
  after: Report,
  losses: readonly string[],
  least: number,
): string | undefined {
  const has = collectedTests(after);
  if (has === undefined) return `they could not be collected: ${testErrorLine(after.fault ?? "no reason is known")}`;
  const had = Math.max(collectedTests(before) ?? 0, least);
  if (has === 0 || has < had) return `${has} tests would run, and ${had} did before`;
  const fromRuns = collectedTests(before) === undefined ? [] : compareTests(before.tests, after.tests);
  return [...fromRuns, ...losses][0];
}
