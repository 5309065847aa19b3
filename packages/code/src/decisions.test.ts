// The pure decisions: the ladder, verdict, where to go, acceptance of tests, regressions, best state, approaches.

import { detectStuck, type History, type Observation, signTests } from "@loopwright/core";
import { judge, nameSome } from "@loopwright/workspace";
import { describe, expect, it } from "vitest";
import { addApproach, approachesToText, approachOf, regressionsToText } from "./asking/questions.ts";
import { betterOf, isWorthRestoring } from "./best.ts";
import { decide, reviewerFor } from "./decide.ts";
import { onStep, reportToTests } from "./stuck.ts";
import type { BestState, Report } from "./task.ts";
import { collectedTests, findRegressions, refuseTests, rememberPassed } from "./testing/test-set.ts";

type State = Report["tests"][number]["state"];

/** A report from names and states, in their order. */
function reportOf(tests: Readonly<Record<string, State>>, more: Partial<Report> = {}): Report {
  return {
    runner: "r",
    failureLines: "",
    tests: Object.entries(tests).map(([name, state]) => ({ name, state })),
    ...more,
  };
}

/** A history in which the sequence has come so many times running, and the failing set so many. */
const counts = (sequence: number, failing = 0): History =>
  Array.from({ length: Math.max(sequence, failing) }, (_, back) => ({
    ...{
      iteration: 20 - back,
      sequence: back < sequence ? "s" : `s${back}`,
      failing: back < failing ? "f" : `f${back}`,
    },
  })).reverse();
/** Test runs as the phase keeps them, from the first iteration on. */
const historyOf = (...runs: Record<string, State>[]): Observation[] =>
  runs.map((run, index) => ({ iteration: index + 1, ...signTests(reportToTests(reportOf(run), [], [])) }));
/** The counts as the seed has them: its stuck_count and its failing_set_count. */
const countsOf = (history: History) =>
  [{ sequence: 1 }, { failing: 1 }].map((repeats) => detectStuck(history, { repeats })?.count ?? 0);

describe("stuck detection", () => {
  it('counts "Same hash → stuck_count += 1, different → reset to 1", for both signals', () => {
    const run = { a: "passed", b: "failed" } as const;
    expect(countsOf(historyOf(run))).toEqual([1, 1]);
    expect(countsOf(historyOf(run, run, run))).toEqual([3, 3]);
    expect(countsOf(historyOf(run, run, { a: "failed", b: "passed" }))).toEqual([1, 1]);
  });

  it("has two independent signals: the sequence may stay while the set changes, and the other way round", () => {
    expect(countsOf(historyOf({ a: "passed", b: "failed" }, { a: "passed", c: "failed" }))).toEqual([2, 1]);
    expect(countsOf(historyOf({ a: "passed", b: "failed" }, { a: "passed", b: "failed", c: "passed" }))).toEqual([
      1, 2,
    ]);
    expect(onStep({ history: counts(3, 4) }, "consultant")?.count).toBe(4);
  });

  it("counts nothing at a run in which nothing fails, begins anew after it, and goes by no output", () => {
    const run = { a: "failed" } as const;
    expect(countsOf(historyOf(run, run, { a: "skipped" }))).toEqual([0, 0]);
    expect(countsOf(historyOf(run, { a: "skipped" }, run))).toEqual([1, 1]);
    const [one, other] = ["at 0x1f", "at 0x2e"].map((failureLines) =>
      reportToTests(reportOf(run, { failureLines }), [], []),
    );
    expect(one).toEqual(other);
  });

  it("counts a run that could not be had, missing tests, and held-out tests by their place", () => {
    const faulty = signTests(reportToTests(reportOf({}, { fault: "line 7" }), [], []));
    expect(countsOf([1, 2].map((iteration) => ({ iteration, ...faulty })))).toEqual([2, 2]);
    expect(reportToTests(reportOf({ a: "passed", b: "skipped" }), ["b"], ["passed", "failed"])).toEqual({
      ...{ "test a": "passed", "test b": "failed", "hidden 0": "passed", "hidden 1": "failed" },
    });
  });

  it("climbs the ladder on a program whose failures stay, and not on one whose failures change", () => {
    const steps = ["hint", "consultant", "amendment"] as const;
    const climbed = (history: History) => steps.filter((step) => onStep({ history }, step));
    const same = { a: "passed", b: "failed" } as const;
    const other = { a: "failed", b: "passed" } as const;
    expect([2, 3, 4, 5].map((times) => climbed(historyOf(...Array(times).fill(same))))).toEqual([
      [],
      ["hint", "consultant"],
      ["hint", "consultant"],
      [...steps],
    ]);
    expect(climbed(historyOf(same, same, other, other, same, same))).toEqual([]);
  });

  it("tells of failures that swing, which the ladder leaves alone", () => {
    const [one, other] = [
      { a: "passed", b: "failed" },
      { a: "failed", b: "passed" },
    ] as const;
    const history = historyOf(one, other, one, other);
    expect(detectStuck(history)).toMatchObject({ detector: "oscillation", count: 4, since: 1 });
    expect(onStep({ history }, "consultant")).toBeUndefined();
  });

  it("keeps the order of tests whose names are numbers", () => {
    expect(Object.keys(reportToTests(reportOf({ b: "failed" }), ["10", "9"], []))).toEqual([
      "test b",
      "test 10",
      "test 9",
    ]);
  });
});

