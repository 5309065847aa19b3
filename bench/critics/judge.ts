// A judge of models in memory, as the command judges files: checks, scores and the decision, with pictures of our own.

import { buildVerdict, type Evidence, type GateConfig, judge, measure } from "@loopwright/fab";
import { checkMesh, type Model, pictureToPng, renderViews } from "@loopwright/mesh";

export interface Judgement {
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

/** What the measured critics of a gate make of a model. */
export async function judgeModel(model: Model, gate: GateConfig, prompt?: string): Promise<Judgement> {
  const begun = performance.now();
  const report = checkMesh(model);
  const isWhole = report.brokenTriangles === 0;
  const renders = (isWhole ? renderViews(model, cameras, { size: 256 }) : []).map((view, at) => ({
    view: `view_${at}`,
    style: "beauty" as const,
    png: pictureToPng(view.shaded()),
  }));
  const evidence: Evidence = { model, report, front: report.mirror === "x" ? -90 : 0, gate, prompt, renders };
  const measured = await measure(evidence);
  const looks = Object.fromEntries(Object.entries(measured).map(([name, look]) => [name, { measured: look }]));
  const judged = judge({ looks, problems: [], hasPrompt: prompt !== undefined }, gate);
  const { verdict } = buildVerdict(judged, gate, {
    run: "bench",
    assetId: "bench",
    index: 0,
    before: [],
    figures: {},
    artifacts: {},
    startedAt: 0,
    finishedAt: 0,
  } as never);
  const reasons = Object.values(measured).map((look) => ("opinion" in look ? look.opinion.reason : look.missing));
  return {
    verdict: verdict.verdict,
    score: judged.score,
    scores: verdict.scores.by_critic,
    hard: verdict.failures.hard,
    soft: verdict.failures.soft,
    reason: reasons.join(" | "),
    ms: performance.now() - begun,
  };
}
