import { test } from "node:test";
import assert from "node:assert/strict";
import { backoff, retry } from "./retry.ts";

const sleep = async () => {};

test("first try", async () => {
  assert.equal(await retry(async () => "done", { attempts: 3, sleep }), "done");
});

test("plain throw is retried", async () => {
  const value = await retry((n) => {
    if (n < 2) throw new Error("no");
    return n;
  }, { attempts: 3, sleep });
  assert.equal(value, 2);
});

test("rejection is retried", async () => {
  const value = await retry(async (n) => {
    if (n < 3) throw new Error("no");
    return n;
  }, { attempts: 3, sleep });
  assert.equal(value, 3);
});

test("gives up with the last error", async () => {
  await assert.rejects(
    retry(async (n) => { throw new Error(`try ${n}`); }, { attempts: 2, sleep }),
    /try 2/,
  );
});

test("errors that are not to be retried", async () => {
  let calls = 0;
  await assert.rejects(
    retry(async () => { calls++; throw new TypeError("bad"); }, {
      attempts: 5,
      sleep,
      retryOn: (e) => !(e instanceof TypeError),
    }),
    TypeError,
  );
  assert.equal(calls, 1);
});

test("backoff doubles up to a limit", () => {
  assert.deepEqual([1, 2, 3, 4].map((n) => backoff(n, 100, 500)), [100, 200, 400, 500]);
});
