// The measured critics, by name. One that is not here has no measured form: a gate that needs it is told so.

import type { Opinion } from "@loopwright/core";
import type { CriticName } from "../gate/schema.ts";
import { alignment } from "./alignment/index.ts";
import { category } from "./category/index.ts";
import type { Evidence, MeasuredCritic } from "./critic.ts";
import { geometry } from "./geometry.ts";
import { material } from "./material.ts";
import { realism } from "./realism/index.ts";

export const measuredCritics: Partial<Record<CriticName, MeasuredCritic>> = {
  alignment,
  category,
  geometry,
  material,
  realism,
};

/** An opinion, or why there is none. */
export type Looked = { opinion: Opinion } | { missing: string };

/** What a measured critic makes of the evidence. One that throws has no opinion. */
export async function lookMeasured(name: CriticName, evidence: Evidence): Promise<Looked> {
  if (name === "realism" && evidence.noRenders !== undefined) return { missing: evidence.noRenders };
  const critic = measuredCritics[name];
  if (!critic) return { missing: `there is no measured form of '${name}' yet` };
  const missing = critic.missing?.(evidence);
  if (missing !== undefined) return { missing };
  try {
    return { opinion: await critic.look(evidence) };
  } catch (error) {
    return { missing: (error as Error).message };
  }
}
