import { describe, expect, it } from "vitest";
import { ball, cube, joinMeshes, moveMesh, tetrahedron } from "../../../../test/fakes/shapes.ts";
import type { Mesh } from "../mesh.ts";
import { viewNames } from "./projection.ts";
import { silhouette } from "./silhouette.ts";

const area = (mask: { data: Uint8Array }) => mask.data.reduce((sum, pixel) => sum + pixel, 0);
const frame = { center: [0, 0, 0] as const, meters: 4 };

/** The mask as rows of text. */
const drawing = ({ width, data }: { width: number; data: Uint8Array }) =>
  Array.from({ length: data.length / width }, (_, row) =>
    [...data.subarray(row * width, (row + 1) * width)].map((pixel) => (pixel ? "#" : ".")).join(""),
  );

describe("the silhouette of a mesh", () => {
  it("of a cube is a square of the right size in the middle", () => {
    for (const view of ["front", "side", "top"] as const) {
      expect(drawing(silhouette(cube(2), view, frame, 8))).toEqual([
        "........",
        "........",
        "..####..",
        "..####..",
        "..####..",
        "..####..",
        "........",
        "........",
      ]);
    }
  });

  it("of a wedge is a triangle: bow right, up above", () => {
    const wedge = tetrahedron(2, 2, 2);
    const corner = { center: [1, 1, 1] as const, meters: 2 };
    expect(drawing(silhouette(wedge, "side", corner, 4))).toEqual(["#...", "##..", "###.", "####"].map(cutDiagonal));
    expect(drawing(silhouette(wedge, "top", corner, 4))).toEqual(drawing(silhouette(wedge, "side", corner, 4)));
  });

  it.each(viewNames)("of a ball in %s is a disc of area π r²", (view) => {
    const radius = (1.5 * 512) / 4;
    const seen = area(silhouette(ball(1.5, 64), view, frame, 512));
    expect(seen / (Math.PI * radius ** 2)).toBeGreaterThan(0.997);
    expect(seen / (Math.PI * radius ** 2)).toBeLessThan(1.0005);
  });

  it("of a tetrahedron is half of its box", () => {
    const seen = area(silhouette(tetrahedron(3, 2, 1), "top", { center: [1.5, 1, 0.5], meters: 4 }, 400));
    expect(seen / 100 ** 2).toBeCloseTo(3, 1);
  });

  it("of a cube in iso is the sum of its three visible faces, each as it is tilted", () => {
    // A face of area 1 shows the part of it that its normal has toward the viewer: 9/17 + 12/17 + 8/17.
    const seen = area(silhouette(cube(2), "iso", frame, 800));
    expect(seen / 200 ** 2 / 4).toBeCloseTo(29 / 17, 2);
  });

  it("has no hole between triangles", () => {
    const mask = silhouette(ball(1.9, 80), "iso", frame, 300);
    for (const row of drawing(mask)) expect(row).toMatch(/^\.*#*\.*$/);
  });

  it("is of all parts, seen from either side, closed or open", () => {
    const apart = joinMeshes(moveMesh(cube(0.5), [-1, 0, 0]), moveMesh(cube(0.5), [1, 0, 0]));
    expect(area(silhouette(apart, "side", frame, 64))).toBe(2 * 8 * 8);
    const sheet = { positions: Float32Array.of(-1, 0, -1, 1, 0, -1, 1, 0, 1), triangles: Uint32Array.of(0, 1, 2) };
    const turned = { ...sheet, triangles: Uint32Array.of(0, 2, 1) };
    expect(area(silhouette(sheet, "side", frame, 64))).toBeGreaterThan(400);
    expect(silhouette(turned, "side", frame, 64)).toEqual(silhouette(sheet, "side", frame, 64));
  });

  it("is clipped to the picture", () => {
    const mask = silhouette(cube(100), "top", frame, 32);
    expect(mask.data).toEqual(new Uint8Array(32 * 32).fill(1));
    const half = silhouette(moveMesh(cube(4), [2, 0, 0]), "top", frame, 32);
    expect(drawing(half)).toEqual(Array.from({ length: 32 }, () => `${".".repeat(16)}${"#".repeat(16)}`));
  });

  it("leaves out triangles with a corner that is no place or no vertex, and draws the others", () => {
    const mesh = cube(2);
    const broken: Mesh = {
      positions: Float32Array.of(...mesh.positions, Number.NaN, 0, 0, 0, Infinity, 0, 0, 0, -Infinity),
      triangles: Uint32Array.of(...mesh.triangles, 0, 1, 8, 2, 9, 3, 10, 4, 5, 6, 7, 4_000_000_000),
    };
    for (const view of viewNames)
      expect(silhouette(broken, view, frame, 64)).toEqual(silhouette(mesh, view, frame, 64));
  });

  it("is not touched by what was drawn before", () => {
    const before = silhouette(ball(), "iso", frame, 96);
    const kept = before.data.slice();
    silhouette(joinMeshes(cube(3), ball(1, 40)), "side", frame, 256);
    silhouette(tetrahedron(), "top", frame, 17);
    expect(before.data).toEqual(kept);
    expect(silhouette(ball(), "iso", frame, 96)).toEqual(before);
    // A vertex index that is in range of an earlier, larger mesh only.
    const astray = { ...tetrahedron(), triangles: Uint32Array.of(0, 1, 20) };
    expect(area(silhouette(astray, "iso", frame, 96))).toBe(0);
  });

  it("of nothing is empty", () => {
    const nothing = { positions: new Float32Array(0), triangles: new Uint32Array(0) };
    expect(silhouette(nothing, "side", frame, 16)).toEqual({ width: 16, height: 16, data: new Uint8Array(256) });
  });

  it("refuses a frame that shows nothing", () => {
    const empty = { center: [0, 0, 0] as const, meters: 0 };
    expect(() => silhouette(cube(), "side", empty, 64)).toThrow(expect.objectContaining({ code: "FRAME_INVALID" }));
  });
});

/** The centers of the diagonal's pixels lie on the edge, which belongs to what is right of it. */
function cutDiagonal(row: string): string {
  return row.replace(/#(\.*)$/, ".$1");
}
