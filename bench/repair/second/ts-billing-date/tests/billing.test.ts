import { test } from "node:test";
import assert from "node:assert/strict";
import { addMonths, daysUntilDue, dueDates, formatDay, parseDay } from "./billing.ts";

test("ordinary months", () => {
  assert.deepEqual(dueDates("2023-03-15", 3), ["2023-03-15", "2023-04-15", "2023-05-15"]);
});

test("end of January in a common year", () => {
  assert.equal(formatDay(addMonths(parseDay("2023-01-31"), 1)), "2023-02-28");
});

test("month ends keep the anchor day when they can", () => {
  assert.deepEqual(dueDates("2024-01-31", 4), ["2024-01-31", "2024-02-29", "2024-03-31", "2024-04-30"]);
});

test("wraps over the year", () => {
  assert.equal(formatDay(addMonths(parseDay("2022-11-05"), 3)), "2023-02-05");
});

test("backwards", () => {
  assert.equal(formatDay(addMonths(parseDay("2023-01-10"), -1)), "2022-12-10");
});

test("days until due", () => {
  assert.equal(daysUntilDue("2024-02-27", "2024-03-01"), 3);
});

test("bad text", () => {
  assert.throws(() => parseDay("2024-1-1"));
});
