// What was accepted and rejected is remembered, told to writer and judge, and counted.

import { memoryEngine } from "@loopwright/core/testing";
import { describe, expect, it } from "vitest";
import { agreeable, answering, begin, bookRun, darker, planned, refused } from "../../../test/fakes/book-runs.ts";
import { historyEntry, sampleProject, writeFiles } from "../../../test/fixtures/novel/manuscript.ts";
import { calibrate, calibrationLines, type Decision, lessonsOf, readDecisions, statisticsLines } from "./learning.ts";
import { openManuscript } from "./manuscript/files/open.ts";
import { historyChange } from "./manuscript/history/history.ts";

const none = { runs: 0, tokens: 0, usd: 0 };

const decision = (more: Partial<Decision>): Decision => ({
  ...{ iteration_id: "i", level: "chapters", feedback: "Make chapter 2 darker", verdict: "approved" },
  ...{ is_accepted: true, reason: "", judge: "Dark.", at: "2026-01-01" },
  ...more,
});

describe("calibrate", () => {
  it("counts how often the author went with the judge, and how often not, each way", () => {
    const decisions = [
      decision({}),
      decision({ verdict: "needs_revision", is_accepted: false }),
      decision({ is_accepted: false }),
      decision({ verdict: "needs_revision" }),
      decision({ verdict: "none" }),
    ];
    const figures = calibrate(decisions);
    expect(figures).toEqual({ decided: 4, followed: 2, rejected_approved: 1, accepted_refused: 1 });
    expect(calibrationLines(decisions)[0]).toBe(
      "Judge calibration: 50% (you went with the judge in 2 of 4; rejected what it approved: 1; accepted what it did not: 1)",
    );
    expect(calibrationLines([])).toEqual([]);
  });
});

describe("lessonsOf", () => {
  it("has none where everyone agreed", () => {
    expect(lessonsOf([decision({}), decision({ verdict: "needs_revision", is_accepted: false })])).toEqual({
      writer: [],
      judge: [],
    });
  });

  it("tells the writer why attempts were rejected", () => {
    const { writer } = lessonsOf([
      decision({ is_accepted: false, reason: "it is too cute" }),
      decision({ is_accepted: false }),
      decision({}),
    ]);
    expect(writer).toEqual(['On "Make chapter 2 darker" the author rejected an attempt and said: “it is too cute”']);
  });

  it("tells the judge where the author decided otherwise, each way", () => {
    const { judge } = lessonsOf([
      decision({ is_accepted: false, reason: "it is too cute" }),
      decision({ verdict: "needs_revision", judge: "Still bright." }),
    ]);
    expect(judge[0]).toContain("Of 2 decisions the author went with the judge in 0");
    expect(judge[1]).toBe(
      'A judge approved an attempt at "Make chapter 2 darker"; the author rejected it and said: “it is too cute”',
    );
    expect(judge[2]).toBe(
      'A judge did not approve "Make chapter 2 darker" and said: “Still bright.”; the author took it all the same, without a word on why',
    );
  });
});

describe("the statistics of a book", () => {
  it("count what was accepted, rejected and overruled, by level, with judge rounds and what it took", async () => {
    const folder = sampleProject();
    const overruled = historyEntry(2, { judge_attempts: 3, judge_verdict: "needs_revision", accepted_by: "user" });
    const edit = historyEntry(3, { feedback: "hand", kind: "edit", judge_attempts: 0, judge_verdict: "none" });
    writeFiles(folder, [
      historyChange("chapters", [historyEntry(1), overruled], edit),
      historyChange("prose", [], historyEntry(4, { kind: "generate", feedback: "" })),
    ]);
    const lines = await statisticsLines(await openManuscript(folder), { runs: 5, tokens: 12_345, usd: 0.75 });
    expect(lines).toEqual([
      "Iterations: 3 (3 accepted, 0 rejected, 1 accepted against the judge)",
      "Judge rounds: 2.0 on average",
      expect.stringContaining("Judge calibration: 50%"),
      "Models: 12,345 tokens in 5 runs, $0.75",
      "By level: chapters 3/3",
    ]);
  });

  it("count no request for another attempt as a rejection", async () => {
    const folder = sampleProject();
    const again = { ...decision({ iteration_id: "it-1", is_accepted: false, is_again: true }) };
    writeFiles(folder, [{ path: ".agentic/learning/it-1_attempt_1.json", content: JSON.stringify(again) }]);
    expect(await statisticsLines(await openManuscript(folder), none)).toEqual(["No iterations yet."]);
  });

  it("of nothing say so, with what was asked all the same", async () => {
    const manuscript = await openManuscript(sampleProject());
    expect(await statisticsLines(manuscript, none)).toEqual(["No iterations yet."]);
    expect(await statisticsLines(manuscript, { runs: 1, tokens: 900, usd: 0 })).toEqual([
      "No iterations yet.",
      "Models: 900 tokens in 1 run, no cost on record",
    ]);
  });
});

describe("a project", () => {
  it("remembers decisions over iterations, tells the next writer and judge, and shows the figure", async () => {
    const { start, ports, scripted, folder } = await bookRun({
      files: planned,
      script: { judge: [refused], revise: [darker("one"), darker("two"), darker("three")] },
      answers: {
        ...agreeable,
        continue: ["no: it is meant to be bright"],
        accept: ["yes"],
      },
    });
    expect((await start()).outcome).toBe("done");
    const answers = answering({ ...agreeable, continue: ["no"], accept: ["again: it is too cute", "no"] });
    const test = memoryEngine({ ...ports, answers });
    expect((await begin(test, { iteration_id: "it-2", feedback: ["Make chapter 2 colder"] })).outcome).toBe("declined");
    const manuscript = await openManuscript(folder);
    const decisions = await readDecisions(manuscript);
    expect(decisions.map(({ verdict, is_accepted, reason }) => [verdict, is_accepted, reason])).toEqual([
      ["needs_revision", true, "it is meant to be bright"],
      ["needs_revision", false, "it is too cute"],
      ["needs_revision", false, ""],
    ]);
    expect(decisions.every(({ models }) => models?.join() === "scripted")).toBe(true);
    expect(scripted.asked("revise")[1]!.request.system).not.toContain("decisions have shown");
    const told = scripted.asked("judge")[1]!.request.system!;
    expect(told).toContain("A judge did not approve");
    expect(told).toContain("and said: “Chapter 2 is still bright.”");
    expect(told).toContain("having said during the iteration: “it is meant to be bright”");
    expect((await statisticsLines(manuscript, none)).join("\n")).toContain(
      "Judge calibration: 50% (you went with the judge in 1 of 2; rejected what it approved: 0; accepted what it did not: 1)",
    );
  });
});
