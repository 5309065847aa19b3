import { test } from "node:test";
import assert from "node:assert/strict";
import { empty, merge, stdev, summarize, variance } from "./stats.ts";

const near = (a: number, b: number) => assert.ok(Math.abs(a - b) < 1e-9, `${a} is not ${b}`);

test("mean, min and max", () => {
  const s = summarize([4, 8, 6]);
  near(s.mean, 6);
  assert.equal(s.min, 4);
  assert.equal(s.max, 8);
});

test("sample variance", () => {
  near(variance(summarize([2, 4, 6])), 4);
  near(variance(summarize([1, 2, 3, 4])), 5 / 3);
});

test("too few numbers have no variance", () => {
  assert.ok(Number.isNaN(variance(summarize([5]))));
  assert.ok(Number.isNaN(variance(empty)));
});

test("stdev of equal numbers is zero", () => {
  assert.equal(stdev(summarize([3, 3, 3])), 0);
});

test("merged mean", () => {
  near(merge(summarize([1, 3]), summarize([8])).mean, 4);
});

test("merged squares", () => {
  near(merge(summarize([1, 2]), summarize([5, 6, 7])).m2, summarize([1, 2, 5, 6, 7]).m2);
});

test("merging with nothing changes nothing", () => {
  const s = summarize([1, 2, 9]);
  assert.deepEqual(merge(s, empty), s);
  assert.equal(merge(empty, empty).count, 0);
});
