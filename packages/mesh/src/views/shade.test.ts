import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { ball, cube, joinMeshes, moveMesh, tetrahedron } from "../../../../test/fakes/shapes.ts";
import { type Picture, pictureToMask } from "../picture.ts";
import { pictureToPng } from "../png.ts";
import { viewNames } from "./projection.ts";
import { shade, silhouette } from "./silhouette.ts";

const frame = { center: [0, 0, 0] as const, meters: 4 };
const grayAt = ({ width, data }: Picture, column: number, row: number) => data[(row * width + column) * 2]!;

describe("the shaded picture of a mesh", () => {
  it.each(viewNames)("is opaque in %s exactly where the silhouette is", (view) => {
    for (const mesh of [cube(1.7), ball(1.3, 20), tetrahedron(1, 1.4, 1.9)]) {
      const picture = shade(mesh, view, frame, 90);
      expect(picture).toMatchObject({ width: 90, height: 90, channels: 2 });
      const alphas = picture.data.filter((_, at) => at % 2 === 1);
      expect(alphas.every((alpha) => alpha === 0 || alpha === 255)).toBe(true);
      expect(pictureToMask(picture)).toEqual(silhouette(mesh, view, frame, 90));
    }
  });

  it("shows what is nearest, whichever triangle comes first", () => {
    // From ahead the cube stands before the ball, and hides its middle; from astern it would not.
    const near = moveMesh(cube(1), [3, 0, 0]);
    const far = ball(1.6, 20);
    const alone = shade(near, "front", frame, 100);
    for (const mesh of [joinMeshes(near, far), joinMeshes(far, near)]) {
      const picture = shade(mesh, "front", frame, 100);
      for (const [column, row] of [
        [50, 50],
        [41, 45],
        [58, 57],
      ] as const)
        expect(grayAt(picture, column, row)).toBe(grayAt(alone, column, row));
      expect(grayAt(picture, 50, 20)).not.toBe(grayAt(picture, 50, 50));
    }
    const hidden = joinMeshes(far, moveMesh(cube(1), [-3, 0, 0]));
    expect(shade(hidden, "front", frame, 100)).toEqual(shade(far, "front", frame, 100));
  });

  it("lights what faces up more than what faces down", () => {
    const picture = shade(ball(1.8, 40), "side", frame, 200);
    expect(grayAt(picture, 100, 40)).toBeGreaterThan(grayAt(picture, 100, 160) + 40);
  });

  it("is smooth over a ball: neighbors inside differ by little", () => {
    const picture = shade(ball(1.8, 40), "iso", frame, 256);
    for (let row = 60; row < 196; row += 1)
      for (let column = 60; column < 196; column += 1)
        expect(Math.abs(grayAt(picture, column, row) - grayAt(picture, column + 1, row))).toBeLessThan(8);
  });

  it("gives each face of a cube one gray of its own, and darkens the edges between them", () => {
    const picture = shade(cube(2), "iso", frame, 400);
    // Along the middle row of the picture: starboard side, the edge, and the bow.
    const row = 230;
    const grays = Array.from({ length: 400 }, (_, column) => grayAt(picture, column, row)).filter((gray) => gray > 0);
    const counts = new Map<number, number>();
    for (const gray of grays) counts.set(gray, (counts.get(gray) ?? 0) + 1);
    const [first, second] = [...counts].sort(([, a], [, b]) => b - a);
    expect(first![1] + second![1]).toBeGreaterThan(grays.length - 8);
    expect(Math.min(...grays)).toBeLessThan(Math.min(first![0], second![0]) * 0.7);
  });

  it("darkens the step from a near object to a far one", () => {
    const step = joinMeshes(moveMesh(cube(1), [3, 0, 0]), cube(3));
    const picture = shade(step, "front", frame, 120);
    // The small cube's left edge is at 60 - 15.
    expect(grayAt(picture, 45, 60)).toBeLessThan(grayAt(picture, 47, 60) * 0.5);
    expect(grayAt(picture, 43, 60)).toBe(grayAt(picture, 47, 60));
  });

  it("lights the inside of an open mesh as it would the outside", () => {
    const corners = Float32Array.of(-1, 0, -1, 1, 0, -1, 1, 0, 1, -1, 0, 1);
    const outside = { positions: corners, triangles: Uint32Array.of(0, 1, 2, 0, 2, 3) };
    const inside = { positions: corners, triangles: Uint32Array.of(0, 2, 1, 0, 3, 2) };
    expect(shade(inside, "side", frame, 64)).toEqual(shade(outside, "side", frame, 64));
  });

  it("has no pixel of its own for triangles that are no place, and none missing for huge or thin ones", () => {
    const mesh = cube(2);
    const positions = Float32Array.of(...mesh.positions, Number.NaN, 1, 1, 0, 0, 1e38, 1e38, -1e38, 0, 0, 1e-7, 0.5);
    const broken = {
      positions,
      triangles: Uint32Array.of(...mesh.triangles, 0, 1, 8, 2, 3, 99, 4, 5, 9, 0, 9, 10, 0, 7, 11),
    };
    for (const view of viewNames) {
      const picture = shade(broken, view, frame, 80);
      expect(pictureToMask(picture)).toEqual(silhouette(broken, view, frame, 80));
    }
  });

  it("shows what is farther off than a 32-bit number of pixels, behind all else", () => {
    const far = Float32Array.of(-1e38, -9, -9, -1e38, 9, -9, -1e38, 0, 9);
    const sheet = { positions: far, triangles: Uint32Array.of(0, 1, 2) };
    const picture = shade(joinMeshes(cube(1), sheet), "front", frame, 80);
    expect(picture.data.filter((_, at) => at % 2 === 1)).toEqual(new Uint8Array(80 * 80).fill(255));
    expect(grayAt(picture, 30, 40)).toBeLessThan(grayAt(picture, 40, 40));
  });

  it("has the same bytes every time", () => {
    const first = shade(ball(1.5, 30), "iso", frame, 128);
    shade(cube(3), "top", frame, 64);
    expect(shade(ball(1.5, 30), "iso", frame, 128)).toEqual(first);
  });

  it("has the same bytes as a PNG in another process", () => {
    const digest = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
    const module = (name: string) => JSON.stringify(new URL(name, import.meta.url).href);
    const script = `
      import { createHash } from "node:crypto";
      const { pictureToPng } = await import(${module("../png.ts")});
      const { shade } = await import(${module("./silhouette.ts")});
      const { ball } = await import(${module("../../../../test/fakes/shapes.ts")});
      const png = pictureToPng(shade(ball(1.5, 30), "iso", ${JSON.stringify(frame)}, 128));
      console.log(createHash("sha256").update(png).digest("hex"));`;
    const other = execFileSync(process.execPath, [
      "--input-type=module",
      "--conditions=loopwright-source",
      "-e",
      script,
    ]);
    expect(other.toString().trim()).toBe(digest(pictureToPng(shade(ball(1.5, 30), "iso", frame, 128))));
  });

  it("of nothing is transparent", () => {
    const nothing = { positions: new Float32Array(0), triangles: new Uint32Array(0) };
    expect(shade(nothing, "iso", frame, 8).data).toEqual(new Uint8Array(128));
  });
});
