import { describe, expect, it } from "vitest";
import { type Attempt, baseOf, chosenAttempt, initialState, migrate, NovelTask } from "./task.ts";
import { defaultChoice, feedbackOf, roundsOf } from "./writing/rounds.ts";

const iterate = { kind: "iterate", target: "prose", feedback: ["x"], iteration_id: "a-1" };
const files = [{ path: "chapters/chapter-01.md", content: "x" }];

describe("a task", () => {
  it("has one judge and all roles unless it says otherwise", () => {
    expect(NovelTask.parse(iterate)).toMatchObject({ judges: 1, has_judge: true, has_summarizer: true });
  });

  it.each([
    ["feedback that is empty", { ...iterate, feedback: [" "] }],
    ["an iteration without feedback", { ...iterate, feedback: [] }],
    ["an edit without a text", { ...iterate, kind: "edit" }],
    ["a text that is no edit", { ...iterate, edited: files }],
    ["a level that is none", { ...iterate, target: "analysis" }],
    ["three judges", { ...iterate, judges: 3 }],
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
});

describe("rounds", () => {
  const attempt = (number: number): Attempt => ({ number, problems: [], retry_count: 0, words: 0 });

  it("go on by default until there were five", () => {
    const choices = [1, 2, 3, 4, 5, 6].map((count) =>
      defaultChoice(Array.from({ length: count }, (_, n) => attempt(n + 1))),
    );
    expect(choices).toEqual(["yes", "yes", "yes", "yes", "no", "no"]);
  });

  it("are told with what the judge said, or why there was nothing to judge", () => {
    const judgment = {
      verdict: "needs_revision" as const,
      reasoning: "r",
      specific_issues: ["i"],
      suggestions: ["s"],
    };
    expect(
      roundsOf(
        [
          { ...attempt(1), judgment, on: "a" },
          { ...attempt(2), problems: ["p"], on: "b" },
          { ...attempt(3), judgment: { ...judgment, verdict: "approved" } },
        ],
        "b",
      ),
    ).toEqual([
      {
        attempt: 1,
        reasoning: "r",
        is_approved: false,
        is_before_edit: true,
        issues: ["i"],
        suggestions: ["s"],
        problems: [],
      },
      {
        attempt: 2,
        reasoning: "",
        is_approved: false,
        is_before_edit: false,
        issues: [],
        suggestions: [],
        problems: ["p"],
      },
      {
        attempt: 3,
        reasoning: "r",
        is_approved: true,
        is_before_edit: false,
        issues: ["i"],
        suggestions: ["s"],
        problems: [],
      },
    ]);
  });
});

it("the state of a run of before version 3 is read by its older names", () => {
  const { answer_problems: _, ...state } = initialState();
  const judgement = { verdict: "approved" as const, reasoning: "r", specific_issues: [], suggestions: [] };
  const attempt = { number: 1, problems: [], retry_count: 0, words: 0 };
  const migrated = migrate({ ...state, said_back: ["a gap"], attempts: [{ ...attempt, judgement }, attempt] });
  expect(migrated.answer_problems).toEqual(["a gap"]);
  expect(migrated.attempts).toEqual([{ ...attempt, judgment: judgement }, attempt]);
});

it("what a phase takes for granted is said where it is not there", () => {
  expect(() => baseOf(initialState())).toThrow("not read yet");
  expect(() => chosenAttempt(initialState())).toThrow("no attempt was chosen");
});
