import type { Report } from "@loopwright/workspace";
import { describe, expect, it } from "vitest";
import { splitTests, withoutHeldOut } from "./held-out.ts";

function reportOf(states: Record<string, "passed" | "failed" | "skipped">): Report {
  const tests = Object.entries(states).map(([name, state]) => ({ name, state }));
  return { runner: "pytest", tests, failureLines: "" };
}

describe("which tests choose and which decide", () => {
  it("holds out every third, failing ones counted first", () => {
    const report = reportOf({
      a: "passed",
      b: "failed",
      c: "passed",
      d: "failed",
      e: "failed",
      f: "passed",
      g: "passed",
    });
    expect(splitTests(report, { areGiven: false })).toEqual({
      failing: ["b", "d"],
      passing: ["a", "c", "g"],
      held_out: ["e", "f"],
    });
  });

  it("keeps every failing test visible where there are one or two", () => {
    const report = reportOf({ a: "passed", b: "passed", c: "failed", d: "passed" });
    const { failing, held_out } = splitTests(report, { areGiven: false });
    expect(failing).toEqual(["c"]);
    expect(held_out).toEqual(["b"]);
  });

  it("holds out none of under three tests", () => {
    expect(splitTests(reportOf({ a: "passed", b: "failed" }), { areGiven: false }).held_out).toEqual([]);
  });

  it("holds out none of the visible tests where held-out ones are given", () => {
    const report = reportOf({ a: "failed", b: "passed", c: "passed" });
    expect(splitTests(report, { areGiven: true })).toEqual({ failing: ["a"], passing: ["b", "c"], held_out: [] });
  });

  it("counts each case of a parametrised test by itself, and no skipped one", () => {
    const report = reportOf({ "t[1]": "failed", "t[2]": "failed", "t[3]": "failed", s: "skipped" });
    expect(splitTests(report, { areGiven: false })).toEqual({
      failing: ["t[1]", "t[2]"],
      passing: [],
      held_out: ["t[3]"],
    });
  });
});

describe("a report without its held-out tests", () => {
  it("shows none of their names, and tells their results in order", () => {
    const report = reportOf({ a: "passed", b: "failed", c: "passed" });
    const { visible, results } = withoutHeldOut(report, ["b", "c"]);
    expect(visible.tests.map(({ name }) => name)).toEqual(["a"]);
    expect(results).toEqual(["failed", "passed"]);
  });

  it("counts a held-out test that was skipped, or has gone, as failed", () => {
    const { results } = withoutHeldOut(reportOf({ a: "passed", b: "skipped" }), ["b", "gone"]);
    expect(results).toEqual(["failed", "failed"]);
  });
});
