// Whether something has the size of its kind, and by what to scale it.

import type { Finding } from "@loopwright/core";
import type { MeshReport } from "@loopwright/mesh";
import type { GateConfig } from "../gate/schema.ts";
import { found } from "../playbook/found.ts";

const sides = ["length", "width", "height"] as const;
type Sizes = Pick<MeshReport, (typeof sides)[number]>;
type Ranges = Pick<GateConfig["geometry"], (typeof sides)[number]>;

/** How far outside of its range a side may be before its scale is taken for wrong. */
const IMPLAUSIBLE = 1.5;
/** Factors that a unit mistaken for another is off by: powers of ten, inches and feet. */
const UNITS = [0.1, 10, 0.01, 100, 0.001, 1000, 0.0254, 1 / 0.0254, 0.3048, 1 / 0.3048];

/** What is wrong with its size. */
export function sizeFinding(sizes: Sizes, ranges: Ranges): Finding | undefined {
  const wrong = sides.filter((side) => outside(sizes[side], ranges[side]) > 1);
  if (wrong.length === 0) return undefined;
  const words = wrong
    .map((side) => `${side} ${short(sizes[side])} m; expected ${ranges[side][0]}–${ranges[side][1]} m`)
    .join(", ");
  const isImplausible = wrong.some((side) => outside(sizes[side], ranges[side]) > IMPLAUSIBLE);
  const code = isImplausible ? "GEO_SCALE_IMPLAUSIBLE" : "GEO_DIMENSIONS_OUT_OF_RANGE";
  return found(code, words, { fix: fixOf(sizes, ranges, wrong) });
}

/** What the whole is best scaled by: a unit that was mistaken, else what brings most sides into their ranges. */
export function scaleFor(sizes: Sizes, ranges: Ranges): number {
  const mismatch = (scale: number) =>
    sides.reduce((product, side) => product * outside(sizes[side] * scale, ranges[side]), 1);
  const unit = UNITS.find((scale) => mismatch(scale) === 1);
  if (unit !== undefined || mismatch(1) === 1) return mismatch(1) === 1 ? 1 : unit!;
  const into = sides.flatMap((side) => ranges[side].map((end) => (sizes[side] > 0 ? end / sizes[side] : 1)));
  return into.reduce((best, scale) => (mismatch(scale) < mismatch(best) ? scale : best), 1);
}

function fixOf(sizes: Sizes, ranges: Ranges, wrong: readonly (typeof sides)[number][]): string {
  const scale = scaleFor(sizes, ranges);
  if (Math.abs(scale - 1) > 0.005 && (wrong.length > 1 || UNITS.includes(scale))) return `apply scale ${short(scale)}`;
  return wrong
    .map((side) => {
      const [least, most] = ranges[side];
      return `make the ${side} ${sizes[side] > most ? `at most ${most}` : `at least ${least}`} m`;
    })
    .join(", ");
}

/** By what factor a side is outside of its range; 1 inside. */
function outside(is: number, [least, most]: readonly [number, number]): number {
  if (is > most) return is / most;
  if (is >= least) return 1;
  return is > 0 ? least / is : Number.POSITIVE_INFINITY;
}

function short(value: number): number {
  return Number(value.toPrecision(3));
}
