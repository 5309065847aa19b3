import { test } from "node:test";
import assert from "node:assert/strict";
import { runoff } from "./runoff.ts";
import type { Ballot } from "./runoff.ts";

const many = (times: number, ...ballot: string[]): Ballot[] => Array.from({ length: times }, () => ballot);

test("a next choice who is already out is skipped", () => {
  const { winner, rounds } = runoff([
    ...many(7, "a", "b"),
    ...many(5, "b", "a"),
    ...many(3, "c", "d", "b"),
    ...many(2, "d", "c", "a"),
  ]);
  assert.deepEqual(rounds.map((r) => r.eliminated), ["d", "c", null]);
  assert.deepEqual(rounds[2].tally, { a: 9, b: 8 });
  assert.equal(winner, "a");
});

test("exhausted ballots leave the count", () => {
  const { winner, rounds } = runoff([...many(4, "a"), ...many(3, "b"), ...many(2, "c")]);
  assert.deepEqual(rounds.map((r) => r.tally), [{ a: 4, b: 3, c: 2 }, { a: 4, b: 3 }]);
  assert.equal(winner, "a");
});

test("supporters of a survivor stay with them", () => {
  const { rounds, winner } = runoff([
    ...many(5, "x", "y", "z"),
    ...many(4, "y", "z", "x"),
    ...many(3, "z", "y", "x"),
  ]);
  assert.deepEqual(rounds[1].tally, { x: 5, y: 7 });
  assert.equal(winner, "y");
});

test("three rounds", () => {
  const { rounds, winner } = runoff([
    ...many(7, "p"),
    ...many(6, "q", "r"),
    ...many(4, "r", "s", "q"),
    ...many(3, "s", "r", "p"),
  ]);
  assert.deepEqual(rounds.map((r) => r.eliminated), ["s", "q", null]);
  assert.deepEqual(rounds[2].tally, { p: 7, r: 13 });
  assert.equal(winner, "r");
});

test("first choices decide when they can", () => {
  const { rounds } = runoff([...many(3, "k", "l"), ...many(1, "l", "k")]);
  assert.equal(rounds.length, 1);
});
