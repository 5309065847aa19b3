// The triangle mesh: metres, z up, x along the boat with the bow at +x, y to port, right-handed.

import { weld } from "./weld.ts";

/** Triangles over shared vertices. */
export interface Mesh {
  /** x, y, z of each vertex, one after another. */
  readonly positions: Float32Array;
  /** Three vertex indices for each triangle, counter-clockwise seen from outside. */
  readonly triangles: Uint32Array;
  /** Where each vertex is in its material's texture, two numbers a vertex; NaN where its part has no such places. */
  readonly uvs?: Float32Array;
  /** What the mesh is put together of, in the order of its triangles. */
  readonly parts?: readonly Part[];
  readonly materials?: readonly Material[];
}

/** A run of triangles with one name and one material. */
export interface Part {
  readonly name: string;
  /** Which of the mesh's materials it has. */
  readonly material: number | undefined;
  /** Its first triangle, and how many it has. */
  readonly first: number;
  readonly count: number;
}

export interface Material {
  readonly name: string;
  /** Red, green, blue and alpha, 0 to 1, linear, as glTF has them. */
  readonly color: readonly [number, number, number, number];
  readonly metallic: number;
  readonly roughness: number;
  /** Whether alpha lets through what is behind. */
  readonly isTransparent: boolean;
  readonly isDoubleSided: boolean;
  /** The picture that gives the base color. */
  readonly texture?: Texture;
}

export interface Texture {
  readonly name: string;
  /** Such as image/png; empty where it is not known. */
  readonly type: string;
  /** Pixels, from the picture's header; 0 where they are not known. */
  readonly width: number;
  readonly height: number;
  /** The picture's file; empty where it is missing. */
  readonly bytes: Uint8Array;
  /** Why there is no picture, where there is none. */
  readonly missing?: string;
  /** Whether the picture goes on beyond its edges, or only its last pixels do. */
  readonly isRepeated: boolean;
}

export interface Bounds {
  readonly min: readonly [number, number, number];
  readonly max: readonly [number, number, number];
}

/** What is sound about a mesh and what is not. Vertices at equal positions count as one. */
export interface MeshCheck {
  /** Distinct positions. */
  readonly vertices: number;
  readonly triangles: number;
  /** Edges of one triangle only: the rim of a hole. */
  readonly boundaryEdges: number;
  /** Edges of more than two triangles: a fin. */
  readonly nonManifoldEdges: number;
  /** Edges whose two triangles face opposite ways. */
  readonly flippedEdges: number;
  /** Triangles without an area, or with a corner that is no place. */
  readonly degenerateTriangles: number;
  /** Cubic metres; negative for a mesh that is inside out, and without meaning for one with holes. */
  readonly volume: number;
}

/** The box around the finite vertices that triangles use; zeros for a mesh that has none. */
export function boundsOf({ positions, triangles }: Mesh): Bounds {
  const min: [number, number, number] = [Infinity, Infinity, Infinity];
  const max: [number, number, number] = [-Infinity, -Infinity, -Infinity];
  for (const vertex of triangles) {
    const at = vertex * 3;
    if (!isPlace(positions, at)) continue;
    for (let axis = 0; axis < 3; axis += 1) {
      const value = positions[at + axis]!;
      if (value < min[axis]!) min[axis] = value;
      if (value > max[axis]!) max[axis] = value;
    }
  }
  return min[0] <= max[0] ? { min, max } : { min: [0, 0, 0], max: [0, 0, 0] };
}

/** A triangle's height over its longest side, under which it counts as having no area. */
const SLIVER = 1e-6;

/** Counts what is wrong with a mesh. */
export function checkMesh(mesh: Mesh): MeshCheck {
  const { positions, triangles } = mesh;
  const { places, count } = weld(positions);
  const edges = new Map<number, Edge>();
  const origin = boundsOf(mesh).min;
  let degenerateTriangles = 0;
  let sixVolumes = 0;
  for (let corner = 0; corner + 2 < triangles.length; corner += 3) {
    const [a, b, c] = [triangles[corner]!, triangles[corner + 1]!, triangles[corner + 2]!];
    const isWhole = [a, b, c].every((vertex) => isPlace(positions, vertex * 3));
    if (!isWhole || isSliver(positions, a * 3, b * 3, c * 3)) degenerateTriangles += 1;
    if (!isWhole) continue;
    sixVolumes += sixfoldVolume(positions, a * 3, b * 3, c * 3, origin);
    const [pa, pb, pc] = [places[a]!, places[b]!, places[c]!];
    // A triangle whose corners coincide joins what is beside it, so it has no edges of its own.
    if (pa === pb || pb === pc || pc === pa) continue;
    for (const [from, to] of [
      [pa, pb],
      [pb, pc],
      [pc, pa],
    ] as const)
      countEdge(edges, from, to, count);
  }
  const all = [...edges.values()];
  return {
    vertices: count,
    triangles: Math.floor(triangles.length / 3),
    boundaryEdges: all.filter(({ up, down }) => up + down === 1).length,
    nonManifoldEdges: all.filter(({ up, down }) => up + down > 2).length,
    flippedEdges: all.filter(({ up, down }) => up + down === 2 && up !== down).length,
    degenerateTriangles,
    volume: sixVolumes / 6,
  };
}

/** How often triangles run along an edge from its lower place to its higher, and back. */
interface Edge {
  up: number;
  down: number;
}

function countEdge(edges: Map<number, Edge>, from: number, to: number, places: number): void {
  const key = Math.min(from, to) * places + Math.max(from, to);
  let edge = edges.get(key);
  if (!edge) {
    edge = { up: 0, down: 0 };
    edges.set(key, edge);
  }
  if (from < to) edge.up += 1;
  else edge.down += 1;
}

function isPlace(positions: Float32Array, at: number): boolean {
  return Number.isFinite(positions[at]) && Number.isFinite(positions[at + 1]) && Number.isFinite(positions[at + 2]);
}

function isSliver(positions: Float32Array, a: number, b: number, c: number): boolean {
  const [ab, bc, ca] = [between(positions, a, b), between(positions, b, c), between(positions, c, a)];
  const longest = Math.max(dot(ab, ab), dot(bc, bc), dot(ca, ca));
  return length(cross(ab, ca)) <= SLIVER * longest;
}

function sixfoldVolume(positions: Float32Array, a: number, b: number, c: number, origin: Vector): number {
  const [pa, pb, pc] = [a, b, c].map(
    (at): Vector => [positions[at]! - origin[0], positions[at + 1]! - origin[1], positions[at + 2]! - origin[2]],
  ) as [Vector, Vector, Vector];
  return dot(pa, cross(pb, pc));
}

type Vector = readonly [number, number, number];

function between(positions: Float32Array, a: number, b: number): Vector {
  return [positions[b]! - positions[a]!, positions[b + 1]! - positions[a + 1]!, positions[b + 2]! - positions[a + 2]!];
}

function cross([ax, ay, az]: Vector, [bx, by, bz]: Vector): Vector {
  return [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx];
}

function dot([ax, ay, az]: Vector, [bx, by, bz]: Vector): number {
  return ax * bx + ay * by + az * bz;
}

function length(vector: Vector): number {
  return Math.sqrt(dot(vector, vector));
}