describe("the verdict", () => {
  it("passes where every test passes, and skipped or expected failures stand aside", () => {
    const { verdict } = judge(reportOf({ a: "passed", b: "skipped", c: "xfailed" }), ["a"]);
    expect(verdict).toMatchObject({ verdict: "pass", score: 1, findings: [], reason: "the one test passes" });
  });

  it.each<[string, Report, string[], ("passed" | "failed")[], number, string]>([
    ["no test was collected", reportOf({}), [], [], 0, "NO_TESTS"],
    ["all tests were skipped", reportOf({ a: "skipped" }), [], [], 0, "NO_TESTS"],
    ["a test fails", reportOf({ a: "passed", b: "failed" }), [], [], 0.5, "TEST_FAILED"],
    ["a known test is gone", reportOf({ a: "passed" }), ["a", "b"], [], 0.5, "TEST_MISSING"],
    ["a known test is skipped", reportOf({ a: "passed", b: "skipped" }), ["b"], [], 0.5, "TEST_MISSING"],
    ["a known test is expected to fail", reportOf({ a: "passed", b: "xfailed" }), ["b"], [], 0.5, "TEST_MISSING"],
    [
      "the tests could not be run, whatever was reported",
      reportOf({ a: "passed" }, { fault: "truncated" }),
      [],
      [],
      0,
      "TESTS_NOT_RUN",
    ],
    ["held-out tests fail", reportOf({ a: "passed" }), [], ["passed", "failed"], 2 / 3, "HIDDEN_CHECKS_FAIL"],
  ])("fails where %s", (_what, report, known, hidden, score, codeOf) => {
    const { verdict } = judge(report, known, hidden);
    expect(verdict).toMatchObject({
      verdict: "fail",
      score,
      findings: [{ code: codeOf, severity: "hard", priority: 1 }],
    });
    expect(verdict.reason).not.toBe("");
  });

  it.each([
    [
      "the error that it came from",
      "The tests could not be collected:\nwhile importing\nE   ImportError: no x",
      "ImportError: no x",
    ],
    ["the line that its first one announces", "The tests could not be collected:\n\n  no such file", "no such file"],
    ["the error of a process that was left", "a.test.js does not load\n    at x\nTypeError: no", "TypeError: no"],
  ])("says why the tests could not be run, with %s", (_what, fault, cause) => {
    const { reason } = judge(reportOf({}, { fault }), []).verdict;
    expect(reason).toBe(`The tests could not be run (E1): ${fault.split("\n", 1)[0]!.replace(/:$/, "")}: ${cause}`);
  });

  it("takes one case of a parametrised test for another, since cases may depend on the program; a skipped one is missing", () => {
    const known = ["t[1]", "t[2]", "u[1]"];
    expect(judge(reportOf({ "t[1]": "passed", "t[x]": "passed", "u[2]": "passed" }), known).missing).toEqual([]);
    expect(judge(reportOf({ "t[1]": "passed", "t[2]": "skipped" }), known).missing).toEqual(["t[2]", "u[1]"]);
  });

  it("has a finding for each failing test with the first line of its failure, and names a few", () => {
    const report = {
      ...reportOf({}),
      tests: [{ name: "a", state: "failed" as const, failure: "\nassert 1 == 2\nmore" }],
    };
    expect(judge(report, []).verdict.findings).toMatchObject([{ message: "a: assert 1 == 2" }]);
    expect(nameSome(["a", "b", "c", "d", "e", "f", "g"])).toBe("a, b, c, d, e and 2 more");
  });
});

describe("where a run goes after its tests", () => {
  const facts = { passes: false, iteration: 4, floor: 2, ceiling: 20, history: counts(1), areTestsGiven: false };

  it.each([
    ["done where all pass and the floor is reached", { passes: true }, "done"],
    ["done at the floor exactly", { passes: true, iteration: 2 }, "done"],
    ["audit where all pass under the floor", { passes: true, iteration: 1 }, "audit"],
    ["done at the ceiling too", { passes: true, iteration: 20 }, "done"],
    ["the ceiling, where nothing more is asked", { iteration: 20, history: counts(9) }, "ceiling"],
    ["amend from five on, by either signal", { history: counts(5) }, "amend"],
    ["amend from five on, by the failing set", { history: counts(1, 5) }, "amend"],
    ["audit at four", { history: counts(4, 4) }, "audit"],
    ["no amendment while tests pass", { passes: true, iteration: 1, history: counts(7, 7) }, "audit"],
    ["review, where the tests are given", { areTestsGiven: true }, "review"],
  ] as const)("is %s", (_what, more, decision) => {
    expect(decide({ ...facts, ...more })).toBe(decision);
  });

  it("is looked at by the consultant from three on, while the hint goes by the sequence alone", () => {
    const reviewers = [counts(2), counts(3), counts(4), counts(1, 3)].map((history) => reviewerFor({ history }));
    expect(reviewers).toEqual(["reviewer", "consultant", "consultant", "consultant"]);
    const hinted = [counts(2), counts(3), counts(1, 4)].map((history) => onStep({ history }, "hint") !== undefined);
    expect(hinted).toEqual([false, true, false]);
  });
});

