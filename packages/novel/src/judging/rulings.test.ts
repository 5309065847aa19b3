import { FormatError } from "@loopwright/core";
import { describe, expect, it } from "vitest";
import { malformedRuling, type Ruling, readRuling, rulingToVerdict, vote } from "./judging.ts";

const one = ["Make it darker"];
const two = ["Make it darker", "Add a storm"];

function answer(value: unknown): string {
  return JSON.stringify(value);
}

describe("a judge's answer", () => {
  it("is read with its issues and suggestions, empty ones left out", () => {
    const text = answer({
      verdict: "needs_revision",
      reasoning: "  Still bright.  ",
      specific_issues: ["The lamp burns.", " "],
      suggestions: ["Put it out."],
    });
    expect(readRuling(text, one)).toEqual({
      verdict: "needs_revision",
      reasoning: "Still bright.",
      specific_issues: ["The lamp burns."],
      suggestions: ["Put it out."],
      met: 0,
      items: 1,
    });
  });

  it.each([
    ["no JSON", "Approved!"],
    ["another verdict", answer({ verdict: "pass", reasoning: "good" })],
    ["no reasoning", answer({ verdict: "approved" })],
    ["an empty reasoning", answer({ verdict: "approved", reasoning: "  " })],
    ["a list", answer([{ verdict: "approved", reasoning: "good" }])],
    ["a verdict in capitals", answer({ verdict: "APPROVED", reasoning: "good" })],
    ["issues that are no texts", answer({ verdict: "approved", reasoning: "good", specific_issues: [1] })],
  ])("with %s is malformed, and never approves", (_name, text) => {
    expect(() => readRuling(text, one)).toThrow(FormatError);
  });

  it("must have an entry for every item of a batch", () => {
    const items = [{ met: true, reasoning: "dark" }];
    expect(() => readRuling(answer({ verdict: "approved", reasoning: "good" }), two)).toThrow(FormatError);
    expect(() => readRuling(answer({ verdict: "approved", reasoning: "good", items }), two)).toThrow(FormatError);
  });

  it("does not approve where one item is not met, whatever its verdict says", () => {
    const items = [{ met: true }, { met: false, reasoning: "the sky is clear" }];
    const ruling = readRuling(answer({ verdict: "approved", reasoning: "good", items }), two);
    expect(ruling).toMatchObject({ verdict: "needs_revision", met: 1, items: 2 });
    expect(ruling.specific_issues).toEqual(["Not met: Add a storm (the sky is clear)"]);
  });

  it("that refuses a batch whose items are all met must say what is wrong", () => {
    const items = [{ met: true }, { met: true }];
    const bare = { verdict: "needs_revision", reasoning: "hm", items };
    expect(() => readRuling(answer(bare), two)).toThrow(/Name what is wrong/);
    expect(readRuling(answer({ ...bare, specific_issues: ["a lost scene"] }), two).verdict).toBe("needs_revision");
  });
});

describe("two judges", () => {
  const yes: Ruling = {
    verdict: "approved",
    reasoning: "Dark.",
    specific_issues: [],
    suggestions: [],
    met: 1,
    items: 1,
  };
  const no: Ruling = { ...yes, verdict: "needs_revision", reasoning: "Bright.", specific_issues: ["x"], met: 0 };

  it("approve together", () => {
    expect(vote([yes, yes])).toMatchObject({
      verdict: "approved",
      reasoning: "Judge 1 approves: Dark.\n\nJudge 2 approves: Dark.",
    });
  });

  it.each([
    [yes, no],
    [no, yes],
    [no, no],
    [yes, malformedRuling("no JSON", 1)],
  ])("do not approve where one of them does not", (first, second) => {
    const ruling = vote([first, second]);
    expect(ruling.verdict).toBe("needs_revision");
    for (const { reasoning } of [first, second]) expect(ruling.reasoning).toContain(reasoning);
  });

  it("name an issue that both found once", () => {
    expect(vote([no, no]).specific_issues).toEqual(["x"]);
  });
});

describe("a ruling as a verdict", () => {
  const ruling: Ruling = {
    verdict: "approved",
    reasoning: "ok",
    specific_issues: [],
    suggestions: [],
    met: 2,
    items: 2,
  };

  it("passes with 1, and fails with the share of items that are met, never all", () => {
    expect(rulingToVerdict(ruling)).toMatchObject({ verdict: "pass", score: 1 });
    const failed = { ...ruling, verdict: "needs_revision" as const };
    expect(rulingToVerdict({ ...failed, met: 1 })).toMatchObject({ verdict: "fail", score: 0.5 });
    expect(rulingToVerdict(failed).score).toBeLessThan(1);
    expect(rulingToVerdict(malformedRuling("no JSON\nat all", 1))).toMatchObject({
      verdict: "fail",
      score: 0,
      reason: "The judge gave no usable verdict: no JSON",
    });
  });
});
