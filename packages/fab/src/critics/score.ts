// From findings to a score: each takes its part of what the others have left.

import type { Finding } from "@loopwright/core";

/** What is left of a score after a hard finding, after one that is to fail by itself, and after one that is not. */
export const LEFT_BY_HARD = 0.4;
const [GRAVE, SLIGHT] = [0.54, 0.85];

/** Soft codes that cost little: a real asset may well have one of them. */
const slight = ["GEO_DIMENSIONS_OUT_OF_RANGE", "GEO_TRI_COUNT_LOW", "GEO_TRI_COUNT_HIGH", "MAT_NONE", "MAT_NO_UVS"];

/** How many times the limit an amount must be to cost as much as a grave finding. */
const FULL = 4;

/** The score that findings leave: 1 for none. A grave one alone leaves less than the lowest geometry floor of the gates here, 0.55.
 * `graded` has what is left after findings that cost by their amount. */
export function scoreOf(
  findings: readonly Pick<Finding, "code" | "severity">[],
  graded: Readonly<Record<string, number>> = {},
): number {
  const left = ({ code, severity }: Pick<Finding, "code" | "severity">) =>
    graded[code] ?? (severity === "hard" ? LEFT_BY_HARD : slight.includes(code) ? SLIGHT : GRAVE);
  return findings.reduce((score, finding) => score * left(finding), 1);
}

/** What an amount over its limit leaves: all at the limit, evenly less beyond it, and never less than a grave finding. */
export function gradeOf(amount: number, limit: number): number {
  if (amount <= limit) return 1;
  return 1 - (1 - GRAVE) * Math.min(1, (amount - limit) / ((FULL - 1) * limit));
}
