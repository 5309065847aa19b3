// From findings to a score: each takes its part of what the others have left.

import type { Finding } from "@loopwright/core";

/** What is left of a score after a hard finding, after one that is to fail by itself, and after one that is not. */
export const LEFT_BY_HARD = 0.4;
const [GRAVE, SLIGHT] = [0.54, 0.85];

/** Soft codes that cost little: a real asset may well have one of them. */
const slight = ["GEO_DIMENSIONS_OUT_OF_RANGE", "GEO_TRI_COUNT_LOW", "GEO_TRI_COUNT_HIGH", "MAT_NONE", "MAT_NO_UVS"];

/** The score that findings leave: 1 for none. A grave one alone leaves less than the lowest geometry floor of the gates here, 0.55. */
export function scoreOf(findings: readonly Pick<Finding, "code" | "severity">[]): number {
  const left = ({ code, severity }: Pick<Finding, "code" | "severity">) =>
    severity === "hard" ? LEFT_BY_HARD : slight.includes(code) ? SLIGHT : GRAVE;
  return findings.reduce((score, finding) => score * left(finding), 1);
}
