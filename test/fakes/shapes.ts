// Plain closed shapes whose areas and volumes are known, to test and to try things with.

import type { Mesh } from "@loopwright/mesh";

/** A cube around the origin. */
export function cube(side = 1): Mesh {
  const corners = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((n) => [n & 1, (n >> 1) & 1, n >> 2]);
  const faces = [
    [0, 2, 3, 1],
    [4, 5, 7, 6],
    [0, 1, 5, 4],
    [2, 6, 7, 3],
    [0, 4, 6, 2],
    [1, 3, 7, 5],
  ] as const;
  return {
    positions: Float32Array.from(corners, (bit) => (bit - 0.5) * side),
    triangles: Uint32Array.from(faces.flatMap(([a, b, c, d]) => [a, b, c, a, c, d])),
  };
}

/** The corner of a box: a tetrahedron with its right angle at the origin. */
export function tetrahedron(x = 1, y = 1, z = 1): Mesh {
  return {
    positions: Float32Array.of(0, 0, 0, x, 0, 0, 0, y, 0, 0, 0, z),
    triangles: Uint32Array.of(0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3),
  };
}

/** A ball around the origin, of rings from pole to pole. */
export function ball(radius = 1, rings = 24): Mesh {
  const segments = rings * 2;
  const positions = [0, 0, radius];
  for (let ring = 1; ring < rings; ring += 1) {
    const down = (Math.PI * ring) / rings;
    for (let segment = 0; segment < segments; segment += 1) {
      const round = (2 * Math.PI * segment) / segments;
      const out = radius * Math.sin(down);
      positions.push(out * Math.cos(round), out * Math.sin(round), radius * Math.cos(down));
    }
  }
  positions.push(0, 0, -radius);
  const last = positions.length / 3 - 1;
  const vertexAt = (ring: number, segment: number) =>
    ring === 0 ? 0 : ring === rings ? last : 1 + (ring - 1) * segments + (segment % segments);
  const triangles: number[] = [];
  for (let ring = 0; ring < rings; ring += 1) {
    for (let segment = 0; segment < segments; segment += 1) {
      const [a, b] = [vertexAt(ring, segment), vertexAt(ring, segment + 1)];
      const [c, d] = [vertexAt(ring + 1, segment), vertexAt(ring + 1, segment + 1)];
      if (c !== d) triangles.push(a, c, d);
      if (a !== b) triangles.push(a, d, b);
    }
  }
  return { positions: Float32Array.from(positions), triangles: Uint32Array.from(triangles) };
}

/** Several meshes as one. */
export function joinMeshes(...meshes: readonly Mesh[]): Mesh {
  const positions = meshes.flatMap((mesh) => [...mesh.positions]);
  let base = 0;
  const triangles = meshes.flatMap((mesh) => {
    const from = base;
    base += mesh.positions.length / 3;
    return Array.from(mesh.triangles, (vertex) => vertex + from);
  });
  return { positions: Float32Array.from(positions), triangles: Uint32Array.from(triangles) };
}

/** A mesh somewhere else. */
export function moveMesh({ positions, triangles }: Mesh, by: readonly [number, number, number]): Mesh {
  return { positions: positions.map((value, at) => value + by[at % 3]!), triangles };
}
