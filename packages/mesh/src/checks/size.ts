// Whether each side is as long as it should be. A size that no error in modeling explains is one of scale.

import { type Check, hard, meters, type Range, round, soft } from "./finding.ts";

export const size: Check = ({ length, width, height }, limits) => {
  const wrong = (["length", "width", "height"] as const)
    .map((side) => ({ side, is: { length, width, height }[side], range: limits[side] }))
    .map((each) => ({ ...each, factor: factorOutside(each.is, each.range) }))
    .filter(({ factor }) => factor > 1)
    .toSorted((a, b) => b.factor - a.factor);
  if (!wrong[0]) return undefined;
  const words = wrong
    .map(({ side, is, range }) => `${side} ${meters(is)}; expected ${range[0]}–${range[1]} m`)
    .join(", ");
  const { is, range, factor } = wrong[0];
  const fix = `apply a scale of ${round((is > range[1] ? range[1] : range[0]) / is)}`;
  return factor > IMPLAUSIBLE
    ? hard("GEO_SCALE_IMPLAUSIBLE", words, fix)
    : soft(2, "GEO_DIMENSIONS_OUT_OF_RANGE", words, fix);
};

/** How far outside of its range a side may be before its scale is taken for wrong. */
const IMPLAUSIBLE = 1.5;

function factorOutside(is: number, [least, most]: Range): number {
  return Math.max(1, is > 0 ? least / is : least > 0 ? Infinity : 1, is / most);
}
