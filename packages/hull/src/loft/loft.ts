// The loft: parameters become a hull. Sections stand from the transom to the stem, and the skin closes them.
//
// Meters; x forward with 0 amidships, y to port, z up with 0 at the waterline. The same parameters give the same bytes.

import type { Mesh } from "@loopwright/mesh";
import type { HullParameters } from "./parameters.ts";
import { type Sections, skin } from "./skin.ts";

/** How finely a hull is cut. */
export interface Grid {
  readonly stations: number;
  readonly points: number;
}

/** For pictures and export: about 3,000 triangles. */
export const fineGrid: Grid = { stations: 49, points: 15 };
/** For silhouettes that are made by the thousand. */
export const coarseGrid: Grid = { stations: 21, points: 8 };

const SHEER_LOWEST = 0.45;
const KEEL_RISE_TO = 0.5;
const BOW_BILGE = 1.2;
const BOW_FLARE = 0.2;

/** The hull that parameters describe. */
export function loft(hull: HullParameters, grid: Grid = fineGrid): Mesh {
  return skin(cutSections(hull, grid));
}

function cutSections(hull: HullParameters, { stations, points }: Grid): Sections {
  const data = new Float64Array(3 * stations * points);
  for (let i = 0; i < stations; i++) {
    // Stations stand closer where the deck line bends most: at both ends.
    const even = i / (stations - 1);
    const t = even + 0.35 * even * (1 - even) * (2 * even - 1);
    const isStem = i === stations - 1;
    const station = stationAt(hull, t);
    for (let j = 0; j < points; j++) {
      const angle = (j / (points - 1)) * (Math.PI / 2);
      const out = j === points - 1 ? 1 : Math.sin(angle) ** (2 / station.bilge);
      const round = j === points - 1 ? 1 : 1 - Math.cos(angle) ** (2 / station.bilge);
      const up = hull.deadrise * out + (1 - hull.deadrise) * round;
      const at = 3 * (i * points + j);
      data[at] = stationX(hull, t, up);
      data[at + 1] = isStem || j === 0 ? 0 : station.halfWidth * out * (1 - station.flare * (1 - up));
      data[at + 2] = station.keel + up * (station.sheer - station.keel);
    }
  }
  return { stations, points, data };
}

interface Station {
  halfWidth: number;
  keel: number;
  sheer: number;
  bilge: number;
  flare: number;
}

function stationAt(hull: HullParameters, t: number): Station {
  const aft = beyond(hull.widest_at - t, hull.widest_at);
  const fore = beyond(t - hull.widest_at, 1 - hull.widest_at);
  const deck = aft > 0 ? 1 - (1 - hull.transom_width) * aft * aft : 1 - fore ** hull.bow_fullness;
  const depthBow = hull.freeboard + hull.sheer_bow + hull.draft;
  const depthStern = hull.freeboard + hull.sheer_stern + hull.draft;
  const rise =
    hull.forefoot * depthBow * beyond(t - hull.forefoot_at, 1 - hull.forefoot_at) ** 2 +
    hull.keel_rise * depthStern * beyond(KEEL_RISE_TO - t, KEEL_RISE_TO) ** 2;
  const lift =
    hull.sheer_bow * beyond(t - SHEER_LOWEST, 1 - SHEER_LOWEST) ** 2 +
    hull.sheer_stern * beyond(SHEER_LOWEST - t, SHEER_LOWEST) ** 2;
  return {
    halfWidth: (hull.beam / 2) * deck,
    keel: rise - hull.draft,
    sheer: hull.freeboard + lift,
    bilge: hull.bilge + (BOW_BILGE - hull.bilge) * fore * fore,
    flare: hull.flare + BOW_FLARE * fore * fore,
  };
}

/** How far along a stretch something lies, from 0 to 1; 0 before it. */
function beyond(distance: number, stretch: number): number {
  return distance > 0 ? distance / stretch : 0;
}

/** Stations lean with the stem and with the transom at the ends, and stand upright between. */
function stationX(hull: HullParameters, t: number, up: number): number {
  const down = 1 - up;
  const lean = hull.transom_rake * (1 - t) ** 3 * down - hull.stem_rake * t ** 3 * down * Math.sqrt(down);
  return hull.length * (t - 0.5 + lean);
}