describe("proposed tests", () => {
  const had = reportOf({ a: "passed", b: "failed" });

  it("are taken where they are as many, under whatever names", () => {
    expect(refuseTests(had, reportOf({ c: "failed", d: "failed" }), [], 2)).toBeUndefined();
    expect(refuseTests(had, reportOf({ a: "passed", b: "passed", c: "failed" }), [], 2)).toBeUndefined();
  });

  it.each<[string, Report, string[], number, RegExp]>([
    ["they are fewer", reportOf({ a: "passed" }), [], 2, /^1 tests would run, and 2 did before$/],
    [
      "they are fewer than there once were",
      reportOf({ a: "passed", b: "passed" }),
      [],
      3,
      /^2 tests would run, and 3 did/,
    ],
    ["more are skipped", reportOf({ a: "passed", b: "passed", c: "skipped" }), [], 2, /more tests would be skipped/],
    ["more are expected to fail", reportOf({ a: "passed", b: "passed", c: "xfailed" }), [], 2, /expected to fail/],
    ["their text has less", reportOf({ a: "passed", b: "passed" }), ["1 assertion"], 2, /^1 assertion$/],
    [
      "nothing could be collected",
      reportOf({}, { fault: "no module\nx" }),
      [],
      2,
      /^they could not be collected: no module$/,
    ],
    [
      "a module of theirs is missing",
      reportOf({}, { fault: "The tests could not be collected:\nImportError while importing\nE   ImportError: no x" }),
      [],
      2,
      /^they could not be collected: The tests could not be collected: ImportError: no x$/,
    ],
    ["there are none", reportOf({}), [], 0, /^0 tests would run/],
  ])("are refused where %s", (_what, after, losses, least, why) => {
    expect(refuseTests(had, after, losses, least)).toMatch(why);
  });

  it("that can be collected fix tests that could not, unless their text has less", () => {
    const broken = reportOf({}, { fault: "SyntaxError" });
    expect(refuseTests(broken, reportOf({ a: "failed", b: "skipped" }), [], 0)).toBeUndefined();
    expect(refuseTests(broken, reportOf({ a: "failed" }), ["fewer assertions"], 0)).toBe("fewer assertions");
    expect(refuseTests(broken, reportOf({ a: "failed" }), [], 4)).toMatch(/1 tests would run, and 4/);
    expect(collectedTests(broken)).toBeUndefined();
  });
});

describe("what is remembered", () => {
  it("a regression is a test that has passed and fails, with the last iteration in which it passed", () => {
    const seen = rememberPassed(rememberPassed([], ["a", "b"], 1), ["b"], 2);
    expect(seen).toEqual([
      { name: "a", iteration: 1 },
      { name: "b", iteration: 2 },
    ]);
    expect(findRegressions(seen, ["a", "c"])).toEqual([{ name: "a", iteration: 1 }]);
    expect(regressionsToText(seen)).toBe("a (passed in iteration 1)\nb (passed in iteration 2)");
  });

  it("the best state is the highest score, and of two alike the later", () => {
    const state = (iteration: number, score: number): BestState => ({
      iteration,
      score,
      passed: 0,
      snapshot: `s${iteration}`,
      report: reportOf({}),
    });
    expect(betterOf(undefined, state(1, 0)).iteration).toBe(1);
    expect(betterOf(state(1, 0.5), state(2, 0.4)).iteration).toBe(1);
    expect(betterOf(state(1, 0.5), state(2, 0.5)).iteration).toBe(2);
    expect([undefined, "s1", "s2"].map((at) => isWorthRestoring(state(1, 1), at))).toEqual([true, false, true]);
    expect(isWorthRestoring(undefined, "s1")).toBe(false);
  });

  it.each([
    ["APPROACH: a table\ncode", "", "a table"],
    ["Sure!\n**Approach:** a tree", "", "a tree"],
    ["no such line", "Off by one. Also slow.", "Off by one."],
    ["no such line", "", "as planned"],
  ])("the approach of %j, after the diagnosis %j, is %j", (answer, diagnosis, approach) => {
    expect(approachOf(answer, diagnosis)).toBe(approach);
  });

  it("approaches are listed once with all their iterations, and the oldest are forgotten", () => {
    const failed = (iteration: number, approach: string) => ({ iteration, approach, result: "1 of 2" });
    expect(approachesToText([failed(1, "x"), failed(2, "y"), failed(3, "x")])).toBe(
      "iteration 1, 3: x → 1 of 2\niteration 2: y → 1 of 2",
    );
    const many = Array.from({ length: 20 }, (_, n) => failed(n + 1, `a${n}`)).reduce<ReturnType<typeof failed>[]>(
      addApproach,
      [],
    );
    expect(many.map(({ iteration }) => iteration)).toEqual([9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20]);
  });
});
