// Critics: what looks at a result and returns a score and findings; and what several of them come to. Pure.
//
// L9: a critic that could not look, or whose opinion has not its form, never helps a result to pass.

import { z } from "zod";
import { fail, pass, showScore } from "../outcomes.ts";
import { type Finding, finding as findingSchema, type Verdict, verdict as verdictSchema } from "../record/events.ts";
import { checkValue } from "../record/patch.ts";

/** Whatever else an answer has in it is left out. */
const form = verdictSchema.strip().extend({ findings: z.array(findingSchema.strip()) });
const sound = form.refine(
  ({ verdict, findings }) => verdict !== "pass" || findings.every(({ severity }) => severity !== "hard"),
  "it passes in spite of a hard finding",
);

/** Any answer as a verdict: one that has not its form, or passes in spite of a hard finding, is a fail (L9). */
export function readVerdict(answer: unknown): Verdict {
  try {
    return checkValue(sound, answer, "the verdict") as unknown as Verdict;
  } catch (error) {
    const { message } = error as Error;
    const finding: Finding = { code: "VERDICT_MALFORMED", severity: "hard", priority: 1, message };
    return fail(0, `the critic gave no usable verdict: ${message}`, [finding]);
  }
}

/** What a critic makes of the evidence. */
export interface Opinion {
  /** 0 to 1. */
  score: number;
  findings: readonly Finding[];
  /** One sentence. */
  reason: string;
}

/** What looks at evidence. It measures, or asks a model; it changes nothing. */
export interface Critic<Evidence> {
  readonly name: string;
  look(evidence: Evidence): Opinion | Promise<Opinion>;
}

/** What opinions must come to, by the names of their critics. */
export interface CriticPolicy {
  /** The overall score from which on the result passes. */
  readonly pass: number;
  /** What each counts in the overall score; 1 where it is left out. Findings count whatever their critic weighs. */
  readonly weights?: Readonly<Record<string, number>>;
  /** The score that each must reach for itself. */
  readonly floors?: Readonly<Record<string, number>>;
  /** Critics that may be missing: the weights of the others then make up the whole. */
  readonly optional?: readonly string[];
}

/** The verdict that opinions come to; undefined stands for a critic that could not look. */
export function combine(opinions: Readonly<Record<string, Opinion | undefined>>, policy: CriticPolicy): Verdict {
  const { weights = {}, floors = {}, optional = [] } = policy;
  const all = Object.entries(opinions).map(([name, given]) => ({ name, weight: weights[name] ?? 1, ...heard(given) }));
  const counted = all.filter(({ name, opinion }) => opinion || !optional.includes(name));
  const whole = counted.reduce((sum, { weight }) => sum + weight, 0);
  const score =
    whole === 0 ? 0 : counted.reduce((sum, { opinion, weight }) => sum + (opinion?.score ?? 0) * weight, 0) / whole;

  const notRun = counted.filter(({ opinion }) => !opinion).map(({ name, fault }) => notRunFinding(name, fault));
  const given = all.flatMap(({ opinion }) => opinion?.findings ?? []);
  const low = counted.flatMap(({ name, opinion }) => {
    const floor = floors[name];
    return opinion && floor !== undefined && opinion.score < floor ? [floorFinding(name, opinion.score, floor)] : [];
  });
  const findings = [...notRun, ...given, ...low].sort((a, b) => a.priority - b.priority);
  const hard = findings.find(({ severity }) => severity === "hard");
  const words = counted.flatMap(({ opinion }) => opinion?.reason ?? []).join("; ");
  if (counted.length === 0) return fail(0, "no critic has looked", [notRunFinding("critic")]);
  if (notRun[0]) return fail(score, notRun[0].message, findings);
  if (hard) return fail(score, words || hard.message, findings);
  if (low[0]) return fail(score, [words, ...low.map(({ message }) => message)].filter(Boolean).join("; "), findings);
  return score >= policy.pass ? pass(score, words, findings) : fail(score, words, findings);
}

/** An opinion that has its form, or what is wrong with it. */
function heard(opinion: Opinion | undefined): { opinion?: Opinion; fault?: string } {
  if (!opinion) return {};
  const { score, findings, reason } = opinion;
  const read = readVerdict({ verdict: "fail", score, findings, reason });
  const fault = read.findings.find(({ code }) => code === "VERDICT_MALFORMED")?.message;
  return fault === undefined ? { opinion } : { fault };
}

function notRunFinding(name: string, fault = "it could not look"): Finding {
  const code = `${name.toUpperCase().replaceAll("-", "_")}_NOT_RUN`;
  return { code, severity: "hard", priority: 1, message: `the critic '${name}' gave no opinion: ${fault}` };
}

function floorFinding(name: string, score: number, floor: number): Finding {
  const code = `${name.toUpperCase().replaceAll("-", "_")}_BELOW_FLOOR`;
  const message = `${name} scores ${showScore(score, 2)}, and needs ${floor.toFixed(2)}`;
  return { code, severity: "soft", priority: 2, message };
}
