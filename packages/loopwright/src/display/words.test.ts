import type { DurableEvent, GateRecord } from "@loopwright/core";
import { describe, expect, it } from "vitest";
import { eventToMoment } from "./words.ts";

const error = { name: "Error", code: "RANGE", message: "out of range" };
const gate: GateRecord = {
  id: "g#1",
  name: "g",
  question: "Go on?",
  choices: ["yes", "no"],
  default: "no",
  accepting: [],
  about: "",
  openedAt: 0,
};
const by = { host: "h", pid: 1, boot: "b", started: "s" } as never;
const answered = (more: object) =>
  ({
    type: "gate-answered",
    key: "g",
    id: "g#1",
    answer: { choice: "yes", by: "person", at: 0, ...more },
  }) as DurableEvent;

describe("a moment", () => {
  it.each<[string, DurableEvent]>([
    ["resume: resumed", { type: "run-resumed", by }],
    [
      "resume: carried over to version 2 of the loop",
      { type: "run-migrated", version: 2, phases: [], iterationPhase: "x", state: {} },
    ],
    ["fork: forked from r0 at iteration 3", { type: "run-forked", from: "r0", iteration: 3, seed: 1, folder: "r1" }],
    [
      "failure: the phase 'build' failed: RANGE, out of range",
      { type: "visit-failed", visit: 1, phase: "build", error },
    ],
    ["failure: the effect 'call' failed: RANGE, out of range", { type: "effect-failed", visit: 1, key: "call", error }],
    [
      "failure: the effect 'read' failed: ENOENT: no such file",
      {
        type: "effect-failed",
        visit: 1,
        key: "read",
        error: { ...error, code: "ENOENT", message: "ENOENT: no such file" },
      },
    ],
    [
      "failure: the effect 'read' failed: THROWN, AbortError: gone",
      {
        type: "effect-failed",
        visit: 1,
        key: "read",
        error: { name: "AbortError", code: "THROWN", message: "AbortError: gone" },
      },
    ],
    [
      "workcell: the workcell 'loft' was restarted: it does not answer",
      { type: "workcell-restarted", kind: "loft", reason: "it does not answer" },
    ],
    ["gate: asked: Go on? (yes, no)", { type: "gate-opened", key: "g", gate }],
    ["gate: answered 'yes'", answered({})],
    ["gate: answered 'yes': looks good", answered({ note: "looks good" })],
    ["gate: answered 'yes' (by flag)", answered({ by: "flag" })],
    ["gate: answered 'yes' (by default)", answered({ by: "default" })],
    ["gate: answered 'yes' (by expiry)", answered({ by: "expiry" })],
    [
      "gate: the answer 'yes' did not count: it has changed",
      { type: "answer-refused", id: "g#1", choice: "yes", reason: "it has changed" },
    ],
    ["child: the child run r1.2-try waits: Go on?", { type: "child-waiting", key: "try", child: "r1.2-try", gate }],
    [
      "ceiling: ceilings changed: 30 iterations, 3,000,000 tokens",
      { type: "ceilings-changed", ceilings: { iterations: 30, tokens: 3_000_000 } },
    ],
    [
      "ceiling: all 4 iterations are used; raise the ceiling 'iterations' to go on",
      { type: "ceiling-reached", ceiling: "iterations", limit: 4, used: 5 },
    ],
    ['note: seen: {"a":1}', { type: "loop-noted", name: "seen", data: { a: 1 } }],
    ["note: seen: in words", { type: "loop-noted", name: "seen", data: "in words" }],
    ["note: seen: (a large value, kept in the journal)", { type: "loop-noted", name: "seen", data: { $blob: "ab" } }],
    [
      "note: fast retry, 1 re-try after 1 failure: E1 out of range",
      { type: "loop-noted", name: "fast-retry", data: { retry_count: 1, errors: ["E1 out of range"] } },
    ],
    [
      "note: fast retry, 3 re-tries after 4 failures: a; b; c; d",
      { type: "loop-noted", name: "fast-retry", data: { retry_count: 3, errors: ["a", "b", "c", "d"] } },
    ],
    ["note: fast-retry: null", { type: "loop-noted", name: "fast-retry", data: null }],
    [
      "stop: stopped as stagnant: flat",
      { type: "run-ended", outcome: "stagnant", reason: "flat", iterations: 3, score: 0.5 },
    ],
  ])("reads %j", (text, event) => {
    const moment = eventToMoment(event);
    expect(`${moment?.kind}: ${moment?.text}`).toBe(text);
  });

  it.each<DurableEvent>([
    { type: "effect-started", visit: 1, key: "call", tries: 1, input: null, digest: "" },
    { type: "effect-finished", visit: 1, key: "call", result: null },
    { type: "phase-finished", visit: 1, phase: "build", patch: {}, mayBeDone: false },
    { type: "artifact-saved", artifact: { path: "a", digest: "", size: 0 } },
  ])("is not made of the ordinary course: $type", (event) => {
    expect(eventToMoment(event)).toBeUndefined();
  });
});
