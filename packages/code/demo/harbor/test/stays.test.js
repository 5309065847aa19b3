import assert from "node:assert/strict";
import { test } from "node:test";
import { dayNumber } from "../src/days.js";
import { makeStay } from "../src/stays.js";

test("a stay cannot end before it begins", () => {
  assert.throws(() => makeStay("Alma", "A1", "2026-07-05", "2026-07-01"), RangeError);
});

test("what is no day is refused", () => {
  for (const text of ["", "2026-7-3", "3.7.2026"]) assert.throws(() => dayNumber(text), TypeError);
  for (const text of ["2026-02-30", "2026-13-01"]) assert.throws(() => dayNumber(text), RangeError);
});
