// The edges of a surface: how often triangles run along each, which way, and which triangles meet there.

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
export function joinEdges(triangles: Uint32Array, places: Uint32Array, kinds: Uint8Array): Edges {
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
