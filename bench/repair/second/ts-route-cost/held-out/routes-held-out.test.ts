import { test } from "node:test";
import assert from "node:assert/strict";
import { RoadMap } from "./routes.ts";

test("improved twice", () => {
  const map = new RoadMap([
    ["s", "t", 20], ["s", "a", 1], ["a", "t", 12], ["a", "b", 2], ["b", "t", 5],
  ]);
  assert.deepEqual(map.cheapest("s", "t"), { cost: 8, path: ["s", "a", "b", "t"] });
});

test("a direct road stays when the detour is dearer", () => {
  const map = new RoadMap([["a", "c", 5], ["a", "b", 3], ["b", "c", 4]]);
  assert.deepEqual(map.cheapest("a", "c"), { cost: 5, path: ["a", "c"] });
});

test("improving a town in the middle", () => {
  const map = new RoadMap([
    ["s", "m", 9], ["s", "x", 2], ["x", "y", 2], ["y", "m", 2], ["m", "t", 1], ["s", "t", 30],
  ]);
  assert.deepEqual(map.cheapest("s", "t"), { cost: 7, path: ["s", "x", "y", "m", "t"] });
  assert.deepEqual(map.cheapest("t", "s"), { cost: 7, path: ["t", "m", "y", "x", "s"] });
});

test("of two parallel roads the cheaper counts", () => {
  const map = new RoadMap([["a", "b", 6], ["a", "b", 2]]);
  assert.deepEqual(map.cheapest("a", "b"), { cost: 2, path: ["a", "b"] });
});

test("unknown goal", () => {
  assert.equal(new RoadMap([["a", "b", 6]]).cheapest("a", "q"), null);
});
