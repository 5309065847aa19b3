// Lines for good: whole, in one row where that can be, and about the right run.

import { fail, type LoopEvent, pass } from "@loopwright/core";
import { widthOf } from "@loopwright/terminal";
import { describe, expect, it } from "vitest";
import { eventLines } from "./lines.ts";
import { newWatch, type Watch } from "./watch.ts";
import { ceilingWords } from "./words.ts";

const ceilings = { iterations: 20, minutes: 720, tokens: 2_000_000, usd: 5, phaseMinutes: 120 };
const stamp = { seq: 1, at: 0, active: 0 };

function lines(event: object, known: Partial<Watch> = { run: "r" }, columns = 80, isFollowed = false): string[] {
  const told = { run: "r", ...stamp, ...event } as unknown as LoopEvent;
  return eventLines(told, newWatch(known), { columns, style: (_style, text) => text }, {}, isFollowed);
}

const verdict = (score: number, reason: string) => ({
  type: "verdict-recorded",
  iteration: 2,
  verdict: fail(score, reason),
});

describe("The start of a run", () => {
  const started = { type: "run-started", run: "20261115-113056_show", loop: "show", seed: 7, ceilings };

  it("names the loop, the run, its seed and its ceilings", () => {
    expect(lines(started, {})).toEqual([
      "show  20261115-113056_show  seed 7",
      "ceilings: 20 iterations, 720 min, 2,000,000 tokens, $5.00, 120 min a phase",
    ]);
  });

  it("keeps the run's id whole where there is little room", () => {
    expect(lines(started, {}, 30)[0]).toBe("show  20261115-113056_show");
  });

  it("is a note where it is a child run", () => {
    expect(lines({ ...started, run: "r.child" })).toEqual(["  starts show as r.child"]);
  });
});

describe("A verdict's line", () => {
  it("has the score, the change since the last one, the word and the reason", () => {
    const known = { run: "r", scores: [{ iteration: 1, score: 0.75 }] };
    expect(lines(verdict(0.5, "worse"), known)).toEqual(["  iteration 2   0.500 −0.250  fail worse"]);
    expect(lines({ type: "verdict-recorded", iteration: 0, verdict: pass(1, "as is") })).toEqual([
      "  start         1.000         pass as is",
    ]);
  });

  it("has the change between the two scores as they are shown", () => {
    const known = { run: "r", scores: [{ iteration: 1, score: 0.9301 }] };
    expect(lines(verdict(0.9639, "better"), known)).toEqual(["  iteration 2   0.963 +0.033  fail better"]);
  });

  it.each([40, 60, 80, 200])("takes one row of %i columns, whatever the reason", (columns) => {
    for (const reason of ["long ".repeat(100), "船体".repeat(100), "two\nlines\u001B[2J".repeat(50)]) {
      const [line, ...more] = lines(verdict(0.5, reason), { run: "r" }, columns);
      expect(more).toEqual([]);
      expect(widthOf(line!)).toBeLessThan(columns);
      expect(line).toMatch(/^ {2}iteration 2 {3}0\.500 {9}fail \S[^\n]*…$/);
    }
  });

  it("of a child run says what it is called, fits all the same, and is not compared with the run above", () => {
    const known = { run: "r", scores: [{ iteration: 1, score: 0.75 }] };
    const [line] = lines({ ...verdict(0.5, "long ".repeat(100)), run: "r.child" }, known);
    expect(line).toMatch(/^ {2}\[child\] {2}iteration 2 {3}0\.500 {9}fail long/);
    expect(widthOf(line!)).toBeLessThan(80);
  });
});

describe("A note", () => {
  it("says that a run was resumed, but not after an answer that was given in place", () => {
    expect(lines({ type: "run-resumed" })).toEqual(["  resumed"]);
    expect(lines({ type: "run-resumed" }, { run: "r", phase: "judge" })).toEqual([]);
  });

  it("says who answered where it was no person", () => {
    const answered = (by: string) => lines({ type: "gate-answered", answer: { choice: "yes", by } });
    expect(answered("person")).toEqual(["  answered 'yes'"]);
    expect(answered("flag")).toEqual(["  answered 'yes' (by flag)"]);
  });

  it("takes a few rows where it is long, without control characters", () => {
    const error = { code: "X", message: `a\u0007\n${"b ".repeat(900)}` };
    const rows = lines({ type: "effect-failed", key: "k", error });
    expect(rows[0]).toMatch(/^ {2}the effect 'k' failed: X, a b /);
    expect(rows).toHaveLength(8);
    for (const row of rows) expect(row.length).toBeLessThan(80);
  });

  it("is nothing for most events", () => {
    expect(lines({ type: "effect-started" })).toEqual([]);
    expect(lines({ type: "loop-noted", name: "mine", data: 1 })).toEqual([]);
  });
});

it("Ceilings are said in words, only those that are given", () => {
  expect(ceilingWords({ usd: 0.5, iterations: 3 })).toBe("$0.50, 3 iterations");
});

describe("A figure", () => {
  it("that is nothing once it is rounded has no sign, and one thing is named as one", () => {
    const [line] = lines(verdict(0.5002, "a"), { run: "r", scores: [{ iteration: 1, score: 0.5008 }] });
    expect(line).toContain("+0.000");
    expect(line).not.toContain("−");
    expect(ceilingWords({ iterations: 1, tokens: 1 })).toBe("1 iteration, 1 token");
  });
});

describe("Whoever follows a run is told more:", () => {
  const gate = { id: "r#1", name: "launch", question: "Launch\n\u001B[2Jit?", choices: ["yes", "no"], default: "no" };
  const error = { code: "BUG", message: "no boat" };
  const reason = "good ".repeat(30).trim();
  it.each<[string, object, string]>([
    ["a gate", { type: "gate-opened", gate }, "  asked: Launch it? (yes, no)"],
    ["a child's gate", { type: "child-waiting", child: "r.b", gate }, "  the child run r.b waits: Launch it?"],
    [
      "a phase that failed",
      { type: "visit-failed", phase: "build", error },
      "  the phase 'build' failed: BUG, no boat",
    ],
    ["the end with its whole reason", { type: "run-ended", outcome: "done", reason }, `done  ${reason}`],
    ["the end at a ceiling", { type: "run-ended", outcome: "ceiling", reason: "5 of 5" }, "ceiling  5 of 5"],
  ])("%s", (_, event, line) => {
    expect(lines(event, { run: "r" }, 80, true)).toEqual([line]);
    expect(lines(event)).toEqual([]);
  });
});
