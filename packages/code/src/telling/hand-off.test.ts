import { expect, it } from "vitest";
import { type CodeState, CodeTask, initialState, type Report } from "../task.ts";
import { writeHandOff } from "./hand-off.ts";

const report: Report = {
  runner: "pytest",
  tests: [
    { name: "test_a", state: "passed" },
    { name: "test_b", state: "failed", failure: "```\nassert 1 == 2" },
  ],
  failureLines: "",
};

const state: CodeState = {
  ...initialState(CodeTask.parse({ task: "# Sums\n\n## Task\n\nAdd numbers.\n\nWith care.\n" })),
  plan_generation: 2,
  snapshot: "now",
  test_report: report,
  last_diagnosis: "off by one",
  approaches: [{ iteration: 1, approach: "a table", result: "1 of 2 tests pass" }],
  amendments: [
    { iteration: 5, plan_generation: 1, diagnosis: "", addition: "Carry.", confidence: "high", made_section: true },
  ],
  best: { iteration: 3, score: 0.5, passed: 1, snapshot: "then", report },
};

const ending = { outcome: "escalated", reason: "the consultant has little confidence" } as const;

it("a hand-off note says why, where it stands, what was tried, what was added to the task, and what to do", () => {
  const note = writeHandOff(state, ending, { iterations: 6 });
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
  const green: Report = { ...report, tests: [{ name: "test_a", state: "passed" }] };
  const done = { ...initialState(CodeTask.parse({ task: "Add." })), test_report: green, plan_generation: 1 };
  const note = writeHandOff(done, { outcome: "done", reason: "all pass" }, { iterations: 1 });
  expect(note).toContain("It went through 1 iteration and 1 plan.");
  expect(note).toContain("the tests pass, and that is all they say");
  expect(note).not.toMatch(/Best state|Approaches|Amendments|Last diagnosis/);
});

it("a note before anything was tried says so", () => {
  const fresh = initialState(CodeTask.parse({ task: "Add." }));
  const note = writeHandOff(fresh, { outcome: "interrupted", reason: "Ctrl-C" }, { iterations: 0 });
  expect(note).toContain("None has been run.");
  expect(note).toContain("`loopwright resume <run>` goes on from here.");
});

it("the best state is in the workspace where it is the one that stands", () => {
  const best = { ...state.best!, snapshot: "now" };
  expect(writeHandOff({ ...state, best }, ending, { iterations: 3 })).toContain(
    "`loopwright apply <run>` brings it into your files.",
  );
});

it("a note says where a result is that is not in the user's files", () => {
  const note = writeHandOff(state, { outcome: "done", reason: "all pass" }, { iterations: 1 }, "on the branch `fix`");
  expect(note).toContain("It is on the branch `fix`.");
});
