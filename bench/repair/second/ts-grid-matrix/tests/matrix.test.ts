import { test } from "node:test";
import assert from "node:assert/strict";
import { multiply, power, transpose, zeros } from "./matrix.ts";

test("zeros has the asked shape", () => {
  assert.deepEqual(zeros(2, 3), [[0, 0, 0], [0, 0, 0]]);
});

test("transpose", () => {
  assert.deepEqual(transpose([[1, 2, 3], [4, 5, 6]]), [[1, 4], [2, 5], [3, 6]]);
});

test("row times column", () => {
  assert.deepEqual(multiply([[1, 2, 3]], [[4], [5], [6]]), [[32]]);
});

test("two by two", () => {
  assert.deepEqual(multiply([[1, 2], [3, 4]], [[5, 6], [7, 8]]), [[19, 22], [43, 50]]);
});

test("fibonacci by powers", () => {
  assert.deepEqual(power([[1, 1], [1, 0]], 10), [[89, 55], [55, 34]]);
});

test("shapes must fit", () => {
  assert.throws(() => multiply([[1, 2]], [[1, 2]]), RangeError);
});
