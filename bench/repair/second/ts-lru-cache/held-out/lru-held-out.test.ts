import { test } from "node:test";
import assert from "node:assert/strict";
import { LruCache, memoize } from "./lru.ts";

test("updating the oldest key counts no eviction and refreshes it", () => {
  const cache = new LruCache<string, number>(3).set("a", 1).set("b", 2).set("c", 3);
  cache.set("a", 10);
  assert.equal(cache.stats.evictions, 0);
  assert.deepEqual(cache.keys(), ["b", "c", "a"]);
});

test("updating in a cache of one", () => {
  const cache = new LruCache<string, number>(1).set("a", 1).set("a", 2).set("a", 3);
  assert.equal(cache.get("a"), 3);
  assert.equal(cache.stats.evictions, 0);
});

test("never holds more than its capacity", () => {
  const cache = new LruCache<number, number>(3);
  for (let i = 0; i < 20; i++) {
    cache.set(i % 7, i);
    assert.ok(cache.size <= 3);
  }
  assert.equal(cache.size, 3);
});

test("a key holding undefined is still a key", () => {
  const cache = new LruCache<string, undefined | number>(2).set("a", undefined).set("b", 1);
  cache.set("a", 5);
  assert.deepEqual(cache.keys(), ["b", "a"]);
});

test("a falsy key", () => {
  const cache = new LruCache<number, string>(2).set(0, "z").set(1, "o").set(0, "zero");
  assert.deepEqual(cache.keys(), [1, 0]);
});

test("memoize recomputes what was evicted", () => {
  let calls = 0;
  const id = memoize((n: number) => { calls++; return n; }, 2);
  [1, 2, 3, 1].forEach(id);
  assert.equal(calls, 4);
});
