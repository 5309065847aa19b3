import { FormatError } from "@loopwright/core";
import { describe, expect, it } from "vitest";
import { joinParts, type Ruling, readRuling as readShown, rulingsToVerdict, vote } from "./rulings.ts";

const one = ["Make it darker"];
const two = ["Make it darker", "Add a storm"];

const files = ["chapters/chapter-01.md", "chapters/chapter-02.md"];
const untouched = ["chapters/chapter-07.md"];
const readRuling = (text: string, feedback: readonly string[], isPart = false) =>
  readShown(text, { feedback, files, untouched, isPart, asksReach: true });

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
      revise: files,
      ...{ missing: [], superfluous: [], by: [], is_split: false },
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
    ...{ revise: [], missing: [], superfluous: [], by: [], is_split: false },
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
    ...{ revise: [], missing: [], superfluous: [], by: [], is_split: false },
    suggestions: [],
    met: 2,
    items: 2,
  };

  it("passes with 1, and fails with the share of items that are met, never all", () => {
    expect(rulingsToVerdict([ruling])).toMatchObject({ verdict: "pass", score: 1 });
    const failed = { ...ruling, verdict: "needs_revision" as const };
    expect(rulingsToVerdict([{ ...failed, met: 1 }])).toMatchObject({ verdict: "fail", score: 0.5 });
    expect(rulingsToVerdict([failed]).score).toBeLessThan(1);
    expect(rulingsToVerdict([ruling, failed])).toMatchObject({ verdict: "fail" });
    expect(rulingsToVerdict([]).verdict).toBe("fail");
  });
});

describe("what a judge says of files", () => {
  it("names those that need another try, and all that it was shown where it names none", () => {
    const no = { verdict: "needs_revision", reasoning: "hm", specific_issues: ["x"] };
    expect(readRuling(answer({ ...no, revise: ["chapter-2"] }), one).revise).toEqual([files[1]]);
    expect(readRuling(answer({ ...no, revise: ["chapter 99"] }), one).revise).toEqual(files);
    expect(readRuling(answer({ verdict: "approved", reasoning: "ok", revise: ["chapter-2"] }), one).revise).toEqual([]);
  });

  it("names what is missing among the files that were not touched, and what is superfluous among those that were", () => {
    const missing = [
      { file: "Chapter 7", why: "It still burns there." },
      { file: "chapter-1", why: "it did change" },
    ];
    const superfluous = [{ file: "chapters/chapter-02.md", why: "Nobody asked." }, { file: "chapter-7" }];
    const ruling = readRuling(answer({ verdict: "approved", reasoning: "ok", missing, superfluous }), one);
    expect(ruling).toMatchObject({
      verdict: "needs_revision",
      missing: [{ path: untouched[0], why: "It still burns there." }],
      superfluous: [{ path: files[1], why: "Nobody asked." }],
      revise: [],
      specific_issues: [
        "chapter-7: must change too (It still burns there.)",
        "chapter-2: should have stayed as it was (Nobody asked.)",
      ],
    });
  });

  it("means all that it was shown where it finds a fault beside a missing file", () => {
    const no = { verdict: "needs_revision", reasoning: "hm", specific_issues: ["x"], missing: [{ file: "7" }] };
    expect(readRuling(answer(no), one).revise).toEqual(files);
  });
});

describe("a change that is judged in parts", () => {
  const part = (met: boolean, concerns: boolean, verdict = "approved") =>
    readRuling(answer({ verdict, reasoning: "seen", items: [{ met, concerns }] }), one, true);

  it("is approved where every part is, and each item is met in one of them", () => {
    expect(joinParts([part(true, true), part(true, false)], one)).toMatchObject({ verdict: "approved", met: 1 });
  });

  it("is not approved where one part is not", () => {
    const no = joinParts([part(true, true), part(false, true)], one);
    expect(no).toMatchObject({ verdict: "needs_revision", specific_issues: ["Not met: Make it darker"] });
  });

  it("is not approved where an item concerns no part of it", () => {
    const no = joinParts([part(true, false), part(true, false)], one);
    expect(no.verdict).toBe("needs_revision");
    expect(no.specific_issues).toEqual(["Not met: Make it darker (no part of the change concerns it)"]);
  });

  it("asks of a part about every item, also where there is one", () => {
    expect(() => readRuling(answer({ verdict: "approved", reasoning: "ok" }), one, true)).toThrow(FormatError);
  });
});
