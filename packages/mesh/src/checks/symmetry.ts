// Bilateral symmetry: how much of a surface has its like on the other side of an upright plane.

import type { Component, Components } from "./components.ts";
import { cellAt, cellsNear, type Samples } from "./samples.ts";

export interface Symmetry {
  /** The axis that the mirror turns round: y for something that faces along x. */
  readonly mirror: "x" | "y";
  /** Where on it the mirror stands. */
  readonly at: number;
  /** The part of the surface, 0 to 1, that has its like on the other side. */
  readonly share: number;
  /** Components without a like on the other side. */
  readonly unpaired: number;
}

/** By how much a mirror across the longest side must be better to be believed: most things are wider apart than alike. */
const BETTER = 0.02;

/** The symmetry of a surface: left and right of where it faces, or, where that is not given, the better of two mirrors. */
export function measureSymmetry(samples: Samples, { list }: Components, forward?: "x" | "y"): Symmetry {
  const near = cellsNear(samples);
  const [alongX, alongY] = ([0, 1] as const).map((axis) => bestMirror(samples, list, near, axis)) as [
    Symmetry,
    Symmetry,
  ];
  if (forward !== undefined) return forward === "x" ? alongY : alongX;
  const [lengthX, lengthY] = ([0, 1] as const).map((axis) => ends(list, axis)[1] - ends(list, axis)[0]);
  const [usual, other] = lengthX! >= lengthY! ? [alongY, alongX] : [alongX, alongY];
  return other.share > usual.share + BETTER ? other : usual;
}

function ends(list: readonly Component[], axis: 0 | 1): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (const { min, max } of list) {
    low = Math.min(low, min[axis]!);
    high = Math.max(high, max[axis]!);
  }
  return [low, high];
}

/** The better of the mirrors through the middle of the box and through the middle of the surface. */
function bestMirror(samples: Samples, list: readonly Component[], near: Uint8Array, axis: 0 | 1): Symmetry {
  const [low, high] = ends(list, axis);
  const middles = [(low + high) / 2, meanOf(samples.points, axis)];
  const [first, second] = middles.map((at) => ({ at, share: mirroredShare(samples, near, axis, at) }));
  const { at, share } = second!.share > first!.share ? second! : first!;
  return { mirror: axis === 0 ? "x" : "y", at, share, unpaired: unpairedIn(list, axis, at, samples.grid.cell * 2) };
}

function meanOf(points: Float64Array, axis: number): number {
  let sum = 0;
  for (let at = axis; at < points.length; at += 3) sum += points[at]!;
  return (sum * 3) / points.length;
}

function mirroredShare({ points, grid }: Samples, near: Uint8Array, axis: 0 | 1, middle: number): number {
  let alike = 0;
  for (let at = 0; at < points.length; at += 3) {
    const x = axis === 0 ? 2 * middle - points[at]! : points[at]!;
    const y = axis === 1 ? 2 * middle - points[at + 1]! : points[at + 1]!;
    const cell = cellAt(grid, x, y, points[at + 2]!);
    if (cell >= 0 && near[cell]) alike += 1;
  }
  return points.length === 0 ? 1 : alike / (points.length / 3);
}

/** Components smaller than this part of the surface need no like. */
const SMALL = 0.01;

/** How many components have a mirror image whose box is that of no component, their own among them. */
function unpairedIn(list: readonly Component[], axis: 0 | 1, at: number, tolerance: number): number {
  const area = list.reduce((sum, component) => sum + component.area, 0);
  const large = list.filter((component) => component.area >= SMALL * area);
  const likes = list.filter((component) => component.area >= (SMALL / 2) * area);
  return large.filter((one) => !likes.some((other) => isMirrored(one, other, axis, at, tolerance))).length;
}

function isMirrored(one: Component, other: Component, axis: 0 | 1, at: number, tolerance: number): boolean {
  for (let each = 0; each < 3; each += 1) {
    const [low, high] =
      each === axis ? [2 * at - one.max[each]!, 2 * at - one.min[each]!] : [one.min[each]!, one.max[each]!];
    if (!(Math.abs(low - other.min[each]!) <= tolerance && Math.abs(high - other.max[each]!) <= tolerance))
      return false;
  }
  return true;
}
