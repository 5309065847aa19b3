import { describe, expect, it } from "vitest";
import { judge, traces } from "../../../../test/traces/traces.ts";
import { detectStuck, type History, type Observation, type StuckRules, signSet, signTests } from "./stuck.ts";

const seen = (...all: Omit<Observation, "iteration">[]): History =>
  all.map((each, index) => ({ iteration: index + 1, ...each }));
const scores = (...values: number[]): History => seen(...values.map((score) => ({ score })));
const made = (...artifacts: string[]): History => seen(...artifacts.map((artifact) => ({ artifact })));
const tested = (...lines: string[]): History => seen(...lines.map((line) => signTests(testsOf(line))));
const testsOf = (line: string): Record<string, "passed" | "failed"> =>
  Object.fromEntries([...line].map((letter, index) => [`test ${index}`, letter === "P" ? "passed" : "failed"]));
const found = (...sets: string[][]): History => seen(...sets.map((each) => ({ findings: signSet(each) })));

const artifact: StuckRules = { repeats: { artifact: 3 } };
const sequence: StuckRules = { repeats: { sequence: 3 } };
const failing: StuckRules = { repeats: { failing: 3 } };
const findings: StuckRules = { repeats: { findings: 2 } };
const oscillation: StuckRules = { oscillation: { times: 2, longest: 3 } };
const plateau: StuckRules = { plateau: { window: 3, gain: 0.01, drop: 0.15 } };
const stagnation: StuckRules = { stagnation: { window: 3, range: 0.02 } };

describe("a single rule", () => {
  it.each<[string, StuckRules, History, boolean]>([
    ["the same artifact three times", artifact, made("a", "b", "b", "b"), true],
    ["the same artifact twice", artifact, made("a", "b", "b"), false],
    ["the same artifact with another in between", artifact, made("b", "b", "a", "b"), false],
    ["the same passes and fails three times", sequence, tested("PFP", "PFF", "PFF", "PFF"), true],
    ["other fails in between", sequence, tested("PFF", "PFP", "PFF"), false],
    ["green three times", sequence, tested("PPP", "PPP", "PPP"), false],
    ["the same failing set three times", failing, tested("FPF", "FPF", "FPF"), true],
    ["no failing test at all", failing, tested("PP", "PP", "PP"), false],
    ["the same findings twice, in another order", findings, found(["a", "b"], ["b", "a"]), true],
    ["one finding fewer", findings, found(["a", "b"], ["b"]), false],
    ["no findings at all", findings, found([], []), false],
    ["two answers in turn", oscillation, made("a", "b", "a", "b"), true],
    ["three answers in turn", oscillation, made("x", "a", "b", "c", "a", "b", "c"), true],
    ["two answers, once", oscillation, made("a", "b", "a"), false],
    ["one answer only", oscillation, made("a", "a", "a", "a"), false],
    ["failures in turn, whatever was made", oscillation, tested("PF", "FP", "PF", "FP"), true],
    ["answers in turn with a green one between", oscillation, tested("PF", "PP", "PF", "PP"), false],
    ["no new best", plateau, scores(0.2, 0.6, 0.6, 0.59, 0.605), true],
    ["a new best at the end", plateau, scores(0.2, 0.6, 0.6, 0.59, 0.61), false],
    ["too few scores", plateau, scores(0.6, 0.6, 0.6), false],
    ["a score that is missing", plateau, seen({ score: 0.6 }, { score: 0.6 }, {}, { score: 0.6 }), false],
    ["scores that lie close together", stagnation, scores(0.1, 0.5, 0.51, 0.519), true],
    ["scores that lie as far apart as the range", stagnation, scores(0.5, 0.51, 0.52), false],
    ["fewer scores than the window", stagnation, scores(0.5, 0.5), false],
    ["a window with a score that is missing", stagnation, seen({ score: 0.5 }, {}, { score: 0.5 }), false],
  ])("on %s: %#", (_name, rules, history, expected) => {
    expect(detectStuck(history, rules) !== undefined).toBe(expected);
  });

  it("takes other failures each time for a sign of life, unless the best is far away", () => {
    const flat = (score: number) =>
      seen({ score: 0.6 }, ...["FPP", "PFP", "PPF"].map((line) => ({ score, ...signTests(testsOf(line)) })));
    expect(detectStuck(flat(0.6), plateau)).toBeUndefined();
    expect(detectStuck(flat(0.3), plateau)).toMatchObject({ detector: "plateau", count: 3, since: 2 });
    expect(detectStuck(flat(0.3), { plateau: { window: 3, gain: 0.01 } })).toBeUndefined();
  });
});

describe("the call", () => {
  it("says nothing of an empty history, and nothing without rules", () => {
    expect(detectStuck([])).toBeUndefined();
    expect(detectStuck(tested("F", "F", "F", "F"), {})).toBeUndefined();
  });

  it("says what goes on, for how long, since when, and why", () => {
    expect(detectStuck(tested("PP", "PF", "PF", "PF", "PF"), sequence)).toEqual({
      detector: "sequence",
      count: 4,
      since: 2,
      reason: "tests passed and failed in the same order 4 times running",
    });
    expect(detectStuck(scores(0.2, 0.5, 0.5, 0.5), stagnation)).toEqual({
      detector: "stagnation",
      count: 3,
      since: 2,
      reason: "the last 3 scores lie within 0.000, under 0.02",
    });
    expect(detectStuck(made("x", "a", "b", "a", "b", "a"), oscillation)).toMatchObject({ count: 5, since: 2 });
    const { reason } = detectStuck(scores(0.2, 0.6496, 0.6, 0.59, 0.605), plateau)!;
    expect(reason).toBe("no new best in 3 iterations (best 0.649)");
  });

  it("lets the longest stretch speak, and of two alike the first", () => {
    const both: StuckRules = { repeats: { sequence: 2, failing: 2 } };
    const history = seen(
      { sequence: "x", failing: "f" },
      { sequence: "s", failing: "f" },
      { sequence: "s", failing: "f" },
    );
    expect(detectStuck(history, both)).toMatchObject({ detector: "failing", count: 3 });
    expect(detectStuck(history.slice(1), both)).toMatchObject({ detector: "sequence", count: 2 });
  });
});

describe("the two signs of test results", () => {
  it("differ: the sequence sees the order of tests, the set does not", () => {
    const [one, other] = [signTests({ a: "passed", b: "failed" }), signTests({ b: "failed", a: "passed" })];
    expect(one.failing).toBe(other.failing);
    expect(one.sequence).not.toBe(other.sequence);
  });

  it("are absent where nothing failed", () => {
    expect(signTests({ a: "passed" })).toEqual({});
    expect(signTests({})).toEqual({});
  });
});

describe("the labeled traces", () => {
  it("are at least forty, of all kinds", () => {
    expect(traces.length).toBeGreaterThanOrEqual(40);
    expect(new Set(traces.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(7);
  });

  it.each(traces.map((trace) => [trace.name, trace] as const))(
    "%s gets the answer it is labeled with",
    (_name, trace) => {
      const { caught, falseAlarm } = judge(trace, (history) => detectStuck(history));
      expect(falseAlarm).toBeUndefined();
      expect(caught !== undefined).toBe(trace.stuck);
    },
  );
});
