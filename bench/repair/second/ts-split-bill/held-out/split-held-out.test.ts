import { test } from "node:test";
import assert from "node:assert/strict";
import { allocate, splitBill } from "./split.ts";

test("shares add up for many amounts", () => {
  const weights = [3, 0, 5, 7, 1];
  for (let cents = 0; cents < 200; cents++) {
    const shares = allocate(cents, weights);
    assert.equal(shares.reduce((a, b) => a + b, 0), cents);
    assert.equal(shares[1], 0);
  }
});

test("uneven weights", () => {
  assert.deepEqual(allocate(100, [1, 2, 4]), [15, 28, 57]);
});

test("zero weight between payers is skipped", () => {
  assert.deepEqual(allocate(5, [1, 0, 1, 1]), [2, 0, 2, 1]);
});

test("one cent among four", () => {
  assert.deepEqual(allocate(1, [1, 1, 1, 1]), [1, 0, 0, 0]);
});

test("named split with odd cents", () => {
  const bill = splitBill(50, [{ name: "x", weight: 1 }, { name: "y", weight: 1 }, { name: "z", weight: 1 }]);
  assert.deepEqual([...bill], [["x", 17], ["y", 17], ["z", 16]]);
});

test("exact division leaves nothing to hand out", () => {
  assert.deepEqual(allocate(70, [1, 2, 4]), [10, 20, 40]);
});
