import { test } from "node:test";
import assert from "node:assert/strict";
import { LruCache, memoize } from "./lru.ts";

test("stores and returns", () => {
  const cache = new LruCache<string, number>(2).set("a", 1);
  assert.equal(cache.get("a"), 1);
  assert.equal(cache.get("b"), undefined);
  assert.deepEqual(cache.stats, { hits: 1, misses: 1, evictions: 0 });
});

test("evicts the oldest", () => {
  const cache = new LruCache<string, number>(2).set("a", 1).set("b", 2).set("c", 3);
  assert.deepEqual(cache.keys(), ["b", "c"]);
  assert.equal(cache.stats.evictions, 1);
});

test("reading refreshes", () => {
  const cache = new LruCache<string, number>(2).set("a", 1).set("b", 2);
  cache.get("a");
  cache.set("c", 3);
  assert.deepEqual(cache.keys(), ["a", "c"]);
});

test("updating a key in a full cache keeps the others", () => {
  const cache = new LruCache<string, number>(2).set("a", 1).set("b", 2).set("b", 20);
  assert.deepEqual(cache.keys(), ["a", "b"]);
  assert.equal(cache.get("b"), 20);
});

test("memoize calls once per argument", () => {
  let calls = 0;
  const square = memoize((n: number) => { calls++; return n * n; }, 4);
  assert.equal(square(3), 9);
  assert.equal(square(3), 9);
  assert.equal(calls, 1);
});

test("capacity must be positive", () => {
  assert.throws(() => new LruCache(0), RangeError);
});
