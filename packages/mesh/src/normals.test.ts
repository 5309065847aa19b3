import { describe, expect, it } from "vitest";
import { ball, cube } from "../../../test/fakes/shapes.ts";
import { cornerNormals } from "./normals.ts";

const corner = (values: Float32Array, index: number) => [...values.subarray(index * 3, index * 3 + 3)];
const dot = (a: number[], b: number[]) => a.reduce((sum, value, axis) => sum + value * b[axis]!, 0);

describe("the normals of a mesh's corners", () => {
  it("stay sharp on a cube: every one is along an axis, outward", () => {
    const mesh = cube();
    const normals = cornerNormals(mesh);
    for (const [index, vertex] of mesh.triangles.entries()) {
      const normal = corner(normals, index);
      expect(normal.map(Math.abs).sort()).toEqual([0, 0, 1]);
      expect(dot(normal, corner(mesh.positions, vertex))).toBeCloseTo(0.5, 6);
    }
  });

  it("are smooth on a ball: every one points away from the center", () => {
    const mesh = ball(2, 24);
    const normals = cornerNormals(mesh);
    for (const [index, vertex] of mesh.triangles.entries()) {
      expect(dot(corner(normals, index), corner(mesh.positions, vertex)) / 2).toBeGreaterThan(0.995);
    }
  });

  it("are the same in all corners that meet in a smooth place, whatever vertex they use", () => {
    const mesh = ball(1, 12);
    const apart = {
      positions: Float32Array.from([...mesh.triangles].flatMap((vertex) => corner(mesh.positions, vertex))),
      triangles: mesh.triangles.map((_, at) => at),
    };
    expect(cornerNormals(apart)).toEqual(cornerNormals(mesh));
  });

  it("have unit length even where a triangle has no area or no place", () => {
    const positions = Float32Array.of(0, 0, 0, 1, 0, 0, 2, 0, 0, Number.NaN, 0, 0);
    const normals = cornerNormals({ positions, triangles: Uint32Array.of(0, 1, 2, 0, 1, 3, 0, 1, 77) });
    for (let index = 0; index < 9; index += 1) expect(corner(normals, index)).toEqual([0, 0, 1]);
  });
});
