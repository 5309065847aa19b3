// Outcomes: why a run stopped. A closed set; each has its own exit code.

import type { Finding, Verdict } from "./record/events.ts";

/** Every way in which a run can end, with its exit code and whether it is final. */
export const outcomes = {
  done: { exit: 0, final: true, meaning: "passed: a verdict said so" },
  ceiling: { exit: 3, final: false, meaning: "a ceiling ended it" },
  stagnant: { exit: 4, final: false, meaning: "it stopped improving" },
  escalated: { exit: 5, final: false, meaning: "a person must look" },
  failed: {
    exit: 7,
    final: false,
    meaning: "retries spent, an endpoint gone, or the workcell could not be kept alive",
  },
  declined: { exit: 8, final: true, meaning: "a person said no to the result" },
  superseded: { exit: 0, final: true, meaning: "another run took over" },
  interrupted: { exit: 130, final: false, meaning: "stopped by Ctrl-C, a pause or STOP" },
  cancelled: { exit: 130, final: true, meaning: "ended for good by a person" },
} as const;

/** How a run ended. */
export type Outcome = keyof typeof outcomes;

/** The outcomes that only the engine may give. */
export const engineOutcomes: readonly string[] = ["ceiling", "interrupted", "cancelled"];

/** The outcomes that a phase may end with. */
export type PhaseOutcome = Exclude<Outcome, "ceiling" | "interrupted" | "cancelled">;

/** The exit code of a run that waits at a gate: it has not ended. */
export const WAITING_EXIT = 6;

/** The exit code of a command that SIGTERM has stopped, its run given back in order. */
export const TERMINATED_EXIT = 143;

/** Whether a run with this outcome can never go on. */
export function isFinal(outcome: Outcome): boolean {
  return outcomes[outcome].final;
}

// Verdicts: what a critic's look at the result comes to.

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
