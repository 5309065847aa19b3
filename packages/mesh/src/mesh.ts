// The triangle mesh: meters, z up, x along the boat with the bow at +x, y to port, right-handed.

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

/** A material as glTF has it. */
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

/** A picture of a material. */
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

/** The box that something fits in. */
export interface Bounds {
  readonly min: readonly [number, number, number];
  readonly max: readonly [number, number, number];
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

function isPlace(positions: Float32Array, at: number): boolean {
  return Number.isFinite(positions[at]) && Number.isFinite(positions[at + 1]) && Number.isFinite(positions[at + 2]);
}

/** For each vertex the number of its position, from 0 up in order of appearance, and how many positions there are. */
export function weld(positions: Float32Array): { places: Uint32Array; count: number } {
  const vertices = Math.floor(positions.length / 3);
  const places = new Uint32Array(vertices);
  // An open-addressed hash table of the first vertex at each position, kept at most half full.
  const room = 2 ** Math.ceil(Math.log2(vertices * 2 + 2));
  const table = new Int32Array(room).fill(-1);
  const bits = new Int32Array(3);
  const floats = new Float32Array(bits.buffer);
  let count = 0;
  for (let vertex = 0; vertex < vertices; vertex += 1) {
    const at = vertex * 3;
    // Adding 0 makes one of -0 and 0, which are equal but differ in their bits.
    for (let axis = 0; axis < 3; axis += 1) floats[axis] = positions[at + axis]! + 0;
    let slot = hash(bits[0]!, bits[1]!, bits[2]!) & (room - 1);
    let other = table[slot]!;
    while (other >= 0 && !isSamePlace(positions, at, other * 3)) {
      slot = (slot + 1) & (room - 1);
      other = table[slot]!;
    }
    if (other >= 0) {
      places[vertex] = places[other]!;
    } else {
      table[slot] = vertex;
      places[vertex] = count;
      count += 1;
    }
  }
  return { places, count };
}

function isSamePlace(positions: Float32Array, a: number, b: number): boolean {
  return (
    isSameNumber(positions[a]!, positions[b]!) &&
    isSameNumber(positions[a + 1]!, positions[b + 1]!) &&
    isSameNumber(positions[a + 2]!, positions[b + 2]!)
  );
}

/** NaN equals NaN here, or a mesh full of them would fill one long row of slots. */
function isSameNumber(a: number, b: number): boolean {
  return a === b || (Number.isNaN(a) && Number.isNaN(b));
}

function hash(x: number, y: number, z: number): number {
  let mixed = Math.imul(x, 0x9e3779b1) ^ Math.imul(y, 0x85ebca77) ^ Math.imul(z, 0xc2b2ae3d);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
  mixed = Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39);
  return mixed ^ (mixed >>> 15);
}
