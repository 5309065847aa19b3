import type { GateRecord } from "@loopwright/core";
import { describe, expect, it } from "vitest";
import { answerLine, questionOf } from "./words.ts";

const gate = (name: string, choices: string[], fallback = choices[0]!): GateRecord => ({
  id: `${name}@1#1`,
  name,
  question: "Own words?",
  choices,
  default: fallback,
  accepting: [],
  about: "",
  openedAt: 0,
});

const downstream = gate("downstream", ["cull-all", "keep-all", "cancel"], "cancel");
const asked = gate("continue", ["yes", "no", "view-partial"]);
const accept = gate("accept", ["yes", "no", "diff"], "no");

describe("A gate's question", () => {
  it("is the one that a writer knows, with its choices", () => {
    expect(questionOf(downstream)).toBe("Action: (cull-all/keep-all/cancel): ");
    expect(questionOf(asked)).toBe("Continue with judge feedback? (yes/no/view-partial): ");
    expect(questionOf(gate("detail", ["foundation", "chapter-3", "all", "skip"]))).toBe(
      "View detailed text diff? (foundation/chapter-3/all/skip): ",
    );
    expect(questionOf(accept)).toBe("Accept these changes? (yes/no/diff): ");
  });

  it("is its own where it is not known, and no judge's where the judge never saw the attempt", () => {
    expect(questionOf(gate("edited", ["again", "no"]))).toBe("Own words? (again/no): ");
    expect(questionOf(gate("continue", ["yes", "no"]))).toBe("Try again? (yes/no): ");
    expect(questionOf(gate("toString", ["yes"]))).toBe("Own words? (yes): ");
  });

  it("lists the first and last of many choices", () => {
    const many = Array.from({ length: 200 }, (_, at) => `chapter-${at + 1}`);
    expect(questionOf(gate("detail", [...many, "all", "skip"]))).toMatch(/\(chapter-1\/.*chapter-9\/…\/all\/skip\): $/);
  });
});

describe("A line at a gate", () => {
  const detail = gate("detail", ["foundation", "chapter-3", "chapter-13", "all", "skip", "say"]);
  it.each([
    [downstream, "yes", "yes"],
    [downstream, "Cull All", "cull-all"],
    [downstream, "k", "keep-all"],
    [downstream, "c", "c"],
    [detail, "3", "chapter-3"],
    [detail, "chapter 13", "chapter-13"],
    [detail, "", ""],
    [detail, "no, it is too cute", "say: no, it is too cute"],
    [accept, "no, it is too cute", "no, it is too cute"],
    [gate("clarify", ["skip", "say"]), "The brother", "say: The brother"],
    [gate("clarify", ["skip", "say"]), "", "skip"],
  ])("%j, '%s' is handed on as '%s'", (at, line, read) => expect(answerLine(at, line)).toBe(read));
});
