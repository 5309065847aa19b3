import assert from "node:assert/strict";
import { test } from "node:test";
import { book, freeBerths } from "../src/berths.js";
import { makeStay } from "../src/stays.js";

const berths = ["A1", "A2", "B1"];
const stays = [makeStay("Alma", "A1", "2026-07-01", "2026-07-05"), makeStay("Bris", "A2", "2026-07-04", "2026-07-04")];

test("berths are free where nobody stays", () => {
  assert.deepEqual(freeBerths(berths, [], "2026-07-01", "2026-07-02"), berths);
  assert.deepEqual(freeBerths(berths, stays, "2026-08-01", "2026-08-03"), berths);
});

test("a berth is taken while a boat stays over night", () => {
  assert.deepEqual(freeBerths(berths, stays, "2026-07-02", "2026-07-03"), ["A2", "B1"]);
});

test("a day visit finds no room where a boat stays over that day, or visits on it", () => {
  assert.deepEqual(freeBerths(berths, stays, "2026-07-03", "2026-07-03"), ["A2", "B1"]);
  assert.deepEqual(freeBerths(berths, stays, "2026-07-04", "2026-07-04"), ["B1"]);
});

test("a berth that is taken cannot be booked", () => {
  const stay = makeStay("Cora", "A1", "2026-07-03", "2026-07-08");
  assert.throws(() => book(stays, stay), /berth A1 is taken by Alma from 2026-07-01 to 2026-07-05/);
});

test("a booking leaves the list as it was, and is in the new one", () => {
  const stay = makeStay("Cora", "B1", "2026-07-03", "2026-07-08");
  assert.deepEqual(book(stays, stay), [...stays, stay]);
  assert.equal(stays.length, 2);
});
