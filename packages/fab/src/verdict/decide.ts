// What scores and findings come to, and what is done then. Pure.
//
//   F1  Escalation triggers come first: an import that crashes Blender, a suspected attempt to game the gate, critics that
//       cannot agree. Then hard fails, floors, what was asked for and is not so, and the overall score; where critics have voted, the
//       vote is the score's word. What would pass though nobody could judge some words of what was asked for is for a person, unless
//       the gate lets it pass.
//   F2  On a fail: too many iterations, then the same hard fail again, escalate; else it is repaired.

import { showScore } from "@loopwright/terminal";
import type { GateConfig } from "../gate/schema.ts";

/** What critics' votes come to; undecided where not even the tiebreaker could say. */
export type Voted = "pass" | "fail" | "undecided";

/** How an asset stands. */
export interface Standing {
  /** Blender ended by itself on the file, twice. */
  hasCrashed: boolean;
  isAdversarial: boolean;
  hard: readonly string[];
  /** Critics under their floors. */
  below: readonly string[];
  /** What was asked for and is not so, and what nobody could judge, in the prompt's words. */
  unmet: readonly string[];
  unjudged: readonly string[];
  score: number;
  /** Left out where nobody was asked to vote. */
  voted?: Voted;
}

export interface Decision {
  verdict: "pass" | "fail" | "escalate";
  /** Why: what decided, in words. */
  reason: string;
  /** Why a person must look. */
  escalate?: "import_crash" | "suspected_adversarial" | "critic_inconsistency" | "unjudged_words";
}

/** The verdict (F1). */
export function decideVerdict(
  standing: Standing,
  { pass, iteration, unjudged: policy }: Pick<GateConfig, "pass" | "iteration" | "unjudged">,
): Decision {
  const { hasCrashed, isAdversarial, hard, below, unmet, unjudged, score, voted } = standing;
  const { on_import_crash, on_critic_inconsistency } = iteration.escalation;
  if (hasCrashed && on_import_crash)
    return { verdict: "escalate", escalate: "import_crash", reason: "Blender ends by itself on this file" };
  if (isAdversarial)
    return {
      verdict: "escalate",
      escalate: "suspected_adversarial",
      reason: "it looks like what was asked for, and its geometry is a catastrophe",
    };
  if (voted === "undecided" && on_critic_inconsistency)
    return {
      verdict: "escalate",
      escalate: "critic_inconsistency",
      reason: "the critics disagree, after a tiebreaker too",
    };
  if (hard.length > 0) return { verdict: "fail", reason: `hard fail: ${hard.join(", ")}` };
  if (below.length > 0) return { verdict: "fail", reason: `below its floor: ${below.join(", ")}` };
  if (unmet.length > 0) return { verdict: "fail", reason: `not as asked for: ${unmet.join(", ")}` };
  const words = unjudged.join(", ");
  const passes = (reason: string): Decision =>
    words === "" || policy === "pass"
      ? { verdict: "pass", reason }
      : { verdict: "escalate", escalate: "unjudged_words", reason: `${reason}, but nobody could judge: ${words}` };
  if (voted === "pass") return passes("the score is near the threshold, and the votes pass it");
  // L9: votes that came to nothing never pass.
  if (voted !== undefined)
    return {
      verdict: "fail",
      reason: `the score is near the threshold, and the votes ${voted === "fail" ? "fail it" : "are undecided"}`,
    };
  const figures = `the score is ${showScore(score)}, and ${pass} is needed`;
  return score >= pass ? passes(figures) : { verdict: "fail", reason: figures };
}

/** Whether critics are asked to vote: nothing else has decided, and the score is so near that it should not. */
export function isDisputed(
  { hasCrashed, isAdversarial, hard, below, unmet, score }: Standing,
  { pass, uncertainty_band }: Pick<GateConfig, "pass" | "uncertainty_band">,
): boolean {
  const isOpen = !hasCrashed && !isAdversarial && hard.length + below.length + unmet.length === 0;
  return isOpen && uncertainty_band > 0 && Math.abs(score - pass) <= uncertainty_band + ROUNDING;
}

const ROUNDING = 1e-9;

export type Next =
  | { action: "done" | "repair" }
  | {
      action: "escalate";
      reason: NonNullable<Decision["escalate"]> | "max_iterations_exceeded" | "repeated_hard_fail";
    };

/** What is done about a verdict (F2). `before` are the hard codes of the verdicts before this one, the latest last. */
export function decideNext(
  { verdict, escalate }: Decision,
  { hard, index, before }: { hard: readonly string[]; index: number; before: readonly (readonly string[])[] },
  { max_iterations, escalation }: GateConfig["iteration"],
): Next {
  if (verdict === "pass") return { action: "done" };
  if (verdict === "escalate") return { action: "escalate", reason: escalate! };
  if (index >= max_iterations) return { action: "escalate", reason: "max_iterations_exceeded" };
  const earlier = before.slice(-(escalation.repeated_threshold - 1));
  const isRepeated =
    earlier.length === escalation.repeated_threshold - 1 &&
    hard.some((code) => earlier.every((codes) => codes.includes(code)));
  if (isRepeated && escalation.on_repeated_hard_fail) return { action: "escalate", reason: "repeated_hard_fail" };
  return { action: "repair" };
}

/** The template to fall back to: after some iterations, and where geometry is what fails. */
export function templateFor(
  { index, codes, kind }: { index: number; codes: readonly string[]; kind: string },
  { enabled, suggest_after_iterations, templates }: GateConfig["iteration"]["template_fallback"],
): string | undefined {
  const failing = codes.filter((code) => code.startsWith("GEO_"));
  return enabled && index >= suggest_after_iterations && failing.length >= 2 ? templates[kind] : undefined;
}
