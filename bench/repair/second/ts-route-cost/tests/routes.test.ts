import { test } from "node:test";
import assert from "node:assert/strict";
import { RoadMap } from "./routes.ts";

test("a straight road", () => {
  const map = new RoadMap([["a", "b", 4], ["b", "c", 3]]);
  assert.deepEqual(map.cheapest("a", "c"), { cost: 7, path: ["a", "b", "c"] });
});

test("roads run both ways", () => {
  const map = new RoadMap([["a", "b", 4], ["b", "c", 3]]);
  assert.deepEqual(map.cheapest("c", "a"), { cost: 7, path: ["c", "b", "a"] });
});

test("a detour can be cheaper than the direct road", () => {
  const map = new RoadMap([["a", "c", 10], ["a", "b", 3], ["b", "c", 4]]);
  assert.deepEqual(map.cheapest("a", "c"), { cost: 7, path: ["a", "b", "c"] });
});

test("not connected", () => {
  const map = new RoadMap([["a", "b", 1], ["x", "y", 1]]);
  assert.equal(map.cheapest("a", "y"), null);
});

test("already there", () => {
  const map = new RoadMap([["a", "b", 1]]);
  assert.deepEqual(map.cheapest("a", "a"), { cost: 0, path: ["a"] });
});
