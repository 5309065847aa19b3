// The surface of a mesh as its checks see it: vertices at equal positions are one, and triangles that stand twice count once.

import { boundsOf, type Mesh, weld } from "../mesh.ts";
import { faceNormals } from "../normals.ts";

export interface Surface {
  readonly mesh: Mesh;
  /** The place of each vertex, and how many places there are. */
  readonly places: Uint32Array;
  readonly count: number;
  /** What each triangle is. */
  readonly kinds: Uint8Array;
  readonly edges: Edges;
  /** Of each triangle: its unit normal, and its area in square meters; zeros where it has none. */
  readonly faces: Float64Array;
  /** Of each triangle: six times the volume between it and the least corner of the mesh's box. */
  readonly sixVolumes: Float64Array;
}

/** A triangle's height over its longest side, under which it counts as having no area. */
const SLIVER = 1e-6;

/** Measures every triangle and edge of a mesh. */
export function readSurface(mesh: Mesh): Surface {
  const { places, count } = weld(mesh.positions);
  const triangles = Math.floor(mesh.triangles.length / 3);
  const surface = {
    mesh,
    places,
    count,
    kinds: new Uint8Array(triangles),
    faces: faceNormals(mesh),
    sixVolumes: new Float64Array(triangles),
  };
  measureFaces(surface);
  markDuplicates(surface);
  return { ...surface, edges: joinEdges(mesh.triangles, places, surface.kinds) };
}

function measureFaces({ mesh, places, kinds, faces, sixVolumes }: Omit<Surface, "edges">): void {
  const { positions, triangles } = mesh;
  const [ox, oy, oz] = boundsOf(mesh).min;
  for (let face = 0, corner = 0; face < kinds.length; face += 1, corner += 3) {
    const a = triangles[corner]! * 3;
    const b = triangles[corner + 1]! * 3;
    const c = triangles[corner + 2]! * 3;
    const [ax, ay, az] = [positions[a]! - ox, positions[a + 1]! - oy, positions[a + 2]! - oz];
    const [bx, by, bz] = [positions[b]! - ox, positions[b + 1]! - oy, positions[b + 2]! - oz];
    const [cx, cy, cz] = [positions[c]! - ox, positions[c + 1]! - oy, positions[c + 2]! - oz];
    // One sum tells whether all nine are numbers: whatever is none makes it none.
    if (!Number.isFinite(ax + ay + az + bx + by + bz + cx + cy + cz)) {
      kinds[face] = kind.broken | kind.degenerate;
      continue;
    }
    sixVolumes[face] = ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
    const longest = Math.max(
      squaredLength(bx - ax, by - ay, bz - az),
      squaredLength(cx - ax, cy - ay, cz - az),
      squaredLength(cx - bx, cy - by, cz - bz),
    );
    if (faces[face * 4 + 3]! * 2 <= SLIVER * longest) kinds[face]! |= kind.degenerate;
    const [pa, pb, pc] = [places[a / 3]!, places[b / 3]!, places[c / 3]!];
    // A triangle whose corners coincide joins what is beside it, so it has no edges of its own.
    if (pa === pb || pb === pc || pc === pa) kinds[face]! |= kind.folded;
  }
}

function squaredLength(x: number, y: number, z: number): number {
  return x * x + y * y + z * z;
}

/** Marks each triangle whose three places an earlier one has, whichever way round. */
function markDuplicates({ mesh, places, kinds }: Omit<Surface, "edges">): void {
  const { triangles } = mesh;
  const room = 2 ** Math.ceil(Math.log2(kinds.length * 2 + 2));
  const table = new Int32Array(room).fill(-1);
  const sorted = new Uint32Array(kinds.length * 3);
  for (let face = 0, at = 0; face < kinds.length; face += 1, at += 3) {
    if (kinds[face]! & (kind.broken | kind.folded)) continue;
    const [a, b, c] = [places[triangles[at]!]!, places[triangles[at + 1]!]!, places[triangles[at + 2]!]!];
    const low = Math.min(a, b, c);
    const high = Math.max(a, b, c);
    const middle = a + b + c - low - high;
    sorted[at] = low;
    sorted[at + 1] = middle;
    sorted[at + 2] = high;
    let slot = (Math.imul(low, 0x9e3779b1) ^ Math.imul(middle, 0x85ebca77) ^ Math.imul(high, 0xc2b2ae3d)) >>> 0;
    slot = (slot ^ (slot >>> 15)) & (room - 1);
    for (let other = table[slot]!; other >= 0; other = table[slot]!) {
      const same = other * 3;
      if (sorted[same] === low && sorted[same + 1] === middle && sorted[same + 2] === high) {
        kinds[face]! |= kind.duplicate;
        break;
      }
      slot = (slot + 1) & (room - 1);
    }
    if (!(kinds[face]! & kind.duplicate)) table[slot] = face;
  }
}

/** What a triangle is, by bits: with a corner that is no place, without an area, with corners that coincide, there twice. */
export const kind = { broken: 1, degenerate: 2, folded: 4, duplicate: 8 } as const;

/** More triangles than this along one edge are counted as so many. */
const MOST = 255;

/** The edges of all triangles that have an area and stand there for the first time. */
function joinEdges(triangles: Uint32Array, places: Uint32Array, kinds: Uint8Array) {
  const most = kinds.length * 3;
  const room = 2 ** Math.ceil(Math.log2(most * 2 + 2));
  const table = new Int32Array(room).fill(-1);
  const edges = {
    /** Of each edge its lower and its higher place. */
    low: new Uint32Array(most),
    high: new Uint32Array(most),
    /** How often triangles run along it from the lower place to the higher, and back. */
    up: new Uint8Array(most),
    down: new Uint8Array(most),
    /** The first two triangles along it; the second is -1 where there is one only. */
    first: new Int32Array(most),
    second: new Int32Array(most).fill(-1),
  };
  const { low, high, up, down, first, second } = edges;
  let count = 0;
  for (let face = 0; face < kinds.length; face += 1) {
    if (kinds[face]! & (kind.broken | kind.folded | kind.duplicate)) continue;
    for (let side = 0; side < 3; side += 1) {
      const from = places[triangles[face * 3 + side]!]!;
      const to = places[triangles[face * 3 + ((side + 1) % 3)]!]!;
      const least = from < to ? from : to;
      const most = from < to ? to : from;
      let slot = (Math.imul(least, 0x9e3779b1) ^ Math.imul(most, 0x85ebca77)) >>> 0;
      slot = (slot ^ (slot >>> 15)) & (room - 1);
      let edge = table[slot]!;
      while (edge >= 0 && (low[edge] !== least || high[edge] !== most)) {
        slot = (slot + 1) & (room - 1);
        edge = table[slot]!;
      }
      if (edge < 0) {
        edge = count;
        count += 1;
        table[slot] = edge;
        low[edge] = least;
        high[edge] = most;
        first[edge] = face;
      } else if (second[edge] === -1) second[edge] = face;
      if (from < to) up[edge] = Math.min(MOST, up[edge]! + 1);
      else down[edge] = Math.min(MOST, down[edge]! + 1);
    }
  }
  return { count, ...edges };
}

type Edges = ReturnType<typeof joinEdges>;

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
