// Components and each other: those that touch nothing, and those that nobody can see.

import type { Mesh } from "../mesh.ts";
import { type Component, type Components, Groups } from "./components.ts";
import { cellAt, neighborhood, type Samples } from "./samples.ts";
import type { Surface } from "./surface.ts";

/** The components that touch neither the largest one nor what touches it. */
export function floatingComponents({ points, components, grid }: Samples, { list }: Components): number[] {
  const groups = new Groups(list.length);
  const owners = new Int32Array(grid.sides[0]! * grid.sides[1]! * grid.sides[2]!).fill(-1);
  const around = neighborhood(grid);
  for (let point = 0; point < components.length; point += 1) {
    const cell = cellAt(grid, points[point * 3]!, points[point * 3 + 1]!, points[point * 3 + 2]!);
    if (cell < 0) continue;
    const own = components[point]!;
    if (owners[cell] === own) continue;
    for (const step of around) {
      const owner = owners[cell + step]!;
      if (owner >= 0 && owner !== own) groups.join(owner, own);
    }
    owners[cell] = own;
  }
  const largest = list.reduce((best, { area }, at) => (area > list[best]!.area ? at : best), 0);
  return list.flatMap((_, at) => (groups.find(at) === groups.find(largest) ? [] : [at]));
}

/** Only the largest components are looked into, and only so many triangles are tried: the rest is taken for seen. */
const MOST_SHELLS = 32;
const MOST_TRIED = 5_000_000;
/** Points of a component that must all be inside of another. */
const TRIED = 5;

/** The components that stand wholly inside of another one which is closed and not transparent. */
export function hiddenComponents(surface: Surface, samples: Samples, { list, ofFace }: Components): number[] {
  const closed = list.flatMap(({ isClosed, triangles }, at) => (isClosed && triangles >= 4 ? [at] : []));
  const shells = closed.sort((a, b) => list[b]!.area - list[a]!.area).slice(0, MOST_SHELLS);
  const pairs = pairsInside(list, shells);
  if (pairs.length === 0) return [];
  const facesOf = Map.groupBy(ofFace.keys(), (face) => ofFace[face]!);
  const hidden = new Set<number>();
  for (const { inner, outer } of pairs) {
    if (hidden.has(inner) || isTransparent(surface.mesh, facesOf.get(outer)![0]!)) continue;
    const places = pointsOn(samples, inner);
    if (places.every((place) => isInside(surface.mesh, facesOf.get(outer)!, place))) hidden.add(inner);
  }
  return [...hidden].sort((a, b) => a - b);
}

function pairsInside(list: readonly Component[], shells: readonly number[]): { inner: number; outer: number }[] {
  const pairs: { inner: number; outer: number }[] = [];
  let tried = 0;
  for (const outer of shells) {
    const { min, max, triangles } = list[outer]!;
    for (let inner = 0; inner < list.length && tried < MOST_TRIED; inner += 1) {
      const box = list[inner]!;
      if (inner === outer || ![0, 1, 2].every((axis) => box.min[axis]! > min[axis]! && box.max[axis]! < max[axis]!))
        continue;
      pairs.push({ inner, outer });
      tried += triangles;
    }
  }
  return pairs;
}

function pointsOn({ points, components }: Samples, component: number): number[][] {
  const own: number[] = [];
  for (let point = 0; point < components.length; point += 1) if (components[point] === component) own.push(point);
  const step = Math.max(1, Math.floor(own.length / TRIED));
  return own.filter((_, at) => at % step === 0).map((point) => [...points.subarray(point * 3, point * 3 + 3)]);
}

/** Whether a line straight up from a place leaves a closed surface once more than it enters it. */
function isInside({ positions, triangles }: Mesh, faces: readonly number[], [x, y, z]: readonly number[]): boolean {
  let crossings = 0;
  for (const face of faces) {
    const [a, b, c] = [triangles[face * 3]! * 3, triangles[face * 3 + 1]! * 3, triangles[face * 3 + 2]! * 3];
    const [ax, ay] = [positions[a]! - x!, positions[a + 1]! - y!];
    const [bx, by] = [positions[b]! - x!, positions[b + 1]! - y!];
    const [cx, cy] = [positions[c]! - x!, positions[c + 1]! - y!];
    const [atA, atB, atC] = [bx * cy - by * cx, cx * ay - cy * ax, ax * by - ay * bx];
    const isAcross = (atA > 0 && atB > 0 && atC > 0) || (atA < 0 && atB < 0 && atC < 0);
    if (!isAcross) continue;
    const height = (atA * positions[a + 2]! + atB * positions[b + 2]! + atC * positions[c + 2]!) / (atA + atB + atC);
    if (height > z!) crossings += 1;
  }
  return crossings % 2 === 1;
}

function isTransparent({ parts = [], materials = [] }: Mesh, face: number): boolean {
  const part = parts.find(({ first, count }) => face >= first && face < first + count);
  return part?.material !== undefined && materials[part.material]?.isTransparent === true;
}
