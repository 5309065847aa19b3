// The evidence of an asset from its bytes: what every critic is shown.

import type { Finding } from "@loopwright/core";
import type { Evidence, Render } from "../critics/critic.ts";
import { type Looked, lookMeasured } from "../critics/measured.ts";
import { type CriticName, criticNames, type GateConfig } from "../gate/schema.ts";
import { readModel } from "./read.ts";

export interface Given {
  gate: GateConfig;
  prompt?: string | undefined;
  renders?: readonly Render[];
  noRenders?: string | undefined;
}

/** The evidence, or the code that the bytes are refused with. */
export async function evidenceOf(
  bytes: Uint8Array,
  { gate, prompt, renders = [], noRenders }: Given,
): Promise<{ evidence: Evidence } | { problem: Finding }> {
  const read = await readModel(bytes);
  return "problem" in read ? read : { evidence: { ...read, gate, prompt, renders, noRenders } };
}

/** What the checks that a gate names make of the evidence; none of them asks a model. */
export async function measure(evidence: Evidence): Promise<Partial<Record<CriticName, Looked>>> {
  const { critics } = evidence.gate;
  const looked: Partial<Record<CriticName, Looked>> = {};
  for (const name of criticNames)
    if (critics[name] && critics[name].by !== "model") looked[name] = await lookMeasured(name, evidence);
  return looked;
}
