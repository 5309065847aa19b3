// Bilateral symmetry: how much of a surface has its like on the other side of an upright plane.

import { boundsOf } from "../mesh.ts";
import type { Component, Components } from "./components.ts";
import type { Surface } from "./surface.ts";

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
function bestMirror(samples: Samples, list: readonly Component[], near: Uint8Array, axis: 0 | 1) {
  const [low, high] = ends(list, axis);
  const middles = [(low + high) / 2, meanOf(samples.points, axis)];
  const [first, second] = middles.map((at) => ({ at, share: mirroredShare(samples, near, axis, at) }));
  const { at, share } = second!.share > first!.share ? second! : first!;
  return {
    /** The axis that the mirror turns round: y for something that faces along x. */
    mirror: axis === 0 ? ("x" as const) : ("y" as const),
    /** The part of the surface, 0 to 1, that has its like on the other side, and the components that have none there. */
    share,
    unpaired: unpairedIn(list, axis, at, samples.grid.cell * 2),
  };
}

type Symmetry = ReturnType<typeof bestMirror>;

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

export interface Samples {
  /** x, y and z of each point, and the component that it is on. */
  readonly points: Float64Array;
  readonly components: Int32Array;
  readonly grid: Grid;
}

interface Grid {
  /** Meters along a side of a cell. */
  readonly cell: number;
  readonly origin: readonly number[];
  /** Cells along x, y and z; one layer on every side is empty. */
  readonly sides: readonly number[];
}

/** Cells along the longest side of a mesh. */
const CELLS = 96;
/** Points along a side of a cell: enough that no cell which the surface passes well through stays empty. */
const PER_CELL = 1.5;
const MOST_POINTS = 120_000;

/** Points on a surface: at least one on each component. */
export function sampleSurface(surface: Surface, { list, ofFace }: Components): Samples {
  const { mesh, kinds, faces } = surface;
  const { positions, triangles } = mesh;
  const area = list.reduce((sum, component) => sum + component.area, 0);
  const grid = gridAround(mesh, area);
  const spacing = (grid.cell / PER_CELL) ** 2;
  const points: number[] = [];
  const components: number[] = [];
  const isSeen = new Uint8Array(list.length);
  let owed = 0;
  let drawn = 0;
  for (let face = 0; face < kinds.length; face += 1) {
    const component = ofFace[face]!;
    if (component < 0) continue;
    owed += faces[face * 4 + 3]! / spacing;
    if (owed < 1 && isSeen[component]) continue;
    isSeen[component] = 1;
    const a = triangles[face * 3]! * 3;
    const b = triangles[face * 3 + 1]! * 3;
    const c = triangles[face * 3 + 2]! * 3;
    const here = Math.max(1, Math.floor(owed));
    owed = Math.max(0, owed - here);
    for (let point = 0; point < here; point += 1) {
      drawn += 1;
      let v = (drawn * STEP_V) % 1;
      let w = (drawn * STEP_W) % 1;
      if (v + w > 1) {
        v = 1 - v;
        w = 1 - w;
      }
      const u = 1 - v - w;
      points.push(
        u * positions[a]! + v * positions[b]! + w * positions[c]!,
        u * positions[a + 1]! + v * positions[b + 1]! + w * positions[c + 1]!,
        u * positions[a + 2]! + v * positions[b + 2]! + w * positions[c + 2]!,
      );
      components.push(component);
    }
  }
  return { points: Float64Array.from(points), components: Int32Array.from(components), grid };
}

// The steps of a sequence that spreads evenly over a square: 1 over the plastic number, and its square.
const STEP_V = 0.7548776662466927;
const STEP_W = 0.5698402909980532;

function gridAround(mesh: Surface["mesh"], area: number): Grid {
  const { min, max } = boundsOf(mesh);
  const lengths = [0, 1, 2].map((axis) => max[axis]! - min[axis]!);
  const longest = Math.max(...lengths) || 1;
  const cell = Math.max(longest / CELLS, PER_CELL * Math.sqrt(area / MOST_POINTS));
  return {
    cell,
    origin: min.map((value) => value - cell),
    sides: lengths.map((length) => Math.floor(length / cell) + 3),
  };
}

/** The cell that a place is in, or -1 outside of the grid. */
export function cellAt({ cell, origin, sides }: Grid, x: number, y: number, z: number): number {
  const column = Math.floor((x - origin[0]!) / cell);
  const row = Math.floor((y - origin[1]!) / cell);
  const layer = Math.floor((z - origin[2]!) / cell);
  if (column < 0 || row < 0 || layer < 0 || column >= sides[0]! || row >= sides[1]! || layer >= sides[2]!) return -1;
  return (layer * sides[1]! + row) * sides[0]! + column;
}

/** How far the cells around a cell are from it, itself included. */
export function neighborhood({ sides }: Grid): Int32Array {
  const around: number[] = [];
  for (let layer = -1; layer <= 1; layer += 1)
    for (let row = -1; row <= 1; row += 1)
      for (let column = -1; column <= 1; column += 1) around.push((layer * sides[1]! + row) * sides[0]! + column);
  return Int32Array.from(around);
}

/** Whether each cell has a point in it or beside it. */
function cellsNear({ points, grid }: Samples): Uint8Array {
  const near = new Uint8Array(grid.sides[0]! * grid.sides[1]! * grid.sides[2]!);
  const isIn = new Uint8Array(near.length);
  const around = neighborhood(grid);
  for (let at = 0; at < points.length; at += 3) {
    const cell = cellAt(grid, points[at]!, points[at + 1]!, points[at + 2]!);
    if (cell < 0 || isIn[cell]) continue;
    isIn[cell] = 1;
    for (const step of around) near[cell + step] = 1;
  }
  return near;
}
