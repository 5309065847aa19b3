import { describe, expect, it } from "vitest";
import { CodeTask, initialState, type Report } from "../task.ts";
import { assertionClues, describeStatus, failingNames, failuresOf } from "./questions.ts";

const report = (more: Partial<Report> = {}): Report => ({ runner: "pytest", tests: [], failureLines: "", ...more });
const failed = (name: string, failure?: string) => ({ name, state: "failed" as const, ...(failure && { failure }) });
const passed = (name: string) => ({ name, state: "passed" as const });

describe("failure lines", () => {
  it("are the failing tests' own words, and nothing else", () => {
    expect(failuresOf(report({ failureLines: "\nE  assert 1 == 2\n" }))).toBe("E  assert 1 == 2");
    expect(failuresOf(report({ tests: [passed("a"), failed("b", "boom"), failed("c")] }))).toBe("b\nboom\n\nc");
    expect(failuresOf(report({ tests: [passed("a")] }))).toBe("");
  });

  it("are the fault where the tests could not be run", () => {
    expect(failuresOf(report({ fault: "ImportError: x\n", failureLines: "y" }))).toBe("ImportError: x");
  });

  it("name the failing tests alone", () => {
    expect(failingNames(report({ tests: [passed("a"), failed("b"), { name: "c", state: "skipped" }] }))).toBe("b");
  });
});

describe("assertion clues", () => {
  it("are the lines that compare values, each with its test and once", () => {
    const pytest =
      "def test_b():\n>       assert f(2) == 3\nE       assert 4 == 3\nE        +  where 4 = f(2)\ntest_b.py:3: AssertionError";
    const node = "at Test.run (node:internal)\nExpected values to be strictly equal:\n+ 6\n- 7\nmore prose";
    const clues = assertionClues(report({ tests: [failed("b", `${pytest}\n${pytest}`), failed("n", node)] })).split(
      "\n",
    );
    expect(clues).toEqual([
      "b: >       assert f(2) == 3",
      "b: E       assert 4 == 3",
      "b: E        +  where 4 = f(2)",
      "b: test_b.py:3: AssertionError",
      "n: Expected values to be strictly equal:",
      "n: + 6",
      "n: - 7",
    ]);
  });

  it("come from the output where no test has words of its own, and are bounded", () => {
    expect(assertionClues(report({ tests: [failed("a")], failureLines: "E   assert 1 == 2\nprose" }))).toBe(
      "E   assert 1 == 2",
    );
    const many = Array.from({ length: 99 }, (_, n) => `E   assert ${n} == 2`).join("\n");
    expect(assertionClues(report({ tests: [failed("a", many)] })).split("\n")).toHaveLength(40);
    expect(assertionClues(report())).toBe("");
  });
});

describe("where a run stands", () => {
  const task = CodeTask.parse({ task: "x", min_iterations: 3 });
  const standing = (test_report?: Report, known_tests: string[] = []) =>
    describeStatus({ ...initialState(task), known_tests, ...(test_report && { test_report }) }, task);

  it.each<[string, string]>([
    [standing(), ""],
    [standing(report({ fault: "x" })), "The tests could not be run."],
    [standing(report()), "No test was run: none was collected, or all were skipped."],
    [standing(report({ tests: [passed("a"), failed("b")] })), "1 of 2 tests pass."],
    [
      standing(report({ tests: [passed("a")] }), ["a", "b"]),
      "1 of 2 tests pass. Gone or skipped, which counts as failing: b.",
    ],
  ])("is said as %j", (said, words) => {
    expect(said).toBe(words);
  });

  it("tells how long a green run goes on", () => {
    expect(standing(report({ tests: [passed("a")] }))).toContain("at least 3 iterations");
  });
});
