import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { car, paint } from "../../../../test/fakes/car.ts";
import { ball, cube, joinMeshes, moveMesh } from "../../../../test/fakes/shapes.ts";
import type { Mesh } from "../mesh.ts";
import type { Picture } from "../picture.ts";
import { pictureToMask } from "../picture.ts";
import { type Camera, cameras, renderViews, turntable } from "./camera.ts";

const see = (mesh: Mesh, camera: Camera, size = 101) => renderViews(mesh, [camera], { size })[0]!;
const pixelAt = ({ width, channels, data }: Picture, column: number, row: number) => [
  ...data.subarray((row * width + column) * channels, (row * width + column + 1) * channels),
];

describe("what a camera sees", () => {
  it("is opaque in every picture exactly where its silhouette is", () => {
    for (const camera of [...turntable(3), { azimuth: 45, elevation: 15, lens: 35 }]) {
      const view = see(car(3), camera);
      const mask = view.silhouette();
      for (const picture of [view.shaded(), view.clay(), view.normals(), view.depth()])
        expect(pictureToMask(picture)).toEqual(mask);
      expect(Uint8Array.from(view.meters(), (meters) => (meters === Infinity ? 0 : 1))).toEqual(mask.data);
    }
  });

  it("has normals in the world's axes, whichever way it looks", () => {
    // The faces of a cube from before and above, and from behind and below.
    expect(pixelAt(see(cube(), cameras.front).normals(), 50, 50)).toEqual([255, 128, 128, 255]);
    expect(pixelAt(see(cube(), cameras.top).normals(), 50, 50)).toEqual([128, 128, 255, 255]);
    expect(pixelAt(see(cube(), { azimuth: 180, elevation: 0 }).normals(), 50, 50)).toEqual([0, 128, 128, 255]);
    expect(pixelAt(see(cube(), { azimuth: 0, elevation: -90 }).normals(), 50, 50)).toEqual([128, 128, 0, 255]);
  });

  it("turns the normals of backs to the viewer, so that a sheet looks alike from both sides", () => {
    const sheet = { positions: Float32Array.of(0, -1, -1, 0, 1, -1, 0, 0, 1), triangles: Uint32Array.of(0, 1, 2) };
    expect(pixelAt(see(sheet, cameras.front).normals(), 50, 60)).toEqual([255, 128, 128, 255]);
    expect(pixelAt(see(sheet, { azimuth: 180, elevation: 0 }).normals(), 50, 60)).toEqual([0, 128, 128, 255]);
  });

  it("has distances in meters: from the eye in perspective, from the middle in parallel", () => {
    const middle = 50 * 101 + 50;
    expect(see(cube(2), { azimuth: 0, elevation: 0, distance: 6 }).meters()[middle]).toBeCloseTo(5, 5);
    expect(see(cube(2), { azimuth: 20, elevation: 90, distance: 60, lens: 500 }).meters()[middle]).toBeCloseTo(59, 4);
    expect(see(cube(2), cameras.front).meters()[middle]).toBeCloseTo(-1, 5);
  });

  it("has exact distances all over a slanted face in perspective", () => {
    // A floor 1 m below the eye: a pixel that looks down by an angle is 1 / tan(angle) away.
    const floor = {
      positions: Float32Array.of(-99, -99, -1, 99, -99, -1, 99, 99, -1, -99, 99, -1),
      triangles: Uint32Array.of(0, 1, 2, 0, 2, 3),
    };
    const view = see(floor, { azimuth: 0, elevation: 0, distance: 10, lens: 36, target: [0, 0, 0] }, 100);
    const meters = view.meters();
    for (const row of [60, 70, 80, 99]) {
      const down = (row + 0.5 - 50) / 100;
      expect(meters[row * 100 + 37]).toBeCloseTo(1 / down, 3);
    }
  });

  it("is lighter in its picture of depths the nearer it is", () => {
    const steps = joinMeshes(moveMesh(cube(1), [0, -1, 0]), moveMesh(cube(1), [1, 0, 0]), moveMesh(cube(1), [2, 1, 0]));
    const picture = see(steps, cameras.front, 120).depth();
    const [left, middle, right] = [25, 60, 95].map((column) => pixelAt(picture, column, 60)[0]!);
    expect(left).toBeLessThan(middle!);
    expect(middle).toBeLessThan(right!);
    expect([left, right]).toEqual([40, 255]);
  });

  it("is shaded in the colors of its materials, and in clay without them", () => {
    const two = joinMeshes(moveMesh(cube(1), [0, -1, 0]), moveMesh(cube(1), [0, 1, 0]));
    const parts = [
      { name: "left", material: 0, first: 0, count: 12 },
      { name: "right", material: 1, first: 12, count: 12 },
    ];
    const materials = [
      { ...paint, color: [1, 0, 0, 1] as const },
      { ...paint, color: [0, 0.2, 1, 1] as const },
    ];
    const view = see({ ...two, parts, materials }, cameras.front);
    const [red, blue] = [pixelAt(view.shaded(), 20, 50), pixelAt(view.shaded(), 80, 50)];
    expect(red[0]).toBeGreaterThan(100);
    expect(red.slice(1)).toEqual([0, 0, 255]);
    expect(blue[2]).toBeGreaterThan(blue[1]!);
    expect(blue[0]).toBe(0);
    expect(view.clay()).toEqual(see(two, cameras.front).clay());
    expect(pixelAt(see(two, cameras.front).shaded(), 20, 50)[2]).toBeGreaterThan(100);
  });

  it("keeps its colors where triangles are cut off at the eye", () => {
    const room = { ...cube(10), parts: [{ name: "room", material: 0, first: 0, count: 12 }], materials: [paint] };
    const inside = see(room, { azimuth: 30, elevation: 10, distance: 1, lens: 20 }, 40).shaded();
    for (let at = 0; at < inside.data.length; at += 4) {
      expect(inside.data[at]).toBeGreaterThan(inside.data[at + 1]!);
      expect(inside.data[at + 3]).toBe(255);
    }
  });

  it("leaves out triangles that are no place, in perspective too", () => {
    const broken = { ...ball(1, 8), positions: ball(1, 8).positions.with(30, Number.NaN).with(64, Infinity) };
    const astray = { ...broken, triangles: Uint32Array.of(...broken.triangles, 0, 1, 999_999) };
    for (const camera of [cameras.iso, { ...cameras.iso, lens: 30 }, { ...cameras.iso, distance: 0.5 }])
      for (const view of renderViews(astray, [camera], { size: 50 }))
        expect([...view.shaded().data, ...view.depth().data].every(Number.isInteger)).toBe(true);
  });

  it("is refused where a heap of large triangles would take minutes to draw", () => {
    const triangles = new Uint32Array(30_000 * 3).map((_, at) => at % 3);
    const heap = { positions: Float32Array.of(0, -9, -9, 0, 9, -9, 0, 0, 9), triangles };
    expect(() => see(heap, cameras.front, 1024)).toThrow(expect.objectContaining({ code: "VIEW_TOO_COSTLY" }));
    expect(see(heap, cameras.front, 64).silhouette().data).toContain(1);
  });

  it("has the same bytes every time, and in another process", () => {
    const list = [
      cameras.iso,
      { azimuth: 33, elevation: 12.5, lens: 35 },
      { azimuth: 200, elevation: -20, distance: 7 },
    ];
    const digest = () => {
      const hash = createHash("sha256");
      for (const view of renderViews(car(2), list, { size: { width: 96, height: 64 } }))
        for (const { data } of [view.shaded(), view.clay(), view.normals(), view.depth(), view.silhouette()])
          hash.update(data);
      return hash.digest("hex");
    };
    const first = digest();
    expect(digest()).toBe(first);
    const module = (name: string) => JSON.stringify(new URL(name, import.meta.url).href);
    const script = `
      import { createHash } from "node:crypto";
      const { renderViews } = await import(${module("./camera.ts")});
      const { car } = await import(${module("../../../../test/fakes/car.ts")});
      const hash = createHash("sha256");
      for (const view of renderViews(car(2), ${JSON.stringify(list)}, { size: { width: 96, height: 64 } }))
        for (const { data } of [view.shaded(), view.clay(), view.normals(), view.depth(), view.silhouette()]) hash.update(data);
      console.log(hash.digest("hex"));`;
    const other = execFileSync(process.execPath, [
      "--input-type=module",
      "--conditions=loopwright-source",
      "-e",
      script,
    ]);
    expect(other.toString().trim()).toBe(first);
  });
});
