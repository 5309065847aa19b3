import type { Mesh } from "@loopwright/mesh";
import { expect, it } from "vitest";
import { ball, cube, joinMeshes, moveMesh } from "../../../../test/fakes/shapes.ts";
import { trawler } from "../../../../test/fixtures/hull/trawler.ts";
import { overlapsOf } from "./overlaps.ts";

/** A cube whose top is pushed down through its bottom at one side, so that a part of it is inside out. */
function folded(): Mesh {
  const { positions, triangles } = cube(2);
  return {
    triangles,
    positions: positions.map((value, at) => (at % 3 === 2 && isTopRight(positions, at) ? -1.8 : value)),
  };
}

const isTopRight = (positions: Float32Array, at: number) => positions[at]! > 0 && positions[at - 2]! > 0;

/** Two cubes in one surface by a shared corner, one inside the other. */
function welded(): Mesh {
  return joinMeshes(cube(2), moveMesh(cube(1), [0.5, 0.5, 0.5]));
}

it.each([
  ["a trawler of parts that reach into each other", trawler(), 0, 0],
  ["a ball", ball(1), 0, 0],
  ["a ball half inside a cube", joinMeshes(cube(2), moveMesh(ball(1), [1, 0, 0])), 0, 0],
  ["a mast through a cabin", joinMeshes(cube(2), moveMesh(cube(0.2), [0, 0, 1])), 0, 0],
  ["the same ball twice", joinMeshes(ball(1), moveMesh(ball(1), [0.05, 0, 0.02])), 1, 0],
  ["two boats nearly in the same place", joinMeshes(trawler(), moveMesh(trawler(), [0.01, 0.003, 0.02])), 6, 0],
  ["a cube that is pushed through itself", folded(), 0, 0.05],
  ["a cube in a cube, sharing a corner", welded(), 0, 0.1],
  ["nothing", { positions: new Float32Array(), triangles: new Uint32Array() }, 0, 0],
])("%s", (_, mesh, twins, self) => {
  const found = overlapsOf(mesh);
  expect(found.twins).toBeGreaterThanOrEqual(twins);
  if (twins === 0) expect(found.twins).toBe(0);
  if (self === 0) expect(found.self).toBeLessThan(0.02);
  else expect(found.self).toBeGreaterThan(self);
});

it("a heap of balls is looked at in bounded time", () => {
  const balls = Array.from({ length: 200 }, (_, at) => moveMesh(ball(1, 16), [at % 7, at % 11, at % 13]));
  const started = performance.now();
  expect(overlapsOf(joinMeshes(...balls)).twins).toBeGreaterThanOrEqual(0);
  expect(performance.now() - started).toBeLessThan(5_000);
});
