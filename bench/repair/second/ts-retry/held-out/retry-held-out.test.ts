import { test } from "node:test";
import assert from "node:assert/strict";
import { retry } from "./retry.ts";

test("waits between rejected attempts", async () => {
  const waits: number[] = [];
  const value = await retry(
    (n) => (n < 4 ? Promise.reject(new Error("busy")) : Promise.resolve("ok")),
    { attempts: 5, baseDelay: 10, maxDelay: 30, sleep: async (ms) => { waits.push(ms); } },
  );
  assert.equal(value, "ok");
  assert.deepEqual(waits, [10, 20, 30]);
});

test("counts the attempts of a task that always rejects", async () => {
  let calls = 0;
  await assert.rejects(retry(() => { calls++; return Promise.reject(new Error("x")); }, { attempts: 4, sleep: async () => {} }));
  assert.equal(calls, 4);
});

test("a rejection that stops being retryable", async () => {
  const seen: string[] = [];
  await assert.rejects(
    retry(async (n) => { throw new Error(n < 3 ? "soft" : "hard"); }, {
      attempts: 10,
      sleep: async () => {},
      retryOn: (e) => { seen.push((e as Error).message); return (e as Error).message === "soft"; },
    }),
    /hard/,
  );
  assert.deepEqual(seen, ["soft", "soft", "hard"]);
});

test("a single attempt does not wait", async () => {
  let slept = false;
  await assert.rejects(retry(async () => { throw new Error("x"); }, { attempts: 1, sleep: async () => { slept = true; } }));
  assert.equal(slept, false);
});

test("a late rejection is retried too", async () => {
  const value = await retry(async (n) => {
    await new Promise((resolve) => setImmediate(resolve));
    if (n === 1) throw new Error("late");
    return n * 10;
  }, { attempts: 2, sleep: async () => {} });
  assert.equal(value, 20);
});
