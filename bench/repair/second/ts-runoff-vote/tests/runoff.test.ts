import { test } from "node:test";
import assert from "node:assert/strict";
import { runoff } from "./runoff.ts";
import type { Ballot } from "./runoff.ts";

const many = (times: number, ...ballot: string[]): Ballot[] => Array.from({ length: times }, () => ballot);

test("outright majority", () => {
  const { winner, rounds } = runoff([...many(3, "ann", "bob"), ...many(2, "bob", "ann")]);
  assert.equal(winner, "ann");
  assert.deepEqual(rounds, [{ tally: { ann: 3, bob: 2 }, eliminated: null }]);
});

test("votes of the last go to their next choice", () => {
  const { winner, rounds } = runoff([
    ...many(4, "ann", "cat", "bob"),
    ...many(3, "bob", "cat", "ann"),
    ...many(2, "cat", "bob", "ann"),
  ]);
  assert.equal(rounds[0].eliminated, "cat");
  assert.deepEqual(rounds[1].tally, { ann: 4, bob: 5 });
  assert.equal(winner, "bob");
});

test("ballots with one name only", () => {
  const { winner } = runoff([...many(2, "ann"), ...many(3, "bob")]);
  assert.equal(winner, "bob");
});

test("nobody voted", () => {
  assert.deepEqual(runoff([]), { winner: null, rounds: [] });
});

test("a tie for last drops the later name", () => {
  const { rounds } = runoff([["ann"], ["bob"], ["cat"], ["ann"]]);
  assert.equal(rounds[0].eliminated, "cat");
});
