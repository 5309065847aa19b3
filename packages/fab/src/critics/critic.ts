// What critics look at, how findings make a score, and figures as findings say them. A measured critic needs no model: the same file
// has the same score.

import type { Critic, Finding, Opinion } from "@loopwright/core";
import type { MeshReport, Model } from "@loopwright/mesh";
import type { CriticName, GateConfig } from "../gate/schema.ts";
import type { Answer, Requirement } from "../requirements.ts";

/** Everything that is known of an asset. */
export interface Evidence {
  /** The triangles with parts, materials and textures: meters, z up, as the file has them. */
  readonly model: Model;
  /** Its figures, and the usual checks of its mesh. */
  readonly report: MeshReport;
  /** Where its front looks, in degrees from +x towards +y: the canonical views stand round this. */
  readonly front: number;
  readonly gate: GateConfig;
  /** What was asked for; undefined where nobody has said. */
  readonly prompt: string | undefined;
  /** The same, and the kind of an issue, requirement by requirement. */
  readonly requirements: readonly Requirement[];
  /** Pictures by a clean Blender; none where there is no Blender, and then why. They are made where a gate has realism measured. */
  readonly renders: readonly Render[];
  readonly noRenders: string | undefined;
}

/** One picture of an asset, as a PNG. */
export interface Render {
  /** Such as front_3q, or turntable_03. */
  readonly view: string;
  readonly style: "beauty" | "clay";
  readonly png: Uint8Array;
}

/** An opinion, and what it answers to single requirements. */
export interface AnsweringOpinion extends Opinion {
  readonly answers?: readonly Answer[];
}

/** A critic that judges by measurement. */
export interface MeasuredCritic extends Critic<Evidence> {
  readonly name: CriticName;
  /** Why it cannot look at this evidence, where it cannot: no prompt, no renders. It is not asked then. */
  missing?(evidence: Evidence): string | undefined;
  look(evidence: Evidence): AnsweringOpinion | Promise<AnsweringOpinion>;
}

/** What is left of a score after a hard finding, after one that is to fail by itself, and after one that is not. */
export const LEFT_BY_HARD = 0.4;
const [GRAVE, SLIGHT] = [0.54, 0.85];

/** Soft codes that cost little: a real asset may well have one of them. */
const slight = ["GEO_DIMENSIONS_OUT_OF_RANGE", "GEO_TRI_COUNT_LOW", "GEO_TRI_COUNT_HIGH", "MAT_NONE", "MAT_NO_UVS"];

/** How many times the limit an amount must be to cost as much as a grave finding. */
const FULL = 4;

/** The score that findings leave: 1 for none. A grave one alone leaves less than the lowest geometry floor of the gates here, 0.55.
 * `graded` has what is left after findings that cost by their amount. */
export function scoreOf(
  findings: readonly Pick<Finding, "code" | "severity">[],
  graded: Readonly<Record<string, number>> = {},
): number {
  const left = ({ code, severity }: Pick<Finding, "code" | "severity">) =>
    graded[code] ?? (severity === "hard" ? LEFT_BY_HARD : slight.includes(code) ? SLIGHT : GRAVE);
  return findings.reduce((score, finding) => score * left(finding), 1);
}

/** What an amount over its limit leaves: all at the limit, evenly less beyond it, and never less than a grave finding. */
export function gradeOf(amount: number, limit: number): number {
  if (amount <= limit) return 1;
  return 1 - (1 - GRAVE) * Math.min(1, (amount - limit) / ((FULL - 1) * limit));
}

export function percent(part: number): string {
  return `${Number((part * 100).toPrecision(3))} %`;
}

export function meters(length: number): number {
  return Number(length.toPrecision(3));
}

/** "1 wheel", "2 wheels"; with "has" and "have" where a verb follows: `counted(1, "wheel", "has|have")`. */
export function counted(count: number, name: string, verb?: `${string}|${string}`): string {
  const [one, many] = verb?.split("|").map((each) => ` ${each}`) ?? ["", ""];
  return count === 1 ? `1 ${name}${one}` : `${count} ${name}s${many}`;
}
