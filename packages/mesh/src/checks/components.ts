// The pieces of a surface: what hangs together by shared places.

import { boundsOf, type Mesh } from "../mesh.ts";
import { kind, type Surface } from "./surface.ts";
import { cellAt, neighborhood, type Samples } from "./symmetry.ts";

export type Component = Readonly<ReturnType<typeof emptyComponent>>;

export interface Components {
  readonly list: readonly Component[];
  /** Which of them each triangle belongs to; -1 for one with a corner that is no place. */
  readonly ofFace: Int32Array;
}

/** A forest in which each member leads to the one that stands for its group. */
class Groups {
  readonly #parents: Int32Array;

  constructor(size: number) {
    this.#parents = Int32Array.from({ length: size }, (_, at) => at);
  }

  find(member: number): number {
    const parents = this.#parents;
    while (parents[member] !== member) {
      parents[member] = parents[parents[member]!]!;
      member = parents[member]!;
    }
    return member;
  }

  join(one: number, other: number): void {
    const [a, b] = [this.find(one), this.find(other)];
    if (a !== b) this.#parents[Math.max(a, b)] = Math.min(a, b);
  }
}

/** The pieces of a surface, in the order of their first triangles. */
export function splitComponents(surface: Surface): Components {
  const { mesh, places, count, kinds, faces, sixVolumes, edges } = surface;
  const { triangles, positions } = mesh;
  const groups = new Groups(count);
  for (let face = 0, corner = 0; face < kinds.length; face += 1, corner += 3) {
    if (kinds[face]! & kind.broken) continue;
    groups.join(places[triangles[corner]!]!, places[triangles[corner + 1]!]!);
    groups.join(places[triangles[corner]!]!, places[triangles[corner + 2]!]!);
  }
  const numbers = new Int32Array(count).fill(-1);
  const ofFace = new Int32Array(kinds.length).fill(-1);
  const list: ReturnType<typeof emptyComponent>[] = [];
  for (let face = 0, corner = 0; face < kinds.length; face += 1, corner += 3) {
    if (kinds[face]! & kind.broken) continue;
    const root = groups.find(places[triangles[corner]!]!);
    if (numbers[root]! < 0) numbers[root] = list.push(emptyComponent()) - 1;
    const component = list[numbers[root]!]!;
    ofFace[face] = numbers[root]!;
    component.triangles += 1;
    component.area += faces[face * 4 + 3]!;
    if (!(kinds[face]! & kind.duplicate)) {
      component.volume += sixVolumes[face]!;
      for (let axis = 0; axis < 3; axis += 1) component.lean[axis]! += faces[face * 4 + axis]! * faces[face * 4 + 3]!;
    }
    for (let side = 0; side < 3; side += 1) {
      const at = triangles[corner + side]! * 3;
      for (let axis = 0; axis < 3; axis += 1) {
        const value = positions[at + axis]!;
        if (value < component.min[axis]!) component.min[axis] = value;
        if (value > component.max[axis]!) component.max[axis] = value;
      }
    }
  }
  for (let edge = 0; edge < edges.count; edge += 1) {
    const component = list[ofFace[edges.first[edge]!]!]!;
    const [up, down] = [edges.up[edge]!, edges.down[edge]!];
    component.edges += 1;
    if (up + down === 1) component.isClosed = false;
    if (up + down === 2 && up !== down) component.flippedEdges += 1;
  }
  const from = boundsOf(mesh).min;
  for (const component of list)
    component.volume = component.volume / 6 - (component.isClosed ? 0 : coneBelow(component, from));
  return { list, ofFace };
}

/** What the volume of an open piece has too much of where it was taken from a corner, not from the piece's own middle. */
function coneBelow({ lean, min, max }: Component, from: readonly number[]): number {
  return [0, 1, 2].reduce((sum, axis) => sum + ((min[axis]! + max[axis]!) / 2 - from[axis]!) * lean[axis]!, 0) / 3;
}

function emptyComponent() {
  return {
    triangles: 0,
    /** Square and cubic meters; the volume is less than 0 for a piece that is inside out. An open piece has that between it and
     * the middle of its box. */
    area: 0,
    volume: 0,
    /** The sum of its triangles' normals, each as long as its area: 0 where it is closed. */
    lean: [0, 0, 0],
    isClosed: true,
    flippedEdges: 0,
    edges: 0,
    min: [Infinity, Infinity, Infinity],
    max: [-Infinity, -Infinity, -Infinity],
  };
}

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
