// A judge of models in memory, as the command judges files: checks, scores and the decision, with pictures of our own.

import type { Finding } from "@loopwright/core";
import { decideVerdict, evidenceOf, type GateConfig, judge, measure } from "@loopwright/fab";
import { type Model, meshToGlb, pictureToPng, renderViews } from "@loopwright/mesh";

export interface Judgment {
  readonly verdict: "pass" | "fail" | "escalate";
  readonly score: number;
  readonly scores: Readonly<Record<string, number | null>>;
  readonly hard: readonly string[];
  readonly soft: readonly string[];
  readonly reason: string;
  readonly ms: number;
}

const cameras = [
  { azimuth: 45, elevation: 15, lens: 50 },
  { azimuth: 225, elevation: 15, lens: 50 },
];

/** What the measured critics of a gate make of a model, as its file has it. */
export async function judgeModel(model: Model, gate: GateConfig, prompt?: string): Promise<Judgment> {
  return judgeFile(await meshToGlb(model), gate, prompt);
}

/** The same for a file. */
export async function judgeFile(bytes: Uint8Array, gate: GateConfig, prompt?: string): Promise<Judgment> {
  const begun = performance.now();
  const given = await evidenceOf(bytes, { gate, prompt });
  if ("problem" in given) return refused(given.problem, performance.now() - begun);
  const renders = renderViews(given.evidence.model, cameras, { size: 256 }).map((view, at) => ({
    view: `view_${at}`,
    style: "beauty" as const,
    png: pictureToPng(view.shaded()),
  }));
  const measured = await measure({ ...given.evidence, renders });
  const ms = performance.now() - begun;
  const looks = Object.fromEntries(Object.entries(measured).map(([name, look]) => [name, { measured: look }]));
  const { requirements } = given.evidence;
  const judged = judge({ looks, problems: [], requirements }, gate);
  const { verdict } = decideVerdict(judged, gate);
  const reasons = Object.values(measured).map((look) => ("opinion" in look ? look.opinion.reason : look.missing));
  const soft = judged.findings.filter(({ severity }) => severity === "soft").map(({ code }) => code);
  return {
    verdict,
    score: judged.score,
    scores: judged.scores,
    hard: judged.hard,
    soft,
    reason: reasons.join(" | "),
    ms,
  };
}

/** A file that cannot be looked at has its verdict by that. */
function refused({ code, message }: Finding, ms: number): Judgment {
  return { verdict: "fail", score: 0, scores: {}, hard: [code], soft: [], reason: message, ms };
}
