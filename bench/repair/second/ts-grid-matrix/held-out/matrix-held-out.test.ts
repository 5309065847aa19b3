import { test } from "node:test";
import assert from "node:assert/strict";
import { identity, multiply, power, zeros } from "./matrix.ts";

test("identity", () => {
  assert.deepEqual(identity(3), [[1, 0, 0], [0, 1, 0], [0, 0, 1]]);
  assert.deepEqual(identity(1), [[1]]);
});

test("rows of zeros are independent", () => {
  const grid = zeros(3, 2);
  grid[1][0] = 5;
  assert.deepEqual(grid, [[0, 0], [5, 0], [0, 0]]);
});

test("a wide product", () => {
  assert.deepEqual(multiply([[1], [2], [3]], [[1, 10]]), [[1, 10], [2, 20], [3, 30]]);
});

test("power zero", () => {
  assert.deepEqual(power([[7, 8], [9, 1]], 0), [[1, 0], [0, 1]]);
});

test("two calls share nothing", () => {
  const first = zeros(1, 1);
  first[0][0] = 9;
  assert.deepEqual(zeros(1, 1), [[0]]);
});
