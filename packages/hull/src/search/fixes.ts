// What an evaluator's fixes mean for a hull's parameters: a fix with a direction and a size moves the parameter that it is
// about. Fixes are read as a person reads them, in their words. Pure.

import type { HullParameters, ParameterName } from "../loft/parameters.ts";

type Moves = Partial<Record<ParameterName, number>>;

/** Mean lift of the sheer in an end third, of the keel, and of the deck's width there, for one unit of their parameters. */
const [SHEER_SHARE, KEEL_SHARE, DECK_SHARE] = [0.45, 0.3, 0.55];
/** How much an exponent takes to fill sections or the bow by their whole width. */
const FILL = 4;

const FORM =
  /^(lengthen|shorten|widen|narrow|raise|lower) the (hull|deck|sheer|keel|sections)(?: (at the stern|amidships|at the bow|in its upper third|at half its height|in its lower third))? by about ([\d.]+) m$/;

/** Where the fixes would bring a hull; undefined where none says how far. */
export function applyFixes(hull: HullParameters, fixes: readonly string[]): HullParameters | undefined {
  const sizes = new Map<string, number>();
  for (const fix of fixes) {
    const [, verb, what, where = "whole", meters] = FORM.exec(fix) ?? [];
    const sign = verb === "shorten" || verb === "narrow" || verb === "lower" ? -1 : 1;
    const place = verb === "lengthen" || verb === "shorten" ? "length" : where;
    if (what && !isHeight(what, verb)) sizes.set(`${what} ${place}`, sign * Number(meters));
  }
  if (sizes.size === 0) return undefined;
  const moved: Record<ParameterName, number> = { ...hull };
  for (const [name, by] of Object.entries(movesFor(hull, (fix) => sizes.get(fix) ?? 0)))
    moved[name as ParameterName] += by;
  return moved;
}

/** "lower the hull" is about its height, which sheer and keel say better. */
function isHeight(what: string, verb: string | undefined): boolean {
  return what === "hull" && (verb === "raise" || verb === "lower");
}

function movesFor(hull: HullParameters, by: (fix: string) => number): Moves {
  const depth = hull.freeboard + hull.draft;
  const [sheer, keel] = [by("sheer amidships"), by("keel amidships")];
  const wider = by("hull whole") || by("deck amidships");
  return {
    length: by("hull length"),
    beam: wider,
    freeboard: sheer,
    draft: -keel,
    sheer_bow: (by("sheer at the bow") - sheer) / SHEER_SHARE,
    sheer_stern: (by("sheer at the stern") - sheer) / SHEER_SHARE,
    forefoot: (by("keel at the bow") - keel) / (depth * KEEL_SHARE),
    keel_rise: (by("keel at the stern") - keel) / (depth * KEEL_SHARE),
    transom_width: (by("deck at the stern") - wider) / (hull.beam * DECK_SHARE),
    bow_fullness: ((by("deck at the bow") - wider) / hull.beam) * FILL,
    bilge: ((by("sections in its lower third") - wider) / hull.beam) * FILL,
  };
}
