// The evaluator: masks and a mesh become scores, and issues and fixes in words with numbers. Pure.
//
// It knows views, metres and places, and no parameter of any workcell.

import type { Finding } from "@loopwright/core";
import type { Feedback } from "../task.ts";
import { byPriority, type Evidence, failureFinding, shapeFindings, surfaceFindings } from "./findings.ts";
import { placeFindings } from "./places.ts";
import {
  type ReferenceView,
  referenceViews,
  type Score,
  scoreSurface,
  scoreView,
  scoreViews,
  type ViewScores,
} from "./score.ts";

export interface Measurement {
  readonly feedback: Feedback;
  readonly findings: readonly Finding[];
  /** One sentence. */
  readonly reason: string;
}

const GOOD_OVERLAP = 0.95;

/** Measures what was made beside what was wanted. */
export function measure(evidence: Evidence, threshold: number, gross: readonly Finding[] = []): Measurement {
  const { masks, references, surface } = evidence;
  const view = (name: ReferenceView) => scoreView(masks[name], references[name]);
  const views = { front: view("front"), side: view("side"), top: view("top") };
  const score = scoreViews(views, scoreSurface(surface));
  // Whatever its views are worth, it must not be taken for the best.
  const overall = gross.length > 0 ? score.overall / 2 : score.overall;
  const findings = byPriority([
    ...failureFinding(evidence.failure),
    ...gross,
    ...surfaceFindings(surface),
    ...placeFindings(evidence),
    ...shapeFindings(evidence, views),
  ]);
  const isSound = findings.every(({ severity }) => severity !== "hard");
  const feedback: Feedback = {
    overall_score: overall,
    category_scores: score.categories,
    detected_issues: findings.map(({ message }) => message),
    suggested_fixes: [...new Set(findings.flatMap(({ fix }) => fix ?? []))],
    positive_aspects: praise(views, score),
    is_complete: isSound && overall >= threshold,
  };
  return { feedback, findings, reason: reasonOf(score, findings) };
}

function praise(views: Readonly<Record<ReferenceView, ViewScores>>, { categories }: Score): string[] {
  const good = referenceViews.filter((name) => views[name].overlap >= GOOD_OVERLAP);
  const words = good.map((name) => `the ${name} view overlaps its reference by ${views[name].overlap.toFixed(3)}`);
  if (categories.surface_quality === 1) words.push("the surface is closed and faces outwards");
  return words;
}

/** The first issue comes first: where a line is cut, it is what must not be lost. */
function reasonOf({ meanOverlap }: Score, findings: readonly Finding[]): string {
  const figure = `mean overlap ${meanOverlap.toFixed(3)}`;
  const [first, ...others] = findings;
  if (!first) return figure;
  return `${first.message}${others.length > 0 ? `, and ${others.length} more` : ""}; ${figure}`;
}
