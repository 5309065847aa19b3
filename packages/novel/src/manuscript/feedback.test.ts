import { describe, expect, it } from "vitest";
import { historyEntry, sampleProject, writeFiles } from "../../../../test/fixtures/novel/manuscript.ts";
import { kindOfFeedback, parseFeedback } from "./feedback.ts";
import { openManuscript } from "./files/open.ts";
import { historyChange } from "./history/history.ts";
import { type IterationFacts, renderStatistics, statistics } from "./history/statistics.ts";

describe("the items of feedback", () => {
  it.each([
    ["Make chapter 3 darker", ["Make chapter 3 darker"]],
    ["- darker\n- shorter", ["darker", "shorter"]],
    ["1. darker\n2) shorter\n(3) wetter", ["darker", "shorter", "wetter"]],
    ["* darker\r\n\r\n* shorter\r\n  and brisker", ["darker", "shorter\nand brisker"]],
    ["In chapter 3:\n- make it darker\n- add rain", ["In chapter 3: make it darker", "In chapter 3: add rain"]],
    ["- only one", ["- only one"]],
    ["Make it darker.\nAdd rain.", ["Make it darker.\nAdd rain."]],
    ["- darker\n- shorter\n\nAnd keep the ending.", ["- darker\n- shorter\n\nAnd keep the ending."]],
    ["  \n ", []],
    ["• 雨を足す\n• もっと暗く", ["雨を足す", "もっと暗く"]],
    ["-5 degrees is too warm\n-10 is right", ["-5 degrees is too warm\n-10 is right"]],
  ])("%j → %j", (text, items) => {
    expect(parseFeedback(text)).toEqual(items);
  });
});

describe("what feedback is about", () => {
  it.each([
    ["Make chapter 3 darker with nightmarish mood", "tone"],
    ["Make the protagonist more flawed", "character"],
    ["Add a betrayal subplot in act 2", "plot"],
    ["The dialogue is stiff", "dialogue"],
    ["Make the ending more ambiguous, the last chapter is too neat", "ending"],
    ["It drags; pick up the pace", "pacing"],
    ["Merge chapters 4 and 5, the structure is loose", "structure"],
    ["Mach es dunkler", "other"],
  ])("%s → %s", (text, kind) => {
    expect(kindOfFeedback(text)).toBe(kind);
  });
});

describe("statistics", () => {
  const facts = (more: Partial<IterationFacts>): IterationFacts => ({
    iteration_id: "declined-1",
    level: "chapters",
    feedback: "Make it darker",
    judge_attempts: 4,
    decision: "declined",
    ...more,
  });

  it("count what was accepted, declined and overruled, by kind and level, with judge rounds and cost", async () => {
    const folder = sampleProject();
    const overruled = historyEntry(2, { judge_attempts: 3, judge_verdict: "needs_revision", accepted_by: "user" });
    const edit = historyEntry(3, { feedback: "hand", kind: "edit", judge_attempts: 0, judge_verdict: "none" });
    writeFiles(folder, [
      historyChange("chapters", [historyEntry(1), overruled], edit),
      historyChange("prose", [], historyEntry(4, { kind: "generate", feedback: "" })),
    ]);
    const others = [
      facts({ cost_usd: 0.5 }),
      facts({ iteration_id: "iteration-1", decision: "accepted", cost_usd: 0.25 }),
      facts({ iteration_id: "iteration-2" }),
    ];
    const found = await statistics(await openManuscript(folder), others);
    expect(found).toMatchObject({ iterations: 4, accepted: 3, declined: 1, overruled: 1, cost: { usd: 0.75, of: 2 } });
    expect(found.judge_rounds).toBeCloseTo((1 + 3 + 4) / 3);
    expect(found.by_kind[0]).toMatchObject({ kind: "tone", iterations: 3, accepted: 2, approved_first: 1 });
    expect(found.by_level).toEqual([{ level: "chapters", iterations: 4, accepted: 3 }]);
    const lines = renderStatistics(found);
    expect(lines[0]).toBe("Iterations: 4 (3 accepted, 1 rejected, 1 accepted against the judge)");
    expect(lines).toContain("Cost: $0.75 (known for 2)");
    expect(lines.at(-2)).toBe("  tone   2/3 accepted, 1 approved at once, 2.7 rounds");
  });

  it("of nothing say so, and a cost that is not known is not told", async () => {
    const found = await statistics(await openManuscript(sampleProject()));
    expect(renderStatistics(found)).toEqual(["No iterations yet."]);
    expect(found.cost).toBeUndefined();
  });
});
