import { describe, expect, it } from "vitest";
import { type Attempt, initialState, type NovelState, NovelTask } from "../task.ts";
import { feedbackToText, historyEntry, iterationSubject } from "./plan-commit.ts";

const artifact = { path: "x", digest: "d", size: 1 };
const base: NovelState["base"] = {
  ...{
    commit: "c",
    stale: [],
    files: artifact,
    context: artifact,
    description: [],
    is_first: false,
    words: 3,
    chapters: 0,
  },
};
const attempt = (number: number, verdict?: "approved" | "needs_revision"): Attempt => ({
  ...{ number, files: artifact, problems: [], words: 2 },
  ...(verdict && {
    judgment: {
      verdict,
      reasoning: `round ${number}`,
      specific_issues: [],
      suggestions: [],
      revise: [],
      missing: [],
      superfluous: [],
      by: [],
      is_split: false,
    },
  }),
});

function task(given: Partial<NovelTask> = {}): NovelTask {
  const plain = { kind: "iterate", target: "chapters", feedback: ["Darker"], iteration_id: "it-1" };
  return NovelTask.parse({ ...plain, ...given });
}

function entryOf(given: Partial<NovelTask>, attempts: Attempt[], chosen: number) {
  const state: NovelState = { ...initialState(), base, attempts, chosen, summary: "It is darker." };
  const before = [{ path: "chapter-beats/chapter-01.md", content: "a\nb\n" }];
  const after = [{ path: "chapter-beats/chapter-01.md", content: "a\nc\n" }];
  return historyEntry(task(given), state, before, after, Date.UTC(2026, 0, 5));
}

describe("a history entry", () => {
  it("counts judge's rounds, measures the change, and has the last reasoning", () => {
    const failed: Attempt = { number: 2, problems: ["no form"], words: 0 };
    expect(entryOf({}, [attempt(1, "needs_revision"), failed, attempt(3, "approved")], 3)).toEqual({
      iteration_id: "it-1",
      timestamp: "2026-01-05T00:00:00.000Z",
      feedback: "Darker",
      judge_attempts: 2,
      judge_verdict: "approved",
      judge_reasoning: "round 3",
      semantic_summary: "It is darker.",
      files_changed: 1,
      lines_changed: 2,
      kind: "iterate",
    });
  });

  it("names the person where the judge did not approve, or the person wrote it", () => {
    expect(entryOf({}, [attempt(1, "needs_revision")], 1)).toMatchObject({
      judge_verdict: "needs_revision",
      accepted_by: "user",
    });
    const edited = [{ path: "chapter-beats/chapter-02.md", content: "y" }];
    expect(entryOf({ kind: "edit", edited, feedback: [] }, [attempt(1)], 1)).toMatchObject({
      judge_verdict: "none",
      accepted_by: "user",
      feedback: "Edited by hand: chapter 2",
    });
  });
});

describe("a commit's subject", () => {
  it.each([
    [{}, false, "[chapters] Darker"],
    [{ feedback: ["Darker", "Add a storm"] }, false, "[chapters] Darker; Add a storm"],
    [{ kind: "generate", feedback: ["my idea"] }, true, "[chapters] generate"],
    [{ kind: "generate", feedback: [] }, false, "[chapters] generate anew"],
    [{ kind: "derive", target: "treatment", feedback: [] }, true, "[treatment] derive from chapters"],
    [{ kind: "edit", feedback: [], edited: [{ path: "x", content: "y" }] }, false, "[chapters] edit"],
    [{ feedback: ["Line one\nline two"] }, false, "[chapters] Line one line two"],
  ] as [Partial<NovelTask>, boolean, string][])("of %o is told by what was asked", (given, isFirst, subject) => {
    expect(iterationSubject(task(given), isFirst)).toBe(subject);
  });
});

it("several items of feedback are one text as a list", () => {
  expect(feedbackToText(["a"])).toBe("a");
  expect(feedbackToText(["a", "b"])).toBe("- a\n- b");
});
