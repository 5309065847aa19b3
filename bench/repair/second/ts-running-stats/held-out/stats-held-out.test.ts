import { test } from "node:test";
import assert from "node:assert/strict";
import { empty, merge, stdev, summarize, variance } from "./stats.ts";

const near = (a: number, b: number) => assert.ok(Math.abs(a - b) < 1e-9, `${a} is not ${b}`);

test("variance of a pair", () => {
  near(variance(summarize([10, 14])), 8);
});

test("stdev", () => {
  near(stdev(summarize([1, 1, 5, 5, 3])), 2);
});

test("merge in any split gives the same spread", () => {
  const xs = [3, -1, 4, 1, -5, 9, 2, 6];
  const whole = summarize(xs);
  for (let i = 0; i <= xs.length; i++) {
    const joined = merge(summarize(xs.slice(0, i)), summarize(xs.slice(i)));
    near(joined.m2, whole.m2);
    near(joined.mean, whole.mean);
    near(variance(joined), variance(whole));
  }
});

test("merge is symmetric", () => {
  const a = summarize([1, 2, 3, 4]);
  const b = summarize([10]);
  near(merge(a, b).m2, merge(b, a).m2);
});

test("empty on the left", () => {
  const s = summarize([2, 7]);
  near(merge(empty, s).m2, s.m2);
  near(merge(empty, s).mean, 4.5);
});
