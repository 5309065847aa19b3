// Findings about whole views and about the surface.

import type { Finding, Problem } from "@loopwright/core";
import { extentOf, type Frame, type Mask, type Mesh, type MeshCheck } from "@loopwright/mesh";
import { showCount, showScore } from "@loopwright/terminal";
import type { HullTask } from "../task/task.ts";
import type { partFigures } from "./gross.ts";
import type { Masks, ViewScores } from "./score.ts";

/** What the evaluator is shown. */
export interface Evidence {
  /** What was made: in the three named views, and in every other that has a reference. */
  readonly masks: Masks & Readonly<Record<string, Mask>>;
  /** What was wanted, in the views that a reference is known to show. */
  readonly references: Readonly<Record<string, Mask>>;
  readonly frame: Frame;
  readonly surface: MeshCheck;
  /** Whether the surface must be closed; required where it is left out. */
  readonly closed?: HullTask["closed"] | undefined;
  /** What was made, where that may be open. */
  readonly mesh?: Mesh | undefined;
  /** How its parts stand to each other; known of what generated code has made. */
  readonly parts?: ReturnType<typeof partFigures> | undefined;
  /** Set where the last code could not be executed, so that this is the scene as it was before. */
  readonly failure?: Problem | undefined;
}

const GOOD_ENOUGH = 0.97;

/** What no score outweighs. */
export function hard(code: string, message: string, fix?: string): Finding {
  return { code, severity: "hard", priority: 1, message, ...(fix !== undefined && { fix }) };
}

export function soft(priority: Finding["priority"], code: string, message: string, fix?: string): Finding {
  return { code, severity: "soft", priority, message, ...(fix !== undefined && { fix }) };
}

/** The most urgent first; equal ones stay in their order. */
export function byPriority(findings: readonly Finding[]): Finding[] {
  return findings.toSorted((a, b) => a.priority - b.priority);
}

/** The priority of a deviation, as a share of the size that it is measured against. */
export function shareToPriority(share: number): Finding["priority"] {
  return share >= 0.15 ? 1 : share >= 0.08 ? 2 : share >= 0.04 ? 3 : 4;
}

/** That the last code could not be executed. */
export function failureFinding(failure: Problem | undefined): Finding[] {
  if (!failure) return [];
  const why = `${failure.class}: ${failure.message}`;
  return [hard("EXECUTION_FAILED", `the last code could not be executed (${why}); the scene is as it was before`)];
}

/** What is wrong with the surface. */
export function surfaceFindings({
  surface: check,
  closed = "required",
}: Pick<Evidence, "surface" | "closed">): Finding[] {
  const found: Finding[] = [];
  if (check.triangles === 0) return [hard("SURFACE_MISSING", "the export holds no triangle", "build the hull")];
  if (check.boundaryEdges > 0 && closed !== "any") {
    const words = `the surface has ${showCount(check.boundaryEdges, "open edge")}`;
    const open = closed === "required" ? hard : soft.bind(undefined, 2);
    found.push(open("SURFACE_OPEN", words, "close every hole"));
  }
  if (check.nonManifoldEdges > 0) {
    const message = `${showCount(check.nonManifoldEdges, "edge")} of the surface ${check.nonManifoldEdges === 1 ? "belongs" : "belong"} to more than two faces`;
    found.push(hard("SURFACE_NON_MANIFOLD", message, "remove inner faces and fins"));
  }
  if (check.flippedEdges > 0) {
    const message = `at ${showCount(check.flippedEdges, "edge")} of the surface the two faces point opposite ways`;
    found.push(hard("SURFACE_FLIPPED", message, "make all faces point outwards"));
  } else if (check.boundaryEdges === 0 && check.volume <= 0) {
    const message = `the surface is inside out: its volume is ${check.volume.toFixed(2)} m³`;
    found.push(hard("SURFACE_INSIDE_OUT", message, "turn all faces round"));
  }
  if (check.degenerateTriangles > 0) {
    const message = `${showCount(check.degenerateTriangles, "triangle")} of the surface ${check.degenerateTriangles === 1 ? "has" : "have"} no area`;
    found.push(soft(4, "SURFACE_DEGENERATE", message, "merge vertices that coincide"));
  }
  return found;
}

/** What is wrong with each view as a whole. */
export function shapeFindings(evidence: Evidence, views: Readonly<Record<string, ViewScores>>): Finding[] {
  return Object.entries(views).flatMap(([view, { overlap }]) => viewFindings(view, evidence, overlap));
}

function viewFindings(view: string, { masks, references, frame, surface }: Evidence, score: number): Finding[] {
  const [seen, reference] = [masks[view]!, references[view]!];
  const name = view.toUpperCase();
  if (!extentOf(seen)) {
    // Where there is nothing at all, that is said once.
    if (surface.triangles === 0) return [];
    const fix = `bring the hull into the ${frame.meters} m around (${frame.center.join(", ")})`;
    return [hard(`VIEW_EMPTY_${name}`, `the ${view} view shows nothing`, fix)];
  }
  if (score >= GOOD_ENOUGH) return [];
  const { missing, extra } = differences(seen, reference);
  const message = `the ${view} view overlaps its reference by ${showScore(score)}: ${percent(missing)} of the reference is missing and ${percent(extra)} is too much`;
  return [soft(shareToPriority((1 - score) / 2), `SHAPE_MISMATCH_${name}`, message)];
}

/** What is missing and what is too much, as shares of the reference. */
function differences(seen: Mask, reference: Mask): { missing: number; extra: number } {
  let [missing, extra, area] = [0, 0, 0];
  for (let at = 0; at < reference.data.length; at++) {
    const is = seen.data[at]!;
    const should = reference.data[at]!;
    area += should;
    if (should > is) missing += 1;
    else if (is > should) extra += 1;
  }
  return area > 0 ? { missing: missing / area, extra: extra / area } : { missing: 0, extra: 0 };
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
