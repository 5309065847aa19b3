// Two faults along edges: rims that nearly meet and are not joined, and a surface that is rough all over.

import type { Edges, Surface } from "./surface.ts";

/** How near, in parts of the mesh's diagonal, the ends of two rims must be to be meant as one. */
const NEARLY = 1e-4;
/** With more edges of one triangle than this the mesh is a heap of triangles, and none of them counts as cracked. */
const MOST_RIMS = 50_000;

/** How many edges of one triangle would have a second one if vertices that nearly meet were joined. */
export function crackedEdges({ mesh, places, edges }: Surface, diagonal: number): number {
  const rims: number[] = [];
  for (let edge = 0; edge < edges.count; edge += 1) if (edges.up[edge]! + edges.down[edge]! === 1) rims.push(edge);
  if (rims.length === 0 || rims.length > MOST_RIMS || !(diagonal > 0)) return 0;
  const ends = Uint32Array.from(new Set(rims.flatMap((edge) => [edges.low[edge]!, edges.high[edge]!])));
  const joined = joinNear(ends, positionsOf(ends, mesh.positions, places), diagonal * NEARLY);
  const met = new Map<string, number>();
  for (const edge of rims) {
    const [a, b] = [joined.get(edges.low[edge]!)!, joined.get(edges.high[edge]!)!];
    if (a === b) continue;
    const key = a < b ? `${a} ${b}` : `${b} ${a}`;
    met.set(key, (met.get(key) ?? 0) + 1);
  }
  return [...met.values()].reduce((sum, times) => sum + (times === 2 ? 2 : 0), 0);
}

function positionsOf(ends: Uint32Array, positions: Float32Array, places: Uint32Array): Map<number, number[]> {
  const wanted = new Set(ends);
  const found = new Map<number, number[]>();
  for (let vertex = 0; vertex < places.length && found.size < wanted.size; vertex += 1)
    if (wanted.has(places[vertex]!)) found.set(places[vertex]!, [...positions.subarray(vertex * 3, vertex * 3 + 3)]);
  return found;
}

/** Of each place the first one that is as near: looked for in the cells of a grid around it. */
function joinNear(ends: Uint32Array, at: Map<number, number[]>, near: number): Map<number, number> {
  const cells = new Map<string, number[]>();
  const joined = new Map<number, number>();
  for (const end of ends) {
    const place = at.get(end)!;
    const [x, y, z] = place.map((value) => Math.round(value / near)) as [number, number, number];
    const known = findNear(cells, [x, y, z], place, at, near);
    joined.set(end, known ?? end);
    if (known !== undefined) continue;
    const key = `${x} ${y} ${z}`;
    cells.set(key, [...(cells.get(key) ?? []), end]);
  }
  return joined;
}

function findNear(
  cells: Map<string, number[]>,
  [x, y, z]: readonly [number, number, number],
  place: readonly number[],
  at: Map<number, number[]>,
  near: number,
): number | undefined {
  for (let dx = -1; dx <= 1; dx += 1)
    for (let dy = -1; dy <= 1; dy += 1)
      for (let dz = -1; dz <= 1; dz += 1)
        for (const other of cells.get(`${x + dx} ${y + dy} ${z + dz}`) ?? [])
          if (at.get(other)!.every((value, axis) => Math.abs(value - place[axis]!) <= near)) return other;
  return undefined;
}

/** The cosine of the angle from which on two triangles make a fold: 12 degrees. */
const FOLD = 0.978;

/** The part of the places, 0 to 1, at which the surface folds both outward and inward: noise does that nearly everywhere. */
export function roughness(surface: Surface): number {
  const { edges, count, faces } = surface;
  const folds = new Uint8Array(count);
  const isInner = new Uint8Array(count);
  for (let edge = 0; edge < edges.count; edge += 1) {
    const [one, other] = [edges.first[edge]!, edges.second[edge]!];
    if (other < 0) continue;
    isInner[edges.low[edge]!] = 1;
    isInner[edges.high[edge]!] = 1;
    const cosine =
      faces[one * 4]! * faces[other * 4]! +
      faces[one * 4 + 1]! * faces[other * 4 + 1]! +
      faces[one * 4 + 2]! * faces[other * 4 + 2]!;
    if (cosine > FOLD) continue;
    const bit = isOutward(surface, edges, edge, one, other) ? 1 : 2;
    folds[edges.low[edge]!]! |= bit;
    folds[edges.high[edge]!]! |= bit;
  }
  let [inner, both] = [0, 0];
  for (let place = 0; place < count; place += 1) {
    inner += isInner[place]!;
    if (folds[place] === 3) both += 1;
  }
  return inner === 0 ? 0 : both / inner;
}

/** Whether the corner of one triangle that is not on the edge lies behind the other triangle. */
function isOutward({ mesh, places, faces }: Surface, { low, high }: Edges, edge: number, one: number, other: number) {
  const { positions, triangles } = mesh;
  for (let side = 0; side < 3; side += 1) {
    const vertex = triangles[one * 3 + side]!;
    if (places[vertex] === low[edge] || places[vertex] === high[edge]) continue;
    const base = triangles[other * 3]! * 3;
    const [x, y, z] = [0, 1, 2].map((axis) => positions[vertex * 3 + axis]! - positions[base + axis]!);
    return faces[other * 4]! * x! + faces[other * 4 + 1]! * y! + faces[other * 4 + 2]! * z! < 0;
  }
  return true;
}
