// The evaluator: masks and a mesh become scores, and issues and fixes in words with numbers. Pure.
//
// It knows views, meters and places, and no parameter of any workcell.

import type { Finding } from "@loopwright/core";
import { showScore } from "@loopwright/terminal";
import type { Feedback } from "../task/task.ts";
import { byPriority, type Evidence, failureFinding, shapeFindings, surfaceFindings } from "./findings.ts";
import { isWorthless } from "./gross.ts";
import { orientationFindings } from "./orientation.ts";
import { placeFindings } from "./places.ts";
import { type Score, scoreSurface, scoreView, scoreViews, type ViewScores } from "./score.ts";

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
  const views = Object.fromEntries(
    Object.entries(references).map(([view, reference]) => [view, scoreView(masks[view]!, reference)]),
  );
  const score = scoreViews(views, scoreSurface(surface, evidence.closed));
  // Whatever its views are worth, it must not be taken for the best.
  const overall = gross.some(isWorthless) ? score.overall / 2 : score.overall;
  const findings = byPriority([
    ...failureFinding(evidence.failure),
    ...gross,
    ...orientationFindings(evidence).filter(({ code }) => gross.every((each) => each.code !== code)),
    ...surfaceFindings(evidence),
    ...placeFindings(evidence),
    ...shapeFindings(evidence, views),
  ]);
  const isSound = findings.every(({ severity }) => severity !== "hard");
  const feedback: Feedback = {
    overall_score: overall,
    category_scores: score.categories,
    detected_issues: findings.map(({ message }) => message),
    suggested_fixes: [...new Set(findings.flatMap(({ fix }) => fix ?? []))],
    positive_aspects: praise(views, score, surface.boundaryEdges > 0),
    is_complete: isSound && overall >= threshold,
  };
  return { feedback, findings, reason: reasonOf(Object.keys(views).length > 0 ? score : undefined, findings) };
}

function praise(views: Readonly<Record<string, ViewScores>>, { categories }: Score, isOpen: boolean): string[] {
  const good = Object.entries(views).filter(([, { overlap }]) => overlap >= GOOD_OVERLAP);
  const words = good.map(([name, { overlap }]) => `the ${name} view overlaps its reference by ${showScore(overlap)}`);
  if (categories.surface_quality === 1)
    words.push(isOpen ? "the surface is sound" : "the surface is closed and faces outwards");
  return words;
}

/** The first issue comes first: where a line is cut, it is what must not be lost. There is no score where no view is known. */
function reasonOf(score: Score | undefined, findings: readonly Finding[]): string {
  const figure = score
    ? `mean overlap ${showScore(score.meanOverlap)}`
    : "measured: the surface alone, for no view is known";
  const [first, ...others] = findings;
  if (!first) return figure;
  return `${first.message}${others.length > 0 ? `, and ${others.length} more` : ""}; ${figure}`;
}
