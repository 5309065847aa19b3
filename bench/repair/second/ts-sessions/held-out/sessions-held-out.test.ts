import { test } from "node:test";
import assert from "node:assert/strict";
import { averageLength, sessionize } from "./sessions.ts";
import type { LogEvent } from "./sessions.ts";

const views = (user: string, ...times: number[]): LogEvent[] =>
  times.map((at) => ({ user, at, page: `/${at}` }));

test("steady, then a pause, then steady", () => {
  const sessions = sessionize(views("u", 0, 9, 18, 27, 40, 49, 58), 10);
  assert.deepEqual(sessions.map((s) => [s.start, s.end]), [[0, 27], [40, 58]]);
  assert.equal(averageLength(sessions), 22.5);
});

test("out of order events, interleaved users", () => {
  const log = [...views("u", 16, 8, 0), ...views("v", 12, 1)];
  const sessions = sessionize(log, 10);
  assert.deepEqual(
    sessions.map((s) => [s.user, s.start, s.end, s.pages]),
    [["u", 0, 16, ["/0", "/8", "/16"]], ["v", 1, 1, ["/1"]], ["v", 12, 12, ["/12"]]],
  );
});

test("a frozen log can be read", () => {
  const log = Object.freeze(views("u", 5, 1)) as LogEvent[];
  assert.deepEqual(sessionize(log, 10)[0].pages, ["/1", "/5"]);
});

test("twice over the same log gives the same", () => {
  const log = views("u", 30, 20, 10, 0);
  const before = structuredClone(log);
  assert.deepEqual(sessionize(log, 10), sessionize(log, 10));
  assert.deepEqual(log, before);
});

test("just over the limit after a run", () => {
  assert.equal(sessionize(views("u", 0, 10, 21), 10).length, 2);
});
