// What a run says at its end, of the state that it leaves.

import { describe, expect, it } from "vitest";
import type { CodeState, Report } from "../task.ts";
import { CodeTask, initialState } from "../task.ts";
import { noteChange, noteResults, writeHandOff } from "./ending.ts";

function report(states: Readonly<Record<string, "passed" | "failed">>): Report {
  const tests = Object.entries(states).map(([name, state]) => ({ name, state }));
  return { runner: "pytest", tests, failureLines: "" };
}

function stateOf(patch: Partial<CodeState>): CodeState {
  return { ...initialState(CodeTask.parse({ task: "x" })), ...patch };
}

const best = { iteration: 1, score: 0.5, passed: 1, snapshot: "s1" };

describe("the results", () => {
  const baseline = {
    ...{ passing: ["t.py::a", "t.py::b"], failing: [], flaky: [], blocked: [], failures: "", ms: 1 },
    ...{ tests: [], loaded: {}, runner: "pytest" },
  } as unknown as NonNullable<CodeState["baseline"]>;

  it("are those of the targets, of what passed before and of held-out tests, each for itself", () => {
    const test_report = report({
      "t.py::a": "passed",
      "t.py::b": "failed",
      "new.py::c[1]": "passed",
      "new.py::c[2]": "passed",
    });
    const state = stateOf({ baseline, targets: ["new.py"], test_report, hidden_results: ["passed", "failed"] });
    expect(noteResults(state, true)).toEqual({
      targets: { passed: 1, of: 1 },
      suite: { passed: 1, of: 2 },
      held_out: { passed: 1, of: 2 },
    });
  });

  it("are the best state's where the run is not done, and leave out held-out ones of another state", () => {
    const state = stateOf({
      ...{ test_report: report({ a: "failed", b: "failed" }), known_tests: ["a", "b"], snapshot: "s2" },
      ...{ best: { ...best, report: report({ a: "passed", b: "failed" }) }, hidden_results: ["failed"] },
    });
    expect(noteResults(state, false)).toEqual({ tests: { passed: 1, of: 2 } });
  });

  it("are why there are none, and nothing where no test was run", () => {
    const fault = "Traceback (most recent call last):\n  File x\nImportError: no calc";
    const test_report = { ...report({}), fault };
    expect(noteResults(stateOf({ test_report }), true)).toEqual({ fault: "ImportError: no calc" });
    expect(noteResults(stateOf({}), false)).toBeUndefined();
  });
});

it("A change is told whole up to 50 lines that are read, and by its files beyond", () => {
  const files = Array.from({ length: 40 }, (_, n) => ({ path: `f${n}`, added: 1, removed: 0 }));
  const text = (lines: number) => `diff --git a/x b/x\nindex 1..2\n${"+x\n".repeat(lines)}`;
  expect(noteChange({ files: files.slice(0, 1), text: text(50) }, "p")).toMatchObject({ count: 1, diff: text(50) });
  const long = noteChange({ files, text: text(51), branch: "fix" }, "p");
  expect(long).toMatchObject({ count: 40, patch: "p", branch: "fix" });
  expect(long).not.toHaveProperty("diff");
  expect(long.files).toHaveLength(30);
});

const seen: Report = {
  runner: "pytest",
  tests: [
    { name: "test_a", state: "passed" },
    { name: "test_b", state: "failed", failure: "```\nassert 1 == 2" },
  ],
  failureLines: "",
};

const handed: CodeState = {
  ...initialState(CodeTask.parse({ task: "# Sums\n\n## Task\n\nAdd numbers.\n\nWith care.\n" })),
  plan_generation: 2,
  snapshot: "now",
  test_report: seen,
  last_diagnosis: "off by one",
  approaches: [{ iteration: 1, approach: "a table", result: "1 of 2 tests pass" }],
  amendments: [
    { iteration: 5, plan_generation: 1, diagnosis: "", addition: "Carry.", confidence: "high", made_section: true },
  ],
  best: { iteration: 3, score: 0.5, passed: 1, snapshot: "then", report: seen },
};

const ending = { outcome: "escalated", reason: "the consultant has little confidence" } as const;

it("a hand-off note says why, where it stands, what was tried, what was added to the task, and what to do", () => {
  const note = writeHandOff(handed, ending, { iterations: 6 });
  for (const words of [
    "# escalated\n\nthe consultant has little confidence",
    "It went through 6 iterations and 2 plans.",
    "- test_b",
    "````text\ntest_b\n```\nassert 1 == 2\n````",
    "Iteration 3, with 1 passing test (score 0.50).",
    "`loopwright apply <run>` brings it into your files.",
    "off by one",
    "- iteration 1: a table → 1 of 2 tests pass",
    "- [Auto-DK iteration 5] Carry.",
    "`loopwright answer <run> resume`",
    "`loopwright amendments <run>`",
  ])
    expect(note).toContain(words);
  expect(note).not.toContain("With care.");
});

it("a note after success is short, and says that passing tests are all that is known", () => {
  const green: Report = { ...seen, tests: [{ name: "test_a", state: "passed" }] };
  const done = { ...initialState(CodeTask.parse({ task: "Add." })), test_report: green, plan_generation: 1 };
  const note = writeHandOff(done, { outcome: "done", reason: "all pass" }, { iterations: 1 });
  expect(note).toContain("It went through 1 iteration and 1 plan.");
  expect(note).toContain("the tests pass, and that is all they say");
  expect(note).not.toMatch(/Best state|Approaches|Amendments|Last diagnosis/);
});

it("a note of tests that could not be run names none of them as failing", () => {
  const test_report = { ...report({}), fault: "ImportError: no calc" };
  const note = writeHandOff(stateOf({ test_report, known_tests: ["t.py::a"] }), ending, { iterations: 1 });
  expect(note).toContain("ImportError: no calc");
  expect(note).not.toContain("t.py::a");
});

it("a note before anything was tried says so", () => {
  const fresh = initialState(CodeTask.parse({ task: "Add." }));
  const note = writeHandOff(fresh, { outcome: "interrupted", reason: "Ctrl-C" }, { iterations: 0 });
  expect(note).toContain("None has been run.");
  expect(note).toContain("`loopwright resume <run>` goes on from here.");
});

it("the best state is in the workspace where it is the one that stands", () => {
  const best = { ...handed.best!, snapshot: "now" };
  expect(writeHandOff({ ...handed, best }, ending, { iterations: 3 })).toContain(
    "`loopwright apply <run>` brings it into your files.",
  );
});

it("a note says where a result is that is not in the user's files", () => {
  const note = writeHandOff(handed, { outcome: "done", reason: "all pass" }, { iterations: 1 }, "on the branch `fix`");
  expect(note).toContain("It is on the branch `fix`.");
});
