// What a run says at its end, of the state that it leaves.

import { describe, expect, it } from "vitest";
import type { CodeState, Report } from "../task.ts";
import { CodeTask, initialState } from "../task.ts";
import { noteChange, noteResults } from "./ending.ts";

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
