// Hulls to fit: a wider family than the loft's, drawn by seed, so that no target can be reached exactly.
//
// It has its own formulas. What it has and the loft lacks: a chine, deadrise with its own angle, tumblehome, a skeg, a
// bulb, a raised foredeck, a bulge or a hollow in the deck line, a keel that sags, and ends of any curvature.

import { randomStream } from "@loopwright/core";
import type { Frame, Mesh } from "@loopwright/mesh";
import { skin } from "../../packages/hull/src/loft/skin.ts";

const STATIONS = 81;
const POINTS = 21;

export interface Target {
  readonly mesh: Mesh;
  readonly frame: Frame;
}

/** The target of a seed, and the frame that its pictures are taken in. */
export function drawTarget(seed: number): Target {
  const shape = drawShape(seed);
  const { length, freeboard, draft } = shape;
  const centimetres = (metres: number) => Math.round(metres * 100) / 100;
  const frame: Frame = { centre: [0, 0, centimetres((freeboard - draft) / 2)], metres: centimetres(length * 1.3) };
  return { mesh: meshOf(shape), frame };
}

type Shape = ReturnType<typeof drawShape>;

function drawShape(seed: number) {
  const random = randomStream("hull-target", seed);
  const between = (min: number, max: number) => min + random() * (max - min);
  const length = between(7, 15);
  const depth = length * between(0.13, 0.22);
  const freeboard = depth * between(0.5, 0.75);
  return {
    length,
    beam: length * between(0.24, 0.38),
    freeboard,
    draft: depth - freeboard,
    depth,
    sheerBow: depth * between(0.05, 0.45),
    sheerStern: depth * between(-0.05, 0.2),
    sheerPower: between(1.6, 2.8),
    stemRake: length * between(0.02, 0.17),
    stemPower: between(0.9, 2.2),
    transomRake: length * between(-0.02, 0.08),
    forefoot: between(0.05, 0.6),
    forefootFrom: between(0.5, 0.75),
    forefootPower: between(2, 4),
    keelRise: between(0.05, 0.65),
    keelRiseTo: between(0.35, 0.6),
    sag: between(-0.06, 0.06),
    widestAt: between(0.35, 0.6),
    transomWidth: between(0.3, 0.95),
    sternPower: between(1.5, 3.5),
    bowPower: between(1.5, 3.6),
    bowHollow: between(0.9, 1.25),
    bulge: between(-0.05, 0.05),
    bulgeAt: between(0.2, 0.8),
    roundness: between(1.3, 5.5),
    deadrise: between(0.15, 0.6),
    chineOut: between(0.75, 0.97),
    chineHardness: random(),
    tumblehome: between(0, 0.1),
    skegDepth: depth * between(0, 0.12),
    skegFrom: between(0.1, 0.25),
    skegLength: between(0.12, 0.3),
    bulb: length * between(0, 0.025),
    stepHeight: depth * between(0, 0.12),
    stepAt: between(0.55, 0.8),
  };
}

function meshOf(shape: Shape): Mesh {
  const data = new Float64Array(3 * STATIONS * POINTS);
  for (let i = 0; i < STATIONS; i++) {
    const t = i / (STATIONS - 1);
    for (let j = 0; j < POINTS; j++) data.set(pointAt(shape, t, j / (POINTS - 1)), 3 * (i * POINTS + j));
  }
  return skin({ stations: STATIONS, points: POINTS, data });
}

/** A point of the hull: t from transom to stem, s along the section from keel to sheer. */
function pointAt(shape: Shape, t: number, s: number): [number, number, number] {
  const keel = keelAt(shape, t);
  const sheer = sheerAt(shape, t);
  const { out, up } = sectionAt(shape, t, s);
  const skeg = s === 0 ? shape.skegDepth * hump((t - shape.skegFrom) / shape.skegLength) : 0;
  const y = t === 1 || s === 0 ? 0 : (shape.beam / 2) * deckAt(shape, t) * out;
  return [alongAt(shape, t, up), y, keel + up * (sheer - keel) - skeg];
}

/** A round section and one with a chine, mixed by how hard the chine is; fuller aft, sharper towards the stem. */
function sectionAt(shape: Shape, t: number, s: number): { out: number; up: number } {
  if (s === 1) return { out: 1 - shape.tumblehome * smooth((1 - t) / 0.6), up: 1 };
  const fore = Math.max(0, (t - shape.widestAt) / (1 - shape.widestAt));
  const power = shape.roundness + (1.15 - shape.roundness) * fore * fore;
  const angle = (s * Math.PI) / 2;
  const round = { out: Math.sin(angle) ** (2 / power), up: 1 - Math.cos(angle) ** (2 / power) };
  const chineUp = shape.deadrise + (0.75 - shape.deadrise) * fore;
  const chined =
    s < 0.5
      ? { out: s * 2 * shape.chineOut, up: s * 2 * chineUp }
      : { out: shape.chineOut + (s * 2 - 1) * (1 - shape.chineOut), up: chineUp + (s * 2 - 1) * (1 - chineUp) };
  const mix = (a: number, b: number) => a + (b - a) * shape.chineHardness;
  const up = mix(round.up, chined.up);
  const inward = shape.tumblehome * smooth((1 - t) / 0.6) * up * up;
  return { out: mix(round.out, chined.out) * (1 - inward), up };
}

function keelAt(shape: Shape, t: number): number {
  const fore = Math.max(0, (t - shape.forefootFrom) / (1 - shape.forefootFrom));
  const aft = Math.max(0, (shape.keelRiseTo - t) / shape.keelRiseTo);
  const rise = shape.forefoot * fore ** shape.forefootPower + shape.keelRise * aft ** 2.2;
  return shape.depth * (rise + shape.sag * hump((t - 0.25) / 0.5)) - shape.draft;
}

function sheerAt(shape: Shape, t: number): number {
  const fore = Math.max(0, (t - 0.4) / 0.6) ** shape.sheerPower;
  const aft = Math.max(0, (0.4 - t) / 0.4) ** shape.sheerPower;
  const step = shape.stepHeight * smooth((t - shape.stepAt) / 0.04);
  return shape.freeboard + shape.sheerBow * fore + shape.sheerStern * aft + step;
}

/** The deck's half width as a share of the greatest. */
function deckAt(shape: Shape, t: number): number {
  const { widestAt, bulgeAt } = shape;
  const extra = 1 + shape.bulge * hump((t - bulgeAt + 0.15) / 0.3);
  if (t <= widestAt) return extra * (1 - (1 - shape.transomWidth) * ((widestAt - t) / widestAt) ** shape.sternPower);
  return extra * (1 - ((t - widestAt) / (1 - widestAt)) ** shape.bowPower) ** shape.bowHollow;
}

function alongAt(shape: Shape, t: number, up: number): number {
  const stem = shape.stemRake * (1 - up) ** shape.stemPower - shape.bulb * hump(up / 0.5);
  const transom = shape.transomRake * (1 - up);
  return shape.length * (t - 0.5) + transom * (1 - t) ** 3 - stem * t ** 3;
}

/** 0 at 0 and at 1, 1 halfway, and 0 beyond. */
function hump(share: number): number {
  return share > 0 && share < 1 ? 16 * share * share * (1 - share) * (1 - share) : 0;
}

function smooth(share: number): number {
  const s = Math.min(Math.max(share, 0), 1);
  return s * s * (3 - 2 * s);
}
