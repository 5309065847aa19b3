// The surface of a mesh as its checks see it: vertices at equal positions are one, and triangles that stand twice count once.

import { boundsOf, type Mesh, weld } from "../mesh.ts";

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
    faces: new Float64Array(triangles * 4),
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
    const [ux, uy, uz] = [
      positions[b]! - positions[a]!,
      positions[b + 1]! - positions[a + 1]!,
      positions[b + 2]! - positions[a + 2]!,
    ];
    const [vx, vy, vz] = [
      positions[c]! - positions[a]!,
      positions[c + 1]! - positions[a + 1]!,
      positions[c + 2]! - positions[a + 2]!,
    ];
    const [wx, wy, wz] = [
      positions[c]! - positions[b]!,
      positions[c + 1]! - positions[b + 1]!,
      positions[c + 2]! - positions[b + 2]!,
    ];
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
    const longest = Math.max(ux * ux + uy * uy + uz * uz, vx * vx + vy * vy + vz * vz, wx * wx + wy * wy + wz * wz);
    if (length <= SLIVER * longest) kinds[face]! |= kind.degenerate;
    const [pa, pb, pc] = [places[a / 3]!, places[b / 3]!, places[c / 3]!];
    // A triangle whose corners coincide joins what is beside it, so it has no edges of its own.
    if (pa === pb || pb === pc || pc === pa) kinds[face]! |= kind.folded;
    if (!(length > 0)) continue;
    faces[face * 4] = nx / length;
    faces[face * 4 + 1] = ny / length;
    faces[face * 4 + 2] = nz / length;
    faces[face * 4 + 3] = length / 2;
  }
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

export interface Edges {
  readonly count: number;
  /** Of each edge its lower and its higher place. */
  readonly low: Uint32Array;
  readonly high: Uint32Array;
  /** How often triangles run along it from the lower place to the higher, and back. */
  readonly up: Uint8Array;
  readonly down: Uint8Array;
  /** The first two triangles along it; the second is -1 where there is one only. */
  readonly first: Int32Array;
  readonly second: Int32Array;
}

/** More triangles than this along one edge are counted as so many. */
const MOST = 255;

/** The edges of all triangles that have an area and stand there for the first time. */
function joinEdges(triangles: Uint32Array, places: Uint32Array, kinds: Uint8Array): Edges {
  const most = kinds.length * 3;
  const room = 2 ** Math.ceil(Math.log2(most * 2 + 2));
  const table = new Int32Array(room).fill(-1);
  const edges = {
    low: new Uint32Array(most),
    high: new Uint32Array(most),
    up: new Uint8Array(most),
    down: new Uint8Array(most),
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
