// Gross failures: what no score and no model outweighs. They are looked for under every evaluator, of any model that generated
// code has made: something flat, hollow, far too large or small, somewhere else, the wrong way round, in pieces, in its own way, or
// with features that are missing or too many never passes.

import type { Finding } from "@loopwright/core";
import {
  enclosedVolume,
  extentOf,
  type Mask,
  type Mesh,
  type MeshReport,
  overlap,
  overlapsOf,
  piecesOf,
  type Stray,
  strayRegions,
} from "@loopwright/mesh";
import { showScore } from "@loopwright/terminal";
import { type Evidence, hard, soft } from "./findings.ts";
import { orientationFindings } from "./orientation.ts";
import { placesIn } from "./outlines.ts";
import { diagonalOf, referenceViews } from "./score.ts";

/** A view that shares less than this with its reference shows something else. */
const NOT_IT = 0.4;
const TOO_SMALL = 0.4;
const TOO_LARGE = 2.5;
/** This share of the reference's size off its place. */
const OFF_PLACE = 0.5;
/** The least share of the greatest volume that three silhouettes allow; a ball has .75, three crossed cards nearly none. */
const HOLLOW = 0.2;

/** The least depth, as a share of the second smallest side, of what no reference shows the depth of. */
const FLAT = 0.03;
/** The most of a part's space that its own surface may enclose twice. */
const THROUGH_ITSELF = 0.1;

/** What is grossly wrong. */
export function grossFindings(evidence: Evidence): Finding[] {
  const views = Object.entries(evidence.references);
  const failures = views.map(([view]) => viewFailures(view, evidence));
  // What is another thing altogether lacks no single feature.
  const alike = Object.fromEntries(views.filter((_, at) => failures[at]!.length === 0));
  return [
    ...failures.flat(),
    ...hollow(evidence),
    ...flat(evidence),
    ...partFailures(evidence),
    ...orientationFindings(evidence).map((finding) => ({ ...finding, severity: "hard" as const })),
    ...featureFindings({ ...evidence, references: alike }),
  ];
}

/** Whether a finding makes what was made worth less than anything that is merely unlike its references. */
export function isWorthless({ code }: Finding): boolean {
  return code.startsWith("GROSS_");
}

function viewFailures(view: string, { masks, references, frame }: Evidence): Finding[] {
  const [made, reference] = [masks[view]!, references[view]!];
  const [seen, wanted] = [extentOf(made), extentOf(reference)];
  if (!seen || !wanted) return [];
  const perPixel = frame.meters / made.width;
  const found: Finding[] = [];
  const sides = [
    { name: "wide", is: seen.width, should: wanted.width },
    { name: "high", is: seen.height, should: wanted.height },
  ];
  for (const { name, is, should } of sides) {
    const words = `seen from the ${view} the model is ${(is * perPixel).toFixed(2)} m ${name}, and should be ${(should * perPixel).toFixed(2)} m`;
    if (is < TOO_SMALL * should) found.push(hard("GROSS_TOO_SMALL", words, "build it as a solid of the right size"));
    if (is > TOO_LARGE * should) found.push(hard("GROSS_TOO_LARGE", words, "make it as large as its reference"));
  }
  const [across, up] = [
    seen.left + seen.right - wanted.left - wanted.right,
    seen.top + seen.bottom - wanted.top - wanted.bottom,
  ];
  if (Math.abs(across) / 2 > OFF_PLACE * wanted.width)
    found.push(hard("GROSS_OFF_CENTER", `seen from the ${view} the model is off its center`, "move it to its place"));
  if (Math.abs(up) / 2 > OFF_PLACE * wanted.height) {
    const where = view === "top" ? "beside its place" : up > 0 ? "below the ground" : "floating above its place";
    found.push(hard("GROSS_OFF_PLACE", `seen from the ${view} the model is ${where}`, "move it to its place"));
  }
  const shared = overlap(made, reference);
  if (found.length === 0 && shared < NOT_IT)
    found.push(
      hard(
        "GROSS_SHAPE",
        `the ${view} view shares only ${showScore(shared, 2)} with its reference`,
        "build the shape of the reference",
      ),
    );
  return found;
}

/** Three views may be right with nothing behind them. */
function hollow({ masks, frame, surface, mesh }: Evidence): Finding[] {
  const perPixel = frame.meters / masks.side.width;
  const areas = referenceViews.map((view) => areaOf(masks[view]) * perPixel ** 2);
  const most = Math.sqrt(areas.reduce((product, area) => product * area, 1));
  // What may be open holds what its sides enclose, however thin they are.
  const holds = mesh ? enclosedVolume(mesh) : surface.volume;
  if (most === 0 || holds >= HOLLOW * most) return [];
  const words = `the model holds ${Math.max(0, holds).toFixed(2)} m³, where its views allow ${most.toFixed(2)} m³: it is flat or hollow`;
  return [
    hard(
      "GROSS_HOLLOW",
      words,
      mesh ? "build it with a bottom and sides all round" : "build a closed solid, not surfaces that look like one",
    ),
  ];
}

