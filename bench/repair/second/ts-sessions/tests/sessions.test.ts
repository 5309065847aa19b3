import { test } from "node:test";
import assert from "node:assert/strict";
import { averageLength, bounceRate, sessionize } from "./sessions.ts";
import type { LogEvent } from "./sessions.ts";

const view = (user: string, at: number, page = "/"): LogEvent => ({ user, at, page });

test("one quiet visit", () => {
  assert.deepEqual(sessionize([view("a", 5, "/home")], 30), [{ user: "a", start: 5, end: 5, pages: ["/home"] }]);
});

test("a long pause starts a new session", () => {
  const sessions = sessionize([view("a", 0), view("a", 31)], 30);
  assert.equal(sessions.length, 2);
});

test("a pause of just the limit does not", () => {
  assert.equal(sessionize([view("a", 0), view("a", 30)], 30).length, 1);
});

test("a steady visitor stays in one session", () => {
  const sessions = sessionize([view("a", 0), view("a", 20), view("a", 40), view("a", 60)], 30);
  assert.equal(sessions.length, 1);
  assert.equal(sessions[0].end, 60);
});

test("users do not mix", () => {
  const sessions = sessionize([view("a", 0), view("b", 10), view("a", 20)], 30);
  assert.deepEqual(sessions.map((s) => [s.user, s.pages.length]), [["a", 2], ["b", 1]]);
  assert.equal(bounceRate(sessions), 0.5);
});

test("the log is left as it was", () => {
  const log = [view("a", 9), view("a", 3)];
  const sessions = sessionize(log, 30);
  assert.equal(sessions[0].start, 3);
  assert.deepEqual(log.map((e) => e.at), [9, 3]);
});

test("no sessions", () => {
  assert.equal(averageLength(sessionize([], 30)), 0);
});
