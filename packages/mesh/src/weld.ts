// Welding: vertices at equal positions are one.

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
