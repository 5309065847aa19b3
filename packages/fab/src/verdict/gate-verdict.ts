// gate_verdict.json: the verdict as a file. Its JSON Schema is shipped beside it, and what is written has been held to it.

import { z } from "zod";
import { JudgedRequirement } from "../requirements.ts";

const share = z.number().min(0).max(1);
const code = z.string().regex(/^[A-Z0-9_]+$/);

export const votes = ["pass", "fail", "unsure"] as const;

export const Vote = z.strictObject({
  by: z.enum(["critic", "tiebreaker"]),
  vote: z.enum(votes).describe("a missing or malformed vote is unsure"),
  reason: z.string(),
});
export type Vote = z.output<typeof Vote>;

export const VotePack = z.strictObject({
  result: z.enum(["pass", "fail", "undecided"]),
  critics: z.record(
    z.string(),
    z.strictObject({ result: z.enum(["pass", "fail", "undecided"]), votes: z.array(Vote).min(3).max(4) }),
  ),
});
export type VotePack = z.output<typeof VotePack>;

/** `gate_verdict.json`: what was judged, by whom, and what to repair. */
export const GateVerdict = z
  .strictObject({
    schema_version: z.literal("1.0"),
    run_id: z.string().min(1),
    asset_id: z.string().min(1).describe("the asset's name and the beginning of its SHA-256"),
    gate_config_id: z.string().min(1),
    verdict: z.enum(["pass", "fail", "escalate"]),
    scores: z.strictObject({
      overall: share,
      by_critic: z.record(z.string(), share.nullable()).describe("null for a critic that could not look"),
      threshold: share,
      margin: z.number().min(-1).max(1).describe("the overall score less the threshold"),
    }),
    failures: z.strictObject({ hard: z.array(code), soft: z.array(code) }),
    opinions: z
      .record(z.string(), z.array(z.strictObject({ by: z.enum(["check", "model"]), score: share, reason: z.string() })))
      .describe("which critic said what; where both have looked the lower score holds"),
    requirements: z
      .array(JudgedRequirement)
      .describe("everything that was asked for: unmet where one says no to it, unjudged where nobody can tell"),
    nothing: z.array(z.string()).describe("words of the prompt that were read as asking for nothing"),
    floor_violations: z.array(z.strictObject({ critic: z.string(), score: share, floor: share })),
    next_actions: z.array(
      z.strictObject({
        action: z.enum(["repair", "rerender_vote_pack", "fallback_to_template", "human_review"]),
        priority: z.number().int().min(1).max(5),
        instructions: z.string().min(1),
        code: code.optional().describe("the finding that it is about"),
      }),
    ),
    iteration_index: z.number().int().min(0),
    verdict_reason: z.string().min(1),
    escalate_reason: z.string().min(1).optional(),
    notes: z.array(z.string()).describe("what else a reader should know, such as critics that were left out and why"),
    vote_pack: VotePack.optional(),
    artifacts: z.strictObject({
      asset: z.string().optional(),
      report: z.string().optional(),
      renders: z.record(z.string(), z.string()).describe("pictures by name, as paths in the run's folder"),
    }),
    timing: z.strictObject({ started_at: z.iso.datetime(), finished_at: z.iso.datetime(), ms: z.number().min(0) }),
  })
  .describe("The verdict of a gate on one asset.");
export type GateVerdict = z.output<typeof GateVerdict>;

/** A verdict as its issue keeps it: what was found, who says what of what was asked for, and what nobody could judge. */
export function verdictToFields({ failures: { hard, soft }, requirements }: GateVerdict) {
  const unjudged = requirements.filter(({ result }) => result === "unjudged").map(({ words }) => words);
  return { lastFailCodes: [...hard, ...soft], judged: requirements.map(requirementToLine), unjudged };
}

/** One requirement and who says what of it. */
export function requirementToLine({ words, result, answers }: JudgedRequirement): string {
  const said = answers.map(({ by, says, reason }) => `${by}: ${says}, ${reason}`).join("; ");
  return `${words}: ${result}${said === "" ? "" : ` (${said})`}`;
}

/** The verdict as the text of its file; throws where it does not fit its schema. */
export function verdictToText(verdict: GateVerdict): string {
  return `${JSON.stringify(GateVerdict.parse(verdict), null, 2)}\n`;
}
