// The lines of a run that is followed: those of the display, and what whoever drives it sees by other means.

import type { RecordedEvent } from "@loopwright/core";
import { expect, it } from "vitest";
import { newWatch } from "../display/watch.ts";
import { followLines } from "./show-follow.ts";

const gate = { id: "r#1", name: "launch", question: "Launch\n\u001B[2Jit?", choices: ["yes", "no"], default: "no" };

function lines(event: Record<string, unknown>, columns = 60): string[] {
  const recorded = { run: "r", seq: 2, at: 0, active: 0, ...event } as unknown as RecordedEvent;
  const terminal = { columns, style: (_style: unknown, text: string) => text };
  return followLines(recorded, newWatch({ run: "r" }), terminal);
}

it("A gate is told with its question and its choices, a child's too", () => {
  expect(lines({ type: "gate-opened", gate })).toEqual(["  asked: Launch it? (yes, no)"]);
  const waiting = { type: "child-waiting", child: "r.boat", gate };
  expect(lines(waiting)).toEqual(["  the child run r.boat waits: Launch it?"]);
  expect(lines(waiting, 30)).toEqual(["  the child run r.boat waits…"]);
});

it("A phase that failed is told with its error", () => {
  const error = { code: "BUG", message: "no boat" };
  expect(lines({ type: "visit-failed", phase: "build", error })).toEqual(["  the phase 'build' failed: BUG, no boat"]);
});

it("The end is told with its outcome and its whole reason", () => {
  const reason = "good ".repeat(30);
  expect(lines({ type: "run-ended", outcome: "done", reason })).toEqual([`done  ${reason.trim()}`]);
  expect(lines({ type: "run-ended", outcome: "ceiling", reason: "5 of 5" })).toEqual(["ceiling  5 of 5"]);
});

it("Everything else is told as the display tells it, which is not at all for most", () => {
  expect(lines({ type: "run-resumed" })).toEqual(["  resumed"]);
  expect(lines({ type: "effect-started", key: "saw" })).toEqual([]);
});
