// Spoiled assets before the judge: does each get its codes, and no hard one that it should not?

import type { GateConfig } from "@loopwright/fab";
import { type Mutation, mutate, mutations } from "../../test/fakes/mutations.ts";
import { judgeFile } from "./judge.ts";
import type { Built } from "./templates.ts";

export interface Mutant {
  readonly name: string;
  /** What is wrong with the judgment, in words; empty where it is right. */
  readonly missing: readonly string[];
  readonly surplus: readonly string[];
  readonly ms: number;
}

/** Judges every mutation of an asset. */
export async function judgeMutants(built: Built, gate: GateConfig): Promise<Mutant[]> {
  const found: Mutant[] = [];
  for (const mutation of mutations.filter(({ kinds }) => kinds?.includes(built.kind) ?? true))
    found.push(await judgeMutant(built, mutation, gate));
  return found;
}

/** Codes that end in a question mark may be there. */
export async function judgeMutant({ name, kind, model }: Built, mutation: Mutation, gate: GateConfig): Promise<Mutant> {
  const { hard, soft, verdict, ms } = await judgeFile(await mutate(mutation, model, kind), gate);
  const expected = mutation.codes(kind);
  const allowed = expected.map((code) => code.replace("?", ""));
  const missing = expected.filter((code) => !code.endsWith("?") && ![...hard, ...soft].includes(code));
  if (mutation.verdict !== (verdict === "pass" ? "pass" : "fail"))
    missing.push(`ends ${verdict} (${[...hard, ...soft]})`);
  return { name: `${mutation.name}: ${name}`, missing, surplus: hard.filter((code) => !allowed.includes(code)), ms };
}

/** An asset at the gate of another kind: it is none, and none of its size. */
export async function judgeStranger({ name, bytes }: Built, gate: GateConfig): Promise<Mutant> {
  const { hard, verdict, ms } = await judgeFile(bytes, gate);
  const expected = [`CAT_NO_${gate.kind.toUpperCase()}_DETECTED`, "GEO_SCALE_IMPLAUSIBLE"];
  const missing = expected.filter((code) => !hard.includes(code));
  if (verdict === "pass") missing.push("passes");
  const surplus = hard.filter((code) => !expected.includes(code));
  return { name: `at the gate for a ${gate.kind}: ${name}`, missing, surplus, ms };
}
