// Verdicts: what a critic's look at the result comes to.
//
// L9: a missing, malformed or empty answer never passes.

import type { Finding, Verdict } from "../record/events.ts";
import { type Json, plainJson } from "../record/json.ts";

export type { Finding, Verdict };

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

/** Any answer as a verdict: one that has not its form, or passes in spite of a hard finding, is a fail (L9). */
export function readVerdict(answer: unknown): Verdict {
  const plain = plainOrNothing(answer);
  const error = errorIn(plain);
  if (error === undefined) return plain as unknown as Verdict;
  const finding: Finding = { code: "VERDICT_MALFORMED", severity: "hard", priority: 1, message: error };
  return fail(0, `the critic gave no usable verdict: ${error}`, [finding]);
}

function plainOrNothing(answer: unknown): unknown {
  try {
    return plainJson(answer, "the verdict");
  } catch {
    return undefined;
  }
}

function errorIn(answer: unknown): string | undefined {
  if (!isObject(answer)) return "it is missing, or not plain JSON";
  const { verdict, score, findings, reason } = answer;
  if (verdict !== "pass" && verdict !== "fail" && verdict !== "escalate") return `verdict is ${show(verdict)}`;
  if (typeof score !== "number" || !(score >= 0 && score <= 1)) return `score is ${show(score)}, not 0 to 1`;
  if (typeof reason !== "string" || reason.trim() === "") return "it gives no reason";
  if (!Array.isArray(findings) || !findings.every(isFinding)) return "its findings are malformed";
  if (verdict === "pass" && findings.some((f) => f.severity === "hard")) return "it passes in spite of a hard finding";
  return undefined;
}

function isFinding(value: unknown): value is Finding {
  if (!isObject(value)) return false;
  const { code, severity, priority, message, fix } = value;
  return (
    typeof code === "string" &&
    code !== "" &&
    (severity === "hard" || severity === "soft") &&
    (priority === 1 || priority === 2 || priority === 3 || priority === 4) &&
    typeof message === "string" &&
    (fix === undefined || typeof fix === "string")
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function show(value: unknown): string {
  return value === undefined ? "missing" : (JSON.stringify(value as Json) ?? typeof value);
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
