// The measured critics, by name, and what they make of the evidence.

import { type CriticName, criticNames } from "../gate/schema.ts";
import { alignment } from "./alignment.ts";
import { category } from "./category/index.ts";
import type { AnsweringOpinion, Evidence, MeasuredCritic } from "./critic.ts";
import { geometry } from "./geometry.ts";
import { material } from "./material.ts";
import { realism } from "./realism.ts";

const measuredCritics: Record<CriticName, MeasuredCritic> = { alignment, category, geometry, material, realism };

/** An opinion, or why there is none. */
export type Looked = { opinion: AnsweringOpinion } | { missing: string };

/** What the checks that a gate names make of the evidence; none of them asks a model. */
export async function measure(evidence: Evidence): Promise<Partial<Record<CriticName, Looked>>> {
  const { critics } = evidence.gate;
  const looked: Partial<Record<CriticName, Looked>> = {};
  for (const name of criticNames)
    if (critics[name] && critics[name].by !== "model") looked[name] = await lookMeasured(name, evidence);
  return looked;
}

/** What a critic makes of the evidence. One that throws has no opinion. */
async function lookMeasured(name: CriticName, evidence: Evidence): Promise<Looked> {
  if (name === "realism" && evidence.noRenders !== undefined) return { missing: evidence.noRenders };
  const critic = measuredCritics[name];
  const missing = critic.missing?.(evidence);
  if (missing !== undefined) return { missing };
  try {
    return { opinion: await critic.look(evidence) };
  } catch (error) {
    return { missing: (error as Error).message };
  }
}
