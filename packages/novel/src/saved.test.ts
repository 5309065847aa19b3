// The debug store in its layout: every attempt, every verdict, the summary and the decision, in one folder for an iteration.

import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { agreeable, approved, bookRun, darker, planned, refused } from "../../../test/fakes/book-runs.ts";
import { git } from "../../../test/fixtures/novel-repository/project.ts";
import { debugFolder } from "./saved.ts";

describe("the debug store", () => {
  it("holds all attempts of one iteration, with the decision", async () => {
    const { start, folder } = await bookRun({
      script: { revise: ["?", darker("one"), darker("two")], judge: [refused, approved] },
      answers: { ...agreeable, continue: ["yes"] },
    });
    const { state } = await start();
    expect(state.debug).toBe(`.agentic/debug/${basename(folder)}/iteration_chapters_2026-01-05T12-00-00-000Z`);
    const read = (name: string) => readFileSync(join(folder, state.debug, name), "utf8");
    expect(readdirSync(join(folder, state.debug)).sort()).toEqual([
      "attempt_1_judge_verdict.json",
      "attempt_1_raw.md",
      "attempt_1_try_1_raw.md",
      "attempt_2_judge_verdict.json",
      "attempt_2_raw.md",
      "final_semantic_diff.md",
      "user_decision.txt",
    ]);
    expect(read("attempt_1_try_1_raw.md")).toBe("?");
    expect(read("attempt_1_raw.md")).toBe(darker("one"));
    expect(JSON.parse(read("attempt_1_judge_verdict.json"))).toEqual({
      verdict: "needs_revision",
      reasoning: "Chapter 2 is still bright.",
      specific_issues: ["The lamp burns."],
      suggestions: ["Let it go out."],
      revise: ["chapter-beats/chapter-02.md"],
      missing: [],
      superfluous: [],
      is_split: false,
      by: ["scripted"],
    });
    expect(read("final_semantic_diff.md")).toContain("the lamp goes out");
    expect(read("user_decision.txt")).toBe("accepted\n");
    expect(git(folder, "status", "--porcelain")).toBe("");
  });

  it("is not seen by git where the project forgot to leave it out", async () => {
    const { start, folder } = await bookRun({ files: { ...planned, ".gitignore": "" } });
    const { outcome } = await start();
    expect(outcome).toBe("done");
    expect(git(folder, "status", "--porcelain", "--untracked-files=all")).toBe("");
  });

  it("names its folder by project, target and time, in characters that every file system takes", () => {
    const at = Date.UTC(2025, 9, 23, 19, 30, 0, 7);
    expect(debugFolder("/books/my novel", "prose", at)).toBe(
      ".agentic/debug/my novel/iteration_prose_2025-10-23T19-30-00-007Z",
    );
  });
});