/** A picture of the thing instead of the thing: as good as no depth, along an axis that no reference shows. */
function flat({ references, parts }: Evidence): Finding[] {
  if (!parts) return [];
  const isShown = [
    references.side || references.top,
    references.front || references.top,
    references.front || references.side,
  ];
  const [thin, next] = parts.sides.map((meters, axis) => ({ meters, axis })).sort((a, b) => a.meters - b.meters);
  if (isShown[thin!.axis] || thin!.meters >= FLAT * next!.meters) return [];
  const words = `the model is only ${thin!.meters.toFixed(3)} m deep along ${"xyz"[thin!.axis]}: it is flat`;
  return [hard("GROSS_FLAT", words, "build the thing as a solid, not a picture of it")];
}

/** How its parts stand to each other. */
function partFailures({ parts, references, closed = "required" }: Evidence): Finding[] {
  if (!parts) return [];
  const found: Finding[] = [];
  const shown = Object.values(references);
  if (parts.floating > 0 && shown.every((mask) => regionsOf(mask) === 1)) {
    const words = `${parts.floating === 1 ? "a part floats" : `${parts.floating} parts float`} in the air and touch nothing`;
    // Where no view is known, whether the thing is in one piece is for the model to see.
    const say = shown.length > 0 ? hard : soft.bind(undefined, 2);
    found.push(say("PART_FLOATING", words, "move each part to where it meets the others, or delete it"));
  }
  if (parts.insideOut > 0) {
    const words = `${parts.insideOut === 1 ? "a part is" : `${parts.insideOut} parts are`} inside out`;
    // Which side of an open sheet is outside is often a matter of taste.
    const say = closed === "required" ? hard : soft.bind(undefined, 2);
    found.push(say("PART_INSIDE_OUT", words, "make the faces of every part point outwards"));
  }
  if (parts.twins > 0) {
    const words = `${parts.twins === 1 ? "two parts fill" : `${parts.twins} pairs of parts fill`} the same space and intersect all over`;
    found.push(
      hard("PARTS_INTERSECT", words, "delete the part that was there before, or change it instead of adding one"),
    );
  }
  if (parts.self > THROUGH_ITSELF) {
    const words = `a surface intersects itself: ${Math.round(parts.self * 100)} % of its space is enclosed twice or the wrong way round`;
    found.push(hard("SURFACE_INTERSECTS", words, "untangle the points that are out of order, or build that part anew"));
  }
  return found;
}

/** In how many pieces an object is seen; specks do not count. */
function regionsOf(mask: Mask): number {
  const least = 0.002 * areaOf(mask);
  return piecesOf(mask).filter(({ length }) => length >= least).length;
}

function areaOf({ data }: Mask): number {
  return data.reduce((sum, pixel) => sum + pixel, 0);
}

// Missing and extra features: how far from the other they stand counts, not how large they are, so that a mast is a feature too.

/** Shares of the reference's diagonal: from here on it is a feature, is worth a word, and is grossly wrong. */
const STANDS_OUT = 0.02;
const WORTH_A_WORD = 0.04;
const GROSS = 0.1;
/** No more of either kind in a view. */
const MOST = 3;

/** The features that are missing, and those that are too many. */
function featureFindings({ masks, references, frame }: Evidence): Finding[] {
  return Object.entries(references).flatMap(([view, wanted]) => {
    const made = masks[view]!;
    const diagonal = diagonalOf(extentOf(wanted));
    const { words } = placesIn(view, frame, wanted.width);
    const find = (of: Mask, beside: Mask, say: (stray: Stray, meters: string) => Words) =>
      strayRegions(of, beside, STANDS_OUT * diagonal)
        .filter(({ reach }) => reach >= WORTH_A_WORD * diagonal)
        .slice(0, MOST)
        .map((stray): Finding => {
          const meters = ((stray.reach * frame.meters) / wanted.width).toFixed(2);
          const [code, message, fix] = say(stray, meters);
          return stray.reach >= GROSS * diagonal ? hard(code, message, fix) : soft(2, code, message, fix);
        });
    return [
      ...find(wanted, made, ({ extent }, meters) => [
        `FEATURE_MISSING_${view.toUpperCase()}`,
        `a feature is missing: the ${view} reference shows something at ${words(extent)}, as far as ${meters} m from the model`,
        `add what the ${view} reference shows at ${words(extent)}`,
      ]),
      ...find(made, wanted, ({ extent }, meters) => [
        `FEATURE_EXTRA_${view.toUpperCase()}`,
        `there is too much: in the ${view} view the model has something at ${words(extent)}, as far as ${meters} m from the reference`,
        `remove or shorten what stands at ${words(extent)} in the ${view} view`,
      ]),
    ];
  });
}

type Words = [code: string, message: string, fix: string];

/** Measures the parts of a mesh that was checked. */
export function partFigures(mesh: Mesh, { floatingParts, insideOutParts, hiddenParts, min, max }: MeshReport) {
  return {
    ...overlapsOf(mesh),
    floating: floatingParts,
    // The inner wall of something hollow faces inwards, and nobody sees it.
    insideOut: Math.max(0, insideOutParts - hiddenParts),
    /** Meters along x, y and z. */
    sides: max.map((value, axis) => value - min[axis]!),
  };
}
