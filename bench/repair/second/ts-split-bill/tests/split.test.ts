import { test } from "node:test";
import assert from "node:assert/strict";
import { allocate, splitBill, format } from "./split.ts";

test("even split", () => {
  assert.deepEqual(allocate(900, [1, 1, 1]), [300, 300, 300]);
});

test("odd cent goes to the first", () => {
  assert.deepEqual(allocate(1000, [1, 1, 1]), [334, 333, 333]);
});

test("two odd cents go to the first two", () => {
  assert.deepEqual(allocate(1001, [1, 1, 1]), [334, 334, 333]);
});

test("zero weight pays nothing", () => {
  assert.deepEqual(allocate(101, [0, 1, 1]), [0, 51, 50]);
});

test("weights that sum to zero are refused", () => {
  assert.throws(() => allocate(100, [0, 0]), RangeError);
});

test("split by name", () => {
  const bill = splitBill(1200, [{ name: "ann", weight: 2 }, { name: "bo", weight: 1 }]);
  assert.equal(bill.get("ann"), 800);
  assert.equal(bill.get("bo"), 400);
});

test("format pads cents", () => {
  assert.equal(format(1205), "12.05");
});
