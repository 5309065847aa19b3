import { describe, expect, it } from "vitest";
import { type Attempt, baseOf, chosenAttempt, initialState, NovelTask } from "../task.ts";
import { feedbackOf, feedbackTold, roundsOf } from "../writing/rounds.ts";

const iterate = { kind: "iterate", target: "prose", feedback: ["x"], iteration_id: "a-1" };
const files = [{ path: "chapters/chapter-01.md", content: "x" }];

describe("a task", () => {
  it("has one judge and all roles, and lets a model say how far feedback reaches", () => {
    expect(NovelTask.parse(iterate)).toMatchObject({
      ...{ has_judge: true, has_second_judge: false, has_summarizer: true, scope: "model" },
    });
  });

  it.each([
    ["feedback that is empty", { ...iterate, feedback: [" "] }],
    ["an iteration without feedback", { ...iterate, feedback: [] }],
    ["a question that is none", { ...iterate, kind: "ask", feedback: [] }],
    ["an edit without a text", { ...iterate, kind: "edit" }],
    ["a text that is no edit", { ...iterate, edited: files }],
    ["a level that is none", { ...iterate, target: "analysis" }],
    ["variants of all the prose", { ...iterate, variants: 2 }],
    ["four variants", { ...iterate, variants: 4, file: "chapters/chapter-01.md" }],
    ["a scope that is none", { ...iterate, scope: "near" }],
    ["an id that is no name", { ...iterate, iteration_id: "../x" }],
    ["a word too many", { ...iterate, flavor: "red" }],
  ])("is refused with %s", (_name, given) => {
    expect(NovelTask.safeParse(given).success).toBe(false);
  });

  it("without words of its own gets ours", () => {
    const task = (kind: string, more = {}) => NovelTask.parse({ ...iterate, kind, feedback: [], ...more });
    expect(feedbackOf(task("generate"), true)).toEqual([]);
    expect(feedbackOf(task("generate"), false)).toEqual(["Generate the prose anew from what is above"]);
    expect(feedbackOf(task("edit", { edited: files }), false)).toEqual(["Edited by hand: chapter 1"]);
    expect(feedbackOf(task("derive", { target: "chapters" }), true)).toEqual([
      "Derive the chapters from what is below",
    ]);
  });

  it("is told as it was read: without what hung on a condition that does not hold", () => {
    const plan = {
      files: [],
      is_whole: true,
      of: [],
      feedback: ["b"],
      conditions: ['"if a" does not hold'],
      reopened: 0,
    };
    const task = NovelTask.parse({ ...iterate, feedback: ["if a, x", "b"] });
    expect(feedbackTold(task, { ...initialState(), plan })).toEqual(["b"]);
    expect(feedbackTold(task, initialState())).toEqual(["if a, x", "b"]);
  });
});

it("rounds are told with what the judge said, or why there was nothing to judge, and what was written on an older text", () => {
  const attempt = (number: number): Attempt => ({ number, problems: [], words: 0 });
  const judgment = {
    ...{ verdict: "needs_revision" as const, reasoning: "r", specific_issues: ["i"], suggestions: ["s"] },
    ...{ revise: [], missing: [], superfluous: [], by: [], is_split: false },
  };
  const attempts: Attempt[] = [
    { ...attempt(1), judgment, on: "a" },
    { ...attempt(2), problems: ["p"], on: "b" },
    { ...attempt(3), judgment: { ...judgment, verdict: "approved" } },
  ];
  const none = { reasoning: "", is_approved: false, is_before_edit: false, issues: [], suggestions: [], problems: [] };
  const said = { reasoning: "r", issues: ["i"], suggestions: ["s"] };
  expect(roundsOf(attempts, "b")).toEqual([
    { ...none, attempt: 1, ...said, is_before_edit: true },
    { ...none, attempt: 2, problems: ["p"] },
    { ...none, attempt: 3, ...said, is_approved: true },
  ]);
});

it("what a phase takes for granted is said where it is not there", () => {
  expect(() => baseOf(initialState())).toThrow("not read yet");
  expect(() => chosenAttempt(initialState())).toThrow("no attempt was chosen");
});
