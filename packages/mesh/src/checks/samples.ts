// Points all over a surface, evenly by its area, and the cells of a grid that they are in. The same surface gives the same points.

import { boundsOf } from "../mesh.ts";
import type { Components } from "./components.ts";
import type { Surface } from "./surface.ts";

export interface Samples {
  /** x, y and z of each point, and the component that it is on. */
  readonly points: Float64Array;
  readonly components: Int32Array;
  readonly grid: Grid;
}

export interface Grid {
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
export function cellsNear({ points, grid }: Samples): Uint8Array {
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
