import { describe, expect, it } from "vitest";
import { ball, cube, joinMeshes, moveMesh, tetrahedron } from "../../../../test/fakes/shapes.ts";
import { boundsOf, type Mesh } from "../mesh.ts";
import { checkMesh } from "./check.ts";

const sound = { boundaryEdges: 0, nonManifoldEdges: 0, flippedEdges: 0, degenerateTriangles: 0 };

/** A mesh without one of its triangles. */
const without = ({ positions, triangles }: Mesh, triangle: number): Mesh => ({
  positions,
  triangles: triangles.filter((_, at) => Math.floor(at / 3) !== triangle),
});

/** A mesh with one triangle turned over. */
function flip({ positions, triangles }: Mesh, triangle: number): Mesh {
  const turned = triangles.slice();
  turned.subarray(triangle * 3, triangle * 3 + 3).reverse();
  return { positions, triangles: turned };
}

/** A mesh with a vertex of its own for every corner. */
function unweld({ positions, triangles }: Mesh): Mesh {
  const corners = Array.from(triangles, (vertex) => [...positions.subarray(vertex * 3, vertex * 3 + 3)]);
  return { positions: Float32Array.from(corners.flat()), triangles: triangles.map((_, at) => at) };
}

describe("the bounds of a mesh", () => {
  it("are the box around it", () => {
    expect(boundsOf(tetrahedron(2, 3, 4))).toEqual({ min: [0, 0, 0], max: [2, 3, 4] });
    expect(boundsOf(moveMesh(cube(2), [10, -5, 1]))).toEqual({ min: [9, -6, 0], max: [11, -4, 2] });
  });

  it("leave out vertices that no triangle uses, and those that are no place", () => {
    const mesh = cube(2);
    const positions = Float32Array.of(...mesh.positions, 99, 99, 99, Number.NaN, 0, 50, 0, Infinity, 0);
    const triangles = Uint32Array.of(...mesh.triangles, 0, 1, 9, 0, 1, 10);
    expect(boundsOf({ positions, triangles })).toEqual({ min: [-1, -1, -1], max: [1, 1, 1] });
  });

  it("are zeros for a mesh of nothing", () => {
    const nothing = { positions: new Float32Array(0), triangles: new Uint32Array(0) };
    expect(boundsOf(nothing)).toEqual({ min: [0, 0, 0], max: [0, 0, 0] });
  });
});

