// The verdict as it is written: scores, codes, and what to do next in the order of its urgency.

import type { GateConfig } from "../gate/schema.ts";
import { type Figures, instructionsFor } from "../playbook.ts";
import { type Decision, decideNext, decideVerdict, type Next, templateFor } from "./decide.ts";
import type { GateVerdict, VotePack } from "./gate-verdict.ts";
import type { Judged } from "./standing.ts";

export interface Facts {
  run: string;
  assetId: string;
  /** What the asset is, where it is known more exactly than the gate's kind. */
  kind?: string;
  /** Words of the prompt that ask for nothing. */
  nothing: readonly string[];
  /** 0 for the first try; a repair's is its parent's + 1. */
  index: number;
  /** The hard codes of the verdicts before this one. */
  before: readonly (readonly string[])[];
  figures: Figures;
  votes?: VotePack;
  artifacts: GateVerdict["artifacts"];
  startedAt: number;
  finishedAt: number;
}

/** The verdict of a gate, and what is to be done about it. */
export function buildVerdict(judged: Judged, gate: GateConfig, facts: Facts): { verdict: GateVerdict; next: Next } {
  const decision = decideVerdict({ ...judged, ...(facts.votes && { voted: facts.votes.result }) }, gate);
  const next = decideNext(decision, { hard: judged.hard, index: facts.index, before: facts.before }, gate.iteration);
  const soft = judged.findings.filter(({ severity }) => severity === "soft").map(({ code }) => code);
  const verdict: GateVerdict = {
    schema_version: "1.0",
    run_id: facts.run,
    asset_id: facts.assetId,
    gate_config_id: gate.gate_config_id,
    verdict: decision.verdict,
    scores: {
      overall: round(judged.score),
      by_critic: Object.fromEntries(
        Object.entries(judged.scores).map(([name, score]) => [name, score === null ? null : round(score)]),
      ),
      threshold: gate.pass,
      margin: round(judged.score - gate.pass),
    },
    failures: { hard: [...judged.hard], soft },
    opinions: judged.opinions,
    requirements: [...judged.requirements],
    nothing: [...facts.nothing],
    floor_violations: judged.below.map((critic) => ({
      critic,
      score: round(judged.scores[critic as keyof typeof judged.scores]!),
      floor: gate.critics[critic as keyof typeof gate.critics]!.floor!,
    })),
    next_actions: actionsFor(decision, next, judged, gate, facts),
    iteration_index: facts.index,
    verdict_reason: decision.reason,
    ...(next.action === "escalate" && { escalate_reason: next.reason }),
    notes: [...judged.notes],
    ...(facts.votes && { vote_pack: facts.votes }),
    artifacts: facts.artifacts,
    timing: {
      started_at: new Date(facts.startedAt).toISOString(),
      finished_at: new Date(facts.finishedAt).toISOString(),
      ms: facts.finishedAt - facts.startedAt,
    },
  };
  return { verdict, next };
}

type Action = GateVerdict["next_actions"][number];

function actionsFor(decision: Decision, next: Next, judged: Judged, gate: GateConfig, facts: Facts): Action[] {
  const figures = { ...facts.figures, overall: judged.score, pass: gate.pass, kind: facts.kind ?? gate.kind };
  const repairs = judged.findings.map(
    (finding): Action => ({
      action: "repair",
      priority: finding.priority,
      instructions: instructionsFor(finding, figures),
      code: finding.code,
    }),
  );
  const codes = judged.findings.map(({ code }) => code);
  const template = templateFor(
    { index: facts.index, codes, kind: facts.kind ?? gate.kind },
    gate.iteration.template_fallback,
  );
  const own: Action[] = [];
  if (next.action === "escalate")
    own.push({
      action: "human_review",
      priority: 1,
      instructions: `${next.reason}: ${decision.reason}. A person must look.`,
    });
  if (decision.escalate === "critic_inconsistency")
    own.push({
      action: "rerender_vote_pack",
      priority: 2,
      instructions: "Make the pictures again in a better profile (--profile final), and let the critics vote anew.",
    });
  if (template !== undefined && decision.verdict === "fail")
    own.push({ action: "fallback_to_template", priority: 2, instructions: `Begin again from ${template}.` });
  return [...own, ...repairs];
}

/** Scores are told to a millionth, so that they read as the same wherever they were computed. */
function round(score: number): number {
  return Math.round(score * 1e6) / 1e6;
}
