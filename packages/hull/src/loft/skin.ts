// The skin: half sections from stern to bow become one closed surface, mirrored, with a deck and a transom.
//
// Vertices on the center line are shared by both sides and the stem is one line, so the mesh is closed by its indices.

import type { Mesh } from "@loopwright/mesh";

/** Half sections: for each station, from the stern, points from the keel to the sheer. */
export interface Sections {
  readonly stations: number;
  readonly points: number;
  /** x, y, z of each point, station by station. y is 0 at every keel and all along the last station, the stem. */
  readonly data: Float64Array;
}

/** Makes a closed mesh of half sections. */
export function skin({ stations, points, data }: Sections): Mesh {
  const half = stations * points;
  const mirrored = (stations - 1) * (points - 1);
  const center = stations - 1;
  const positions = new Float32Array(3 * (half + mirrored + center));
  positions.set(data);
  for (let i = 0; i < stations - 1; i++) {
    for (let j = 1; j < points; j++) {
      const from = 3 * (i * points + j);
      const to = 3 * (half + i * (points - 1) + j - 1);
      positions[to] = data[from]!;
      positions[to + 1] = -data[from + 1]!;
      positions[to + 2] = data[from + 2]!;
    }
    const sheer = 3 * (i * points + points - 1);
    const deck = 3 * (half + mirrored + i);
    positions[deck] = data[sheer]!;
    positions[deck + 2] = data[sheer + 2]!;
  }
  return { positions, triangles: trianglesOf(stations, points) };
}

const known = new Map<string, Uint32Array>();

/** The triangles depend on the numbers of stations and points alone. */
function trianglesOf(stations: number, points: number): Uint32Array {
  const key = `${stations}x${points}`;
  const found = known.get(key) ?? Uint32Array.from(makeTriangles(stations, points));
  known.set(key, found);
  return found;
}

function makeTriangles(stations: number, points: number): number[] {
  const half = stations * points;
  const port = (i: number, j: number) => i * points + j;
  const starboard = (i: number, j: number) =>
    j === 0 || i === stations - 1 ? port(i, j) : half + i * (points - 1) + j - 1;
  const deck = (i: number) => (i === stations - 1 ? port(i, points - 1) : half + (stations - 1) * (points - 1) + i);
  const triangles: number[] = [];
  const add = (a: number, b: number, c: number) => {
    if (a !== b && b !== c && c !== a) triangles.push(a, b, c);
  };
  // Cut from b to d: at the foot of the stem a and c both lie on the center line, and the two sides would share a cut.
  const addQuad = (a: number, b: number, c: number, d: number) => {
    add(a, b, d);
    add(b, c, d);
  };
  for (let i = 0; i < stations - 1; i++) {
    for (let j = 0; j < points - 1; j++) {
      addQuad(port(i, j), port(i, j + 1), port(i + 1, j + 1), port(i + 1, j));
      addQuad(starboard(i, j), starboard(i + 1, j), starboard(i + 1, j + 1), starboard(i, j + 1));
    }
    addQuad(port(i, points - 1), deck(i), deck(i + 1), port(i + 1, points - 1));
    addQuad(deck(i), starboard(i, points - 1), starboard(i + 1, points - 1), deck(i + 1));
  }
  const top = points - 1;
  for (let j = 0; j < top - 1; j++) {
    addQuad(port(0, j), starboard(0, j), starboard(0, j + 1), port(0, j + 1));
  }
  // The deck's middle lies on the transom's upper edge, so the last strip is a fan around it.
  add(port(0, top - 1), starboard(0, top - 1), deck(0));
  add(starboard(0, top - 1), starboard(0, top), deck(0));
  add(port(0, top - 1), deck(0), port(0, top));
  return triangles;
}
