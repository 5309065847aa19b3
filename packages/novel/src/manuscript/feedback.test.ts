import { describe, expect, it } from "vitest";
import { historyEntry, sampleProject, writeFiles } from "../../../../test/fixtures/novel/manuscript.ts";
import { RESTRUCTURED } from "../structure/restructured.ts";
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
    ["Rends-le plus sombre", "other"],
  ])("%s → %s", (text, kind) => {
    expect(kindOfFeedback(text)).toBe(kind);
  });
});

describe("the kind of German feedback", () => {
  it.each([
    ["Mach Kapitel 3 düsterer", "tone"],
    ["Der Schluss ist fast zu versöhnlich", "ending"],
    ["Das Gespräch zwischen Mara und Jonas klingt hölzern", "dialogue"],
    ["Kapitel 2 zieht sich", "pacing"],
    ["Kürze das zweite Kapitel um die Hälfte", "length"],
    ["Die Reihenfolge der Kapitel stimmt nicht", "structure"],
    ["Mara ist als Heldin zu glatt, gib ihr eine Schwäche", "character"],
    ["Der Verrat braucht mehr Szenen", "plot"],
    ["Beschreibe den Schauplatz und die Stadt genauer", "world"],
    ["Die Sätze sind zu verschachtelt, der Stil zu geschraubt", "style"],
    ["Mara trägt einen roten Mantel", "other"],
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

  it("count what was accepted, declined and overruled, by kind and level, with judge rounds and what it took", async () => {
    const folder = sampleProject();
    const overruled = historyEntry(2, { judge_attempts: 3, judge_verdict: "needs_revision", accepted_by: "user" });
    const edit = historyEntry(3, { feedback: "hand", kind: "edit", judge_attempts: 0, judge_verdict: "none" });
    writeFiles(folder, [
      historyChange("chapters", [historyEntry(1), overruled], edit),
      historyChange("prose", [], historyEntry(4, { kind: "generate", feedback: "" })),
    ]);
    const others = [
      facts({}),
      facts({ iteration_id: "iteration-1", decision: "accepted" }),
      facts({ iteration_id: "iteration-2" }),
    ];
    const found = await statistics(await openManuscript(folder), others, { runs: 5, tokens: 12_345, usd: 0.75 });
    expect(found).toMatchObject({ iterations: 4, accepted: 3, declined: 1, overruled: 1, files_undone: 0 });
    expect(found.judge_rounds).toBeCloseTo((1 + 3 + 4) / 3);
    expect(found.by_kind[0]).toMatchObject({ kind: "tone", iterations: 3, accepted: 2, approved_first: 1 });
    expect(found.by_level).toEqual([{ level: "chapters", iterations: 4, accepted: 3 }]);
    const lines = renderStatistics(found);
    expect(lines[0]).toBe("Iterations: 4 (3 accepted, 1 rejected, 1 accepted against the judge)");
    expect(lines).toContain("Models: 12,345 tokens in 5 runs, $0.75");
    expect(lines.at(-2)).toBe("  tone   2/3 accepted, 1 approved at once, 2.7 rounds");
  });

  it("take a file that was taken back, and chapters that were moved, for no iteration", async () => {
    const folder = sampleProject();
    const made = { kind: "edit", judge_attempts: 0, judge_verdict: "none", accepted_by: "user" } as const;
    const undone = historyEntry(2, { ...made, feedback: "undo in chapter-03.md: Make it darker" });
    const moved = historyEntry(3, { ...made, feedback: "Move chapter 3 to 1.", semantic_summary: RESTRUCTURED });
    writeFiles(folder, [historyChange("chapters", [historyEntry(1), undone], moved)]);
    const found = await statistics(await openManuscript(folder));
    expect(found).toMatchObject({ iterations: 1, accepted: 1, declined: 0, files_undone: 1 });
    expect(renderStatistics(found)).toContain("Taken back since: 1 file");
  });

  it("of nothing say so, with what was asked all the same", async () => {
    const manuscript = await openManuscript(sampleProject());
    expect(renderStatistics(await statistics(manuscript))).toEqual(["No iterations yet."]);
    expect(renderStatistics(await statistics(manuscript, [], { runs: 1, tokens: 900, usd: 0 }))).toEqual([
      "No iterations yet.",
      "Models: 900 tokens in 1 run, no cost on record",
    ]);
  });
});
