import { boundsOf, type Mesh } from "@loopwright/mesh";
import { describe, expect, it } from "vitest";
import { car, WHEELS } from "../../../../../test/fakes/car.ts";
import { ball, cube, joinMeshes, moveMesh } from "../../../../../test/fakes/shapes.ts";
import { likenessToCar } from "./car.ts";
import { likenessToChair } from "./chair.ts";

/** A mesh with every place put elsewhere. */
function mapPlaces(mesh: Mesh, put: (x: number, y: number, z: number) => readonly [number, number, number]): Mesh {
  const positions = mesh.positions.slice();
  for (let at = 0; at < positions.length; at += 3)
    positions.set(put(positions[at]!, positions[at + 1]!, positions[at + 2]!), at);
  return { ...mesh, positions };
}

function withoutPart(mesh: Mesh, name: string): Mesh {
  const { first, count } = mesh.parts!.find((part) => part.name === name)!;
  const triangles = mesh.triangles.filter((_, at) => at < first * 3 || at >= (first + count) * 3);
  return { positions: mesh.positions, triangles };
}

/** The triangles of one side. */
function half(mesh: Mesh): Mesh {
  const isKept = (face: number) =>
    [0, 1, 2].every((corner) => mesh.positions[mesh.triangles[face * 3 + corner]! * 3 + 1]! >= -1e-6);
  return { positions: mesh.positions, triangles: mesh.triangles.filter((_, at) => isKept(Math.floor(at / 3))) };
}

function box(from: readonly number[], to: readonly number[]): Mesh {
  const sides = [0, 1, 2].map((axis) => to[axis]! - from[axis]!);
  const middle = [0, 1, 2].map((axis) => (from[axis]! + to[axis]!) / 2) as [number, number, number];
  return moveMesh(
    mapPlaces(cube(1), (x, y, z) => [x * sides[0]!, y * sides[1]!, z * sides[2]!]),
    middle,
  );
}

const leg = (x: number, y: number) => box([x, y, 0], [x + 0.04, y + 0.04, 0.43]);
const legs = [leg(0, 0), leg(0.41, 0), leg(0, 0.41), leg(0.41, 0.41)];
const seat = box([0, 0, 0.43], [0.45, 0.45, 0.47]);
const chair = joinMeshes(...legs, seat, box([0.41, 0, 0.47], [0.45, 0.45, 0.9]));
const table = joinMeshes(...legs, seat);

/** Two wheels at the sides of the chair. */
function wheelPair(radius: number): Mesh[] {
  const wheel = mapPlaces(ball(1, 48), (x, y, z) => [0.3 + x * radius, y * 0.02, radius + z * radius]);
  return [moveMesh(wheel, [0, -0.03, 0]), moveMesh(wheel, [0, 0.48, 0])];
}

describe("whether it is a car", () => {
  const good = car(3);

  it.each([1, 2, 3, 4, 5])("by wheels, proportions and outline: car %i", (seed) => {
    expect(likenessToCar(car(seed))).toMatchObject({ score: 1, wheels: 4, unpaired: 0, forward: "x" });
  });

  it.each<[string, (x: number, y: number, z: number) => readonly [number, number, number], object]>([
    ["ten times too large", (x, y, z) => [10 * x, 10 * y, 10 * z], { score: 1 }],
    ["that floats", (x, y, z) => [x, y, z + 3], { score: 1 }],
    ["that faces the other way", (x, y, z) => [-x, -y, z], { score: 1 }],
    ["that faces along another axis", (x, y, z) => [y, -x, z], { score: 1, forward: "y" }],
    ["upside down", (x, y, z) => [x, -y, -z], { score: 1, isUpsideDown: true }],
    ["2.75 m wide", (x, y, z) => [x, (y * 2.75) / 1.75, z], { score: expect.closeTo(1, 0) }],
  ])("also one %s", (_, put, expected) => {
    expect(likenessToCar(mapPlaces(good, put))).toMatchObject({ isUpsideDown: false, ...expected });
  });

  it.each(WHEELS)("less so without the wheel %s", (name) => {
    expect(likenessToCar(withoutPart(good, name))).toMatchObject({ score: 0.85, wheels: 3, unpaired: 1 });
  });

  it("and half of one is one, though not enough of one", () => {
    expect(likenessToCar(half(good))).toMatchObject({ score: 0.6, wheels: 2, unpaired: 2 });
  });

  it.each<[string, Mesh]>([
    ["a cube", cube(4)],
    ["a box of a car's size", box([0, 0, 0], [4.5, 1.8, 1.5])],
    ["a ball", ball(1)],
    ["a chair", chair],
    ["a car without wheels", WHEELS.reduce((mesh, name) => mergeParts(mesh, name), good)],
    ["a car that stands on its tail", mapPlaces(good, (x, y, z) => [z, y, x])],
    ["nothing", { positions: new Float32Array(), triangles: new Uint32Array() }],
  ])("but not %s", (_, mesh) => {
    expect(likenessToCar(mesh).score).toBeLessThan(0.1);
  });
});

/** The mesh with a part's triangles shrunk away, its parts as they were. */
function mergeParts(mesh: Mesh, name: string): Mesh {
  const { first, count } = mesh.parts!.find((part) => part.name === name)!;
  const triangles = mesh.triangles.slice().fill(mesh.triangles[0]!, first * 3, (first + count) * 3);
  return { ...mesh, triangles };
}

describe("whether it is a chair", () => {
  it("by seat, back, open front and stand, whichever way it faces", () => {
    expect(likenessToChair(chair)).toMatchObject({ score: 1, isUpsideDown: false });
    expect(likenessToChair(mapPlaces(chair, (x, y, z) => [y, -x, z])).score).toBe(1);
    expect(likenessToChair(mapPlaces(chair, (x, y, z) => [9 * x, 9 * y, 9 * z])).score).toBe(1);
    expect(likenessToChair(mapPlaces(chair, (x, y, z) => [x, -y, -z]))).toMatchObject({ score: 1, isUpsideDown: true });
  });

  it("also one on casters", () => {
    expect(likenessToChair(joinMeshes(moveMesh(chair, [0, 0, 0.02]), ...wheelPair(0.05))).score).toBeGreaterThan(0.7);
  });

  it.each<[string, Mesh]>([
    ["a table", table],
    ["a cube", cube(1)],
    ["a car", car(1)],
    ["a seat before a wall without a stand", joinMeshes(seat, box([0.41, 0, 0], [0.45, 0.45, 0.9]))],
    ["a chair on two large wheels", joinMeshes(moveMesh(chair, [0, 0, 0.02]), ...wheelPair(0.3))],
    ["a bench", mapPlaces(chair, (x, y, z) => [x, 4 * y, z])],
  ])("but not %s", (_, mesh) => {
    expect(likenessToChair(mesh).score).toBeLessThan(0.1);
    expect(boundsOf(mesh).max[2]).toBeGreaterThan(0);
  });
});
