import { judge, type Report } from "@loopwright/workspace";
import { describe, expect, it } from "vitest";
import { givenTargets } from "./targets.ts";
import { onlyCounted } from "./test-files.ts";

const reportOf = (...tests: [string, Report["tests"][number]["state"]][]): Report => ({
  runner: "pytest",
  tests: tests.map(([name, state]) => ({ name, state })),
  failureLines: "",
});
const baseline = {
  passing: ["a.py::t[1]"],
  failing: ["a.py::old"],
  flaky: [],
  blocked: [],
  failures: "",
  loaded: {},
  ms: 1,
};
const verdictOn = (report: Report, known_tests = ["a.py::t[1]"], targets: string[] = []) =>
  judge(onlyCounted(report, { baseline, targets, known_tests }), known_tests).verdict.verdict;

describe("what counts of a suite", () => {
  it.each<[string, "pass" | "fail", Report, string[]?, string[]?]>([
    ["a new case of a known test that fails", "fail", reportOf(["a.py::t[1]", "passed"], ["a.py::t[2]", "failed"])],
    ["a case that stands for another", "pass", reportOf(["a.py::t[2]", "passed"])],
    ["what failed before", "pass", reportOf(["a.py::t[1]", "passed"], ["a.py::old", "failed"])],
    ["another test of a file that is no target's", "pass", reportOf(["a.py::t[1]", "passed"], ["b.py::x", "failed"])],
    [
      "an unknown test of a target's file that fails",
      "fail",
      reportOf(["a.py::t[1]", "passed"], ["n.py::x", "passed"], ["n.py::y", "failed"]),
      ["a.py::t[1]", "n.py::x"],
      ["n.py::x"],
    ],
    [
      "a file that could not be run, of which a test is skipped now",
      "pass",
      reportOf(["n.py::x", "passed"], ["n.py::y", "skipped"]),
      ["n.py"],
      ["n.py"],
    ],
  ])("%s: %s", (_what, verdict, report, known, targets) => {
    expect(verdictOn(report, known, targets)).toBe(verdict);
  });

  it("says how many fail that do not count: those that failed before, and others", () => {
    const known_tests = ["a.py::t[1]"];
    const words = (...failing: string[]) => {
      const all = [["a.py::t[1]", "passed"], ...failing.map((name) => [name, "failed"])] as [string, "failed"][];
      return judge(onlyCounted(reportOf(...all), { baseline, targets: [], known_tests }), known_tests).verdict.reason;
    };
    expect(words()).toBe("the one test passes");
    expect(words("a.py::old")).toBe(
      "the one test passes that passed before or that the run aims at (1 still fails that failed before)",
    );
    expect(words("a.py::old", "b.py::x", "b.py::y")).toMatch(
      /\(1 still fails that failed before; 2 more fail, and decide nothing\)$/,
    );
  });

  it("a given file of which nothing can be told yet stands for its tests", () => {
    expect(givenTargets(reportOf(["g.py::a", "failed"]), ["g.py", "h.py"])).toEqual(["g.py::a", "h.py"]);
  });
});
