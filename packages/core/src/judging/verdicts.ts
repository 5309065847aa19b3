// Verdicts: what a critic's look at the result comes to.

import type { Finding, Verdict } from "../record/events.ts";

/** A verdict that passes. */
export function pass(score: number, reason: string, findings: readonly Finding[] = []): Verdict {
  return { verdict: "pass", score, findings, reason };
}

/** A verdict that fails. */
export function fail(score: number, reason: string, findings: readonly Finding[] = []): Verdict {
  return { verdict: "fail", score, findings, reason };
}

/** A verdict that passes if a condition holds. */
export function passIf(isGood: boolean, score: number, reason: string, findings: readonly Finding[] = []): Verdict {
  return isGood ? pass(score, reason, findings) : fail(score, reason, findings);
}

/** A score with three decimals, or as many as are wanted; one below 1 is never rounded up, so that none looks as if it passed. */
export function showScore(score: number, decimals = 3): string {
  const near = Number(score.toFixed(decimals));
  // What lies less than that below is meant to be the same, unless it would look perfect.
  const noise = near < 1 ? 1e-9 : 0;
  const isRaised = score > 0 && score < 1 && near - score > noise;
  // A score just below 0 has no sign of its own.
  return (isRaised ? near - 10 ** -decimals : near).toFixed(decimals).replace(/^-(0\.0+)$/, "$1");
}
