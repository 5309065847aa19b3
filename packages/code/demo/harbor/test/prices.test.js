import assert from "node:assert/strict";
import { test } from "node:test";
import { price } from "../src/prices.js";

const cents = (from, to, meters) => price({ from, to }, meters);

test("a stay is paid by the night and by each meter that has begun", () => {
  assert.equal(cents("2026-07-01", "2026-07-03", 9.2), 2 * 10 * 210);
  assert.equal(cents("2026-02-27", "2026-03-01", 10), 2 * 10 * 210);
});

test("a small boat pays the least price", () => {
  assert.equal(cents("2026-07-01", "2026-07-02", 4), 1500);
});

test("a day visit costs half a night", () => {
  assert.equal(cents("2026-07-01", "2026-07-01", 10), 1050);
});
