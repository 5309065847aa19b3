import { test } from "node:test";
import assert from "node:assert/strict";
import { calculate } from "./calc.ts";

test("plus after minus", () => {
  assert.equal(calculate("10 - 4 + 3"), 9);
  assert.equal(calculate("1 - 2 - 3 + 4 - 5"), -5);
});

test("times after divided by", () => {
  assert.equal(calculate("8 / 4 * 2"), 4);
  assert.equal(calculate("7 * 6 / 3 / 2"), 7);
});

test("mixed levels", () => {
  assert.equal(calculate("20 - 12 / 3 / 2 - 1"), 17);
  assert.equal(calculate("2 * 3 - 4 * 5 - 6"), -20);
});

test("parentheses group to the right", () => {
  assert.equal(calculate("10 - (4 - 3)"), 9);
  assert.equal(calculate("8 / (4 * 2)"), 1);
});

test("powers still group from the right", () => {
  assert.equal(calculate("2 ^ 2 ^ 3 - 1 - 1"), 254);
  assert.equal(calculate("2 ^ -1"), 0.5);
});

test("negation of a product's factors", () => {
  assert.equal(calculate("6 / -2 * -3"), 9);
  assert.equal(calculate("5 - -5 - 5"), 5);
});

test("dangling operators", () => {
  assert.throws(() => calculate("1 - 2 -"), SyntaxError);
  assert.throws(() => calculate("1 - * 2"), SyntaxError);
});
