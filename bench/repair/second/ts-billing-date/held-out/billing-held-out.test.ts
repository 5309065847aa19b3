import { test } from "node:test";
import assert from "node:assert/strict";
import { addMonths, dueDates, formatDay, parseDay } from "./billing.ts";

const shift = (day: string, n: number) => formatDay(addMonths(parseDay(day), n));

test("leap day plus a year", () => {
  assert.equal(shift("2024-02-29", 12), "2025-02-28");
  assert.equal(shift("2024-02-29", 48), "2028-02-29");
});

test("quarterly from the end of November", () => {
  assert.deepEqual(dueDates("2022-11-30", 3, 3), ["2022-11-30", "2023-02-28", "2023-05-30"]);
});

test("backwards into a shorter month", () => {
  assert.equal(shift("2023-03-31", -1), "2023-02-28");
  assert.equal(shift("2023-07-31", -1), "2023-06-30");
  assert.equal(shift("2024-01-31", -2), "2023-11-30");
});

test("thirtieth in February of both kinds of year", () => {
  assert.equal(shift("2023-01-30", 1), "2023-02-28");
  assert.equal(shift("2024-01-30", 1), "2024-02-29");
});

test("short into long month keeps the day", () => {
  assert.equal(shift("2023-02-28", 1), "2023-03-28");
  assert.equal(shift("2023-12-31", 12), "2024-12-31");
});

test("the argument is left alone", () => {
  const day = parseDay("2023-05-31");
  addMonths(day, 1);
  assert.equal(formatDay(day), "2023-05-31");
});
