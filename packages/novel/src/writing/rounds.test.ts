import { describe, expect, it } from "vitest";
import type { Attempt } from "../task.ts";
import { defaultChoice, repeatedFindings, roundsOf } from "./rounds.ts";

/** Attempts by what the judge found in each; undefined where the attempt never came before the judge. */
function attemptsOf(...rounds: (string[] | undefined)[]): Attempt[] {
  const judgment = {
    verdict: "needs_revision" as const,
    reasoning: "Not yet.",
    suggestions: [],
    revise: [],
    missing: [],
    superfluous: [],
    by: [],
    is_split: false,
  };
  return rounds.map((issues, index) => ({
    ...{ number: index + 1, problems: [], words: 10 },
    ...(issues && { judgment: { ...judgment, specific_issues: issues } }),
  }));
}

describe("a judge who says the same again", () => {
  it.each<[string, (string[] | undefined)[], number | undefined]>([
    ["the same issue twice running", [["The lamp burns."], ["The lamp burns."]], 2],
    [
      "the same issues in another order",
      [
        ["a b", "c"],
        ["c", "a b"],
      ],
      2,
    ],
    ["other capitals, spaces and stops", [["The lamp burns."], ["the lamp  burns"]], 2],
    ["an attempt in between that had no usable form", [["The lamp burns."], undefined, ["The lamp burns."]], 2],
    ["the same three times running", [["x"], ["y"], ["y"], ["y"]], 3],
    ["a single round", [["The lamp burns."]], undefined],
    ["one issue fewer", [["a", "b"], ["b"]], undefined],
    ["an old issue that comes back", [["a"], ["b"], ["a"]], undefined],
    ["no issue named at all", [[], []], undefined],
  ])("is seen by %s, or not", (_what, rounds, count) => {
    expect(repeatedFindings(attemptsOf(...rounds))?.count).toBe(count);
  });

  it("is no reason to stop: the default goes on for five rounds", () => {
    const same = Array.from({ length: 5 }, () => ["The lamp burns."]);
    expect([1, 4, 5].map((count) => defaultChoice(attemptsOf(...same.slice(0, count))))).toEqual(["yes", "yes", "no"]);
  });
});

it("whoever writes one file is told of its own faults and of what is said of none", () => {
  const of = [1, 2].map((number) => `chapters/chapter-0${number}.md`);
  const attempts = attemptsOf(["chapter-1: It burns.", "Chapter 2: It is wet.", "It is: long.", "chapter-9: Where?"]);
  expect(roundsOf(attempts, undefined, { path: of[0]!, of })[0]!.issues).toEqual([
    ...["chapter-1: It burns.", "It is: long.", "chapter-9: Where?"],
  ]);
  expect(roundsOf(attempts)[0]!.issues).toHaveLength(4);
});
