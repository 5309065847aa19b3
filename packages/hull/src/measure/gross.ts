// Gross failures: what no score and no model outweighs. They are looked for under every evaluator, of any model that generated
// code has made: something flat, hollow, far too large or small, or somewhere else, never passes.

import type { Finding } from "@loopwright/core";
import { extentOf, type Mask, overlap } from "@loopwright/mesh";
import type { Evidence } from "./findings.ts";
import { referenceViews } from "./score.ts";

/** A view that shares less than this with its reference shows something else. */
const NOT_IT = 0.4;
const TOO_SMALL = 0.4;
const TOO_LARGE = 2.5;
/** This share of the reference's size off its place. */
const OFF_PLACE = 0.5;
/** The least share of the greatest volume that three silhouettes allow; a ball has .75, three crossed cards nearly none. */
const HOLLOW = 0.2;

/** What is grossly wrong. */
export function grossFindings(evidence: Evidence): Finding[] {
  return [...referenceViews.flatMap((view) => viewFailures(view, evidence)), ...hollow(evidence)];
}

function viewFailures(view: (typeof referenceViews)[number], { masks, references, frame }: Evidence): Finding[] {
  const [seen, wanted] = [extentOf(masks[view]), extentOf(references[view])];
  if (!seen || !wanted) return [];
  const perPixel = frame.metres / masks[view].width;
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
  const shared = overlap(masks[view], references[view]);
  if (found.length === 0 && shared < NOT_IT)
    found.push(
      hard(
        "GROSS_SHAPE",
        `the ${view} view shares only ${shared.toFixed(2)} with its reference`,
        "build the shape of the reference",
      ),
    );
  return found;
}

/** Three views may be right with nothing behind them. */
function hollow({ masks, frame, surface }: Evidence): Finding[] {
  const perPixel = frame.metres / masks.side.width;
  const areas = referenceViews.map((view) => areaOf(masks[view]) * perPixel ** 2);
  const most = Math.sqrt(areas.reduce((product, area) => product * area, 1));
  if (most === 0 || surface.volume >= HOLLOW * most) return [];
  const words = `the model holds ${Math.max(0, surface.volume).toFixed(2)} m³, where its views allow ${most.toFixed(2)} m³: it is flat or hollow`;
  return [hard("GROSS_HOLLOW", words, "build a closed solid, not surfaces that look like one")];
}

function areaOf({ data }: Mask): number {
  return data.reduce((sum, pixel) => sum + pixel, 0);
}

function hard(code: string, message: string, fix: string): Finding {
  return { code, severity: "hard", priority: 1, message, fix };
}
