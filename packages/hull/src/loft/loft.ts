// The loft: parameters become a hull. Sections stand from the transom to the stem, and the skin closes them.
//
// Meters; x forward with 0 amidships, y to port, z up with 0 at the waterline. The same parameters give the same bytes.

import type { Mesh } from "@loopwright/mesh";
import type { HullParameters } from "./parameters.ts";

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

/** Half sections: for each station, from the stern, points from the keel to the sheer. */
interface Sections {
  readonly stations: number;
  readonly points: number;
  /** x, y, z of each point, station by station. y is 0 at every keel and all along the last station, the stem. */
  readonly data: Float64Array;
}

/** Makes a closed mesh of half sections. */
export function skin({ stations, points, data }: Sections): Mesh {
  const half = stations * points;
  const mirrored = (stations - 1) * (points - 1);
  const center = stations - 1;
  const positions = new Float32Array(3 * (half + mirrored + center));
  positions.set(data);
  for (let i = 0; i < stations - 1; i++) {
    for (let j = 1; j < points; j++) {
      const from = 3 * (i * points + j);
      const to = 3 * (half + i * (points - 1) + j - 1);
      positions[to] = data[from]!;
      positions[to + 1] = -data[from + 1]!;
      positions[to + 2] = data[from + 2]!;
    }
    const sheer = 3 * (i * points + points - 1);
    const deck = 3 * (half + mirrored + i);
    positions[deck] = data[sheer]!;
    positions[deck + 2] = data[sheer + 2]!;
  }
  return { positions, triangles: trianglesOf(stations, points) };
}

const known = new Map<string, Uint32Array>();

/** The triangles depend on the numbers of stations and points alone. */
function trianglesOf(stations: number, points: number): Uint32Array {
  const key = `${stations}x${points}`;
  const found = known.get(key) ?? Uint32Array.from(makeTriangles(stations, points));
  known.set(key, found);
  return found;
}

function makeTriangles(stations: number, points: number): number[] {
  const half = stations * points;
  const port = (i: number, j: number) => i * points + j;
  const starboard = (i: number, j: number) =>
    j === 0 || i === stations - 1 ? port(i, j) : half + i * (points - 1) + j - 1;
  const deck = (i: number) => (i === stations - 1 ? port(i, points - 1) : half + (stations - 1) * (points - 1) + i);
  const triangles: number[] = [];
  const add = (a: number, b: number, c: number) => {
    if (a !== b && b !== c && c !== a) triangles.push(a, b, c);
  };
  // Cut from b to d: at the foot of the stem a and c both lie on the center line, and the two sides would share a cut.
  const addQuad = (a: number, b: number, c: number, d: number) => {
    add(a, b, d);
    add(b, c, d);
  };
  for (let i = 0; i < stations - 1; i++) {
    for (let j = 0; j < points - 1; j++) {
      addQuad(port(i, j), port(i, j + 1), port(i + 1, j + 1), port(i + 1, j));
      addQuad(starboard(i, j), starboard(i + 1, j), starboard(i + 1, j + 1), starboard(i, j + 1));
    }
    addQuad(port(i, points - 1), deck(i), deck(i + 1), port(i + 1, points - 1));
    addQuad(deck(i), starboard(i, points - 1), starboard(i + 1, points - 1), deck(i + 1));
  }
  const top = points - 1;
  for (let j = 0; j < top - 1; j++) {
    addQuad(port(0, j), starboard(0, j), starboard(0, j + 1), port(0, j + 1));
  }
  // The deck's middle lies on the transom's upper edge, so the last strip is a fan around it.
  add(port(0, top - 1), starboard(0, top - 1), deck(0));
  add(starboard(0, top - 1), starboard(0, top), deck(0));
  add(port(0, top - 1), deck(0), port(0, top));
  return triangles;
}
