import { test } from "node:test";
import assert from "node:assert/strict";
import { play } from "./connect.ts";

test("four across from right to left", () => {
  assert.equal(play("6655443").winner, "R");
});

test("closed second from the left and second from the right", () => {
  assert.equal(play("0022331").winner, "R");
  assert.equal(play("15541342").winner, "Y");
});

test("rising diagonals, wherever they are closed", () => {
  for (const moves of ["3245342034451", "3433263102261", "42431421433", "66544556346"]) {
    assert.equal(play(moves).winner, "R", moves);
    assert.equal(play(moves.slice(0, -1)).winner, null, moves);
  }
});

test("falling diagonals, wherever they are closed", () => {
  for (const moves of ["34233652422", "02310000211", "23522320344", "21212331124"]) {
    assert.equal(play(moves).winner, "R", moves);
    assert.equal(play(moves.slice(0, -1)).winner, null, moves);
  }
});

test("yellow wins as well", () => {
  for (const moves of ["16261616", "554544333502", "3423111122", "011023005162"]) {
    assert.equal(play(moves).winner, "Y", moves);
  }
});

test("three and a gap do not win", () => {
  assert.equal(play("001144").winner, null);
  assert.equal(play("0011255").winner, null);
});

test("more than four in a row", () => {
  assert.equal(play("55110044332").winner, "R");
});