describe("the check of a mesh", () => {
  it("finds nothing wrong with closed shapes, and their volume", () => {
    expect(checkMesh(cube(2))).toMatchObject({ vertices: 8, triangles: 12, ...sound, volume: 8 });
    expect(checkMesh(tetrahedron(1, 2, 3))).toMatchObject({ vertices: 4, triangles: 4, ...sound, volume: 1 });
    const { volume, ...rest } = checkMesh(ball(1, 48));
    expect(rest).toMatchObject({ vertices: 2 + 47 * 96, triangles: 2 * 47 * 96, ...sound });
    expect(volume).toBeGreaterThan((4 / 3) * Math.PI * 0.995);
    expect(volume).toBeLessThan((4 / 3) * Math.PI);
  });

  it("gives the volume wherever the mesh stands", () => {
    expect(checkMesh(moveMesh(cube(1), [1000, -500, 64])).volume).toBeCloseTo(1, 6);
  });

  it("gives an inside-out mesh a negative volume and no flipped edge", () => {
    const { positions, triangles } = cube(1);
    const check = checkMesh({ positions, triangles: triangles.slice().reverse() });
    expect(check).toMatchObject({ ...sound, volume: -1 });
  });

  it("tells which way round an open piece is, wherever it is in the mesh", () => {
    const { positions, triangles } = ball(1, 12);
    const middle = triangles.length / 2;
    for (const half of [triangles.slice(0, middle), triangles.slice(middle)])
      for (const far of [-9, -4, 4, 9]) {
        const outside = (bowl: Uint32Array) =>
          checkMesh(joinMeshes(cube(2), moveMesh({ positions, triangles: bowl }, [0, 0, far])));
        expect(outside(half).insideOutParts).toBe(0);
        expect(outside(half.slice().reverse()).insideOutParts).toBe(1);
      }
  });

  it("counts the rim of a hole", () => {
    expect(checkMesh(without(cube(), 0))).toMatchObject({ ...sound, triangles: 11, boundaryEdges: 3 });
    // The first two triangles are one face, whose diagonal goes with it.
    expect(checkMesh(without(without(cube(), 1), 0))).toMatchObject({ ...sound, triangles: 10, boundaryEdges: 4 });
  });

  it("counts the edges of a triangle that is turned over", () => {
    expect(checkMesh(flip(cube(), 5))).toMatchObject({ ...sound, flippedEdges: 3 });
  });

  it("finds a fin on a closed shape: one edge of three triangles, and two loose ones", () => {
    const mesh = cube();
    const positions = Float32Array.of(...mesh.positions, 0, 0, 3);
    const triangles = Uint32Array.of(...mesh.triangles, 4, 5, 8);
    expect(checkMesh({ positions, triangles })).toMatchObject({ ...sound, nonManifoldEdges: 1, boundaryEdges: 2 });
  });

  it("takes vertices at equal positions for one, 0 and -0 alike", () => {
    expect(checkMesh(unweld(cube(2)))).toMatchObject({ vertices: 8, triangles: 12, ...sound, volume: 8 });
    const mesh = unweld(tetrahedron());
    const positions = mesh.positions.map((value, at) => (value === 0 && at % 2 === 0 ? -0 : value));
    expect(positions.some((value) => Object.is(value, -0))).toBe(true);
    expect(checkMesh({ ...mesh, positions })).toMatchObject({ vertices: 4, ...sound });
  });

  it("counts triangles without an area: two corners in one place, or three in a line", () => {
    const mesh = cube();
    const doubled = { ...mesh, triangles: Uint32Array.of(...mesh.triangles, 3, 3, 5) };
    expect(checkMesh(doubled)).toMatchObject({ ...sound, triangles: 13, degenerateTriangles: 1 });
    const line = { positions: Float32Array.of(0, 0, 0, 1, 1, 1, 3, 3, 3), triangles: Uint32Array.of(0, 1, 2) };
    expect(checkMesh(line)).toMatchObject({ degenerateTriangles: 1, boundaryEdges: 3, volume: 0 });
  });

  it("counts a tiny triangle as one with an area", () => {
    const tiny = tetrahedron(1e-6, 1e-6, 1e-6);
    expect(checkMesh(tiny)).toMatchObject(sound);
  });

  it("counts triangles with a corner that is no place or no vertex, and leaves a hole for them", () => {
    for (const broken of [Number.NaN, Infinity, -Infinity]) {
      const mesh = cube();
      const positions = mesh.positions.slice();
      positions[7 * 3 + 1] = broken;
      const { degenerateTriangles, boundaryEdges, volume } = checkMesh({ ...mesh, positions });
      expect(degenerateTriangles).toBe(mesh.triangles.filter((vertex) => vertex === 7).length);
      expect(boundaryEdges).toBeGreaterThan(0);
      expect(volume).not.toBeNaN();
    }
    const astray = { ...cube(), triangles: Uint32Array.of(0, 1, 99) };
    expect(checkMesh(astray)).toMatchObject({ degenerateTriangles: 1, boundaryEdges: 0, volume: 0 });
  });

  it("keeps two shapes that touch in a corner apart, and joins those that share an edge", () => {
    expect(checkMesh(joinMeshes(cube(), moveMesh(cube(), [1, 1, 1])))).toMatchObject({ ...sound, vertices: 15 });
    const edge = checkMesh(joinMeshes(cube(), moveMesh(cube(), [1, 1, 0])));
    expect(edge).toMatchObject({ ...sound, vertices: 14, nonManifoldEdges: 1 });
  });

  it("has nothing to say about nothing", () => {
    const nothing = { positions: new Float32Array(0), triangles: new Uint32Array(0) };
    expect(checkMesh(nothing)).toMatchObject({ vertices: 0, triangles: 0, ...sound, volume: 0 });
  });
});
