import { test } from "node:test";
import assert from "node:assert/strict";
import { play, Game } from "./connect.ts";

test("nobody has won at the start", () => {
  assert.equal(new Game().winner, null);
  assert.equal(play("3344").winner, null);
});

test("four upright", () => {
  assert.equal(play("0101010").winner, "R");
});

test("four across from left to right", () => {
  assert.equal(play("0011223").winner, "R");
});

test("four across closed in the middle", () => {
  assert.equal(play("0011332").winner, "R");
});

test("three are not enough", () => {
  assert.equal(play("01010").winner, null);
  assert.equal(play("00112").winner, null);
});

test("a full column takes no more", () => {
  assert.throws(() => play("0000000"), /column 0/);
});

test("no moves after the end", () => {
  assert.throws(() => play("01010101"), /over/);
});
