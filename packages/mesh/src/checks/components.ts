// The pieces of a surface: what hangs together by shared places.

import { boundsOf } from "../mesh.ts";
import { kind } from "./edges.ts";
import type { Surface } from "./surface.ts";

export interface Component {
  readonly triangles: number;
  /** Square and cubic meters; the volume is less than 0 for a piece that is inside out. An open piece has that between it and
   * the middle of its box. */
  readonly area: number;
  readonly volume: number;
  readonly isClosed: boolean;
  readonly flippedEdges: number;
  readonly edges: number;
  readonly min: readonly number[];
  readonly max: readonly number[];
}

export interface Components {
  readonly list: readonly Component[];
  /** Which of them each triangle belongs to; -1 for one with a corner that is no place. */
  readonly ofFace: Int32Array;
}

/** A forest in which each member leads to the one that stands for its group. */
export class Groups {
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
function coneBelow({ lean, min, max }: ReturnType<typeof emptyComponent>, from: readonly number[]): number {
  return [0, 1, 2].reduce((sum, axis) => sum + ((min[axis]! + max[axis]!) / 2 - from[axis]!) * lean[axis]!, 0) / 3;
}

function emptyComponent() {
  return {
    triangles: 0,
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
