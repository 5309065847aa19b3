import { describe, expect, it } from "vitest";
import { judge, traces } from "../../../../test/traces/traces.ts";
import type { History, Observation } from "./stop.ts";
import {
  countRepeats,
  type Detector,
  failingSetHash,
  identicalArtifact,
  oscillation,
  plateau,
  recurrence,
  regression,
  sameFailingSet,
  sameHardFail,
  sameSequence,
  sequenceHash,
  stuck,
  unlessAlive,
} from "./stuck.ts";

const scores = (...values: number[]): History => values.map((score, index) => ({ iteration: index + 1, score }));
const made = (...artifacts: string[]): History =>
  artifacts.map((artifact, index) => ({ iteration: index + 1, artifact }));
const tested = (...results: string[]): History =>
  results.map((line, index) => ({ iteration: index + 1, tests: testsOf(line) }));
const testsOf = (line: string): Observation["tests"] =>
  Object.fromEntries([...line].map((letter, index) => [`test ${index}`, letter === "P" ? "passed" : "failed"]));

describe("a single detector", () => {
  it.each<[string, Detector, History, boolean]>([
    ["the same artifact three times", identicalArtifact(), made("a", "b", "b", "b"), true],
    ["the same artifact twice", identicalArtifact(), made("a", "b", "b"), false],
    ["the same artifact with another in between", identicalArtifact(), made("b", "b", "a", "b"), false],
    ["the same passes and fails three times", sameSequence(), tested("PFP", "PFF", "PFF", "PFF"), true],
    ["other fails in between", sameSequence(), tested("PFF", "PFP", "PFF"), false],
    ["green three times", sameSequence(), tested("PPP", "PPP", "PPP"), false],
    ["the same failing set three times", sameFailingSet(), tested("FPF", "FPF", "FPF"), true],
    ["no failing test at all", sameFailingSet(), tested("PP", "PP", "PP"), false],
    ["two answers in turn", oscillation(), made("a", "b", "a", "b"), true],
    ["three answers in turn", oscillation(), made("a", "b", "c", "a", "b", "c"), true],
    ["two answers, once", oscillation(), made("a", "b", "a"), false],
    ["an answer that comes back in no fixed order", recurrence(), made("a", "b", "a", "c", "d", "a"), true],
    ["an answer that came back once", recurrence(), made("a", "b", "c", "d", "a"), false],
    ["one answer only", oscillation(), made("a", "a", "a", "a"), false],
    ["no new best", plateau(), scores(0.2, 0.6, 0.6, 0.59, 0.6, 0.601), true],
    ["a new best at the end", plateau(), scores(0.2, 0.6, 0.6, 0.59, 0.6, 0.61), false],
    ["too few scores", plateau(), scores(0.6, 0.6, 0.6), false],
    ["far below the best", regression(), scores(0.8, 0.5, 0.52, 0.49, 0.5, 0.51), true],
    ["far below, but climbing", regression(), scores(0.8, 0.4, 0.45, 0.5, 0.55, 0.6), false],
    ["a dip of four", regression(), scores(0.8, 0.5, 0.5, 0.5, 0.5), false],
  ])("on %s: %#", (_name, detector, history, expected) => {
    expect(detector(history) !== undefined).toBe(expected);
  });

  it("names the hard fail that comes again and again", () => {
    const history = [1, 2, 3].map((iteration) => ({ iteration, hardFails: [`ONCE_${iteration}`, "GEO_UPSIDE_DOWN"] }));
    expect(sameHardFail()(history)).toMatchObject({ since: 1, reason: expect.stringContaining("GEO_UPSIDE_DOWN") });
    expect(sameHardFail()(history.slice(1))).toBeUndefined();
  });

  it("is held back while the score rises", () => {
    const history = [0.1, 0.2, 0.3].map((score, index) => ({
      iteration: index + 1,
      score,
      hardFails: ["MESH_INVALID"],
    }));
    expect(sameHardFail()(history)).toBeDefined();
    expect(unlessAlive(sameHardFail())(history)).toBeUndefined();
  });

  it("says nothing of an empty history", () => {
    expect(stuck([])).toBeUndefined();
  });
});

describe("the two signals of the test results", () => {
  it("differ: the sequence sees the order of tests, the set does not", () => {
    const one = { iteration: 1, tests: { a: "passed", b: "failed" } } as const;
    const other = { iteration: 2, tests: { b: "failed", a: "passed" } } as const;
    expect(failingSetHash(one)).toBe(failingSetHash(other));
    expect(sequenceHash(one)).not.toBe(sequenceHash(other));
  });

  it("count how many times running a sign has come, from 1", () => {
    const history = tested("PF", "FP", "FP");
    expect(countRepeats(history, sequenceHash)).toBe(2);
    expect(countRepeats(history.slice(0, 2), sequenceHash)).toBe(1);
    expect(countRepeats(tested("PP"), sequenceHash)).toBe(0);
  });
});

describe("the labelled traces", () => {
  it("are at least forty, of all kinds", () => {
    expect(traces.length).toBeGreaterThanOrEqual(40);
    expect(new Set(traces.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(7);
  });

  it.each(traces.map((trace) => [trace.name, trace] as const))(
    "%s gets the answer it is labelled with",
    (_name, trace) => {
      const { caught, falseAlarm } = judge(trace, stuck);
      expect(falseAlarm).toBeUndefined();
      expect(caught !== undefined).toBe(trace.stuck);
    },
  );
});
