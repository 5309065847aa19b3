import type { GateRecord } from "@loopwright/core";
import { describe, expect, it } from "vitest";
import { answerPolicy, questionOf, readChoice } from "./gate-words.ts";

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
const goOn = gate("continue", ["yes", "no", "view-partial"]);
const detail = gate("detail", ["foundation", "chapter-1", "chapter-3", "chapter-10", "all", "skip"], "skip");
const accept = gate("accept", ["yes", "no", "diff"], "no");

describe("A gate's question", () => {
  it("is the one that a writer knows, with its choices", () => {
    expect(questionOf(downstream)).toBe("Action: (cull-all/keep-all/cancel): ");
    expect(questionOf(goOn)).toBe("Continue with judge feedback? (yes/no/view-partial): ");
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

describe("An answer", () => {
  it("is a whole word or an unambiguous beginning, however it is written", () => {
    expect(readChoice(accept, " YES ")).toBe("yes");
    expect(readChoice(accept, "d")).toBe("diff");
    expect(readChoice(goOn, "view partial")).toBe("view-partial");
    expect(readChoice(goOn, "v")).toBe("view-partial");
  });

  it("is asked for again where it fits nothing or more than one", () => {
    expect(readChoice(downstream, "c")).toBeUndefined();
    expect(readChoice(accept, "maybe")).toBeUndefined();
    expect(readChoice(detail, "chapter")).toBeUndefined();
  });

  it("may be yes or no at the downstream gate", () => {
    expect(["yes", "y", "cu", "no", "n", "k", "ca"].map((word) => readChoice(downstream, word))).toEqual([
      "cull-all",
      "cull-all",
      "cull-all",
      "keep-all",
      "keep-all",
      "keep-all",
      "cancel",
    ]);
  });

  it("may name a chapter by its number", () => {
    expect(["3", "03", "chapter 3", "chapter-03", "chapter10"].map((word) => readChoice(detail, word))).toEqual([
      "chapter-3",
      "chapter-3",
      "chapter-3",
      "chapter-3",
      "chapter-10",
    ]);
    expect(readChoice(detail, "chapter-1")).toBe("chapter-1");
    expect(readChoice(detail, "7")).toBeUndefined();
  });

  it("is needed: an empty line ends nothing, and only leaves the details", () => {
    expect(readChoice(detail, "")).toBe("skip");
    for (const other of [downstream, goOn, accept]) expect(readChoice(other, "  ")).toBeUndefined();
  });
});

describe("Flags", () => {
  it("answer the gates that they name, and with --yes the others by default", () => {
    const policy = answerPolicy(["accept=y", "downstream=yes"], true)!;
    expect(policy(accept)).toEqual({ choice: "yes", by: "flag" });
    expect(policy(downstream)).toEqual({ choice: "cull-all", by: "flag" });
    expect(policy(goOn)).toEqual({ choice: "yes", by: "default" });
    expect(answerPolicy(["accept=y"], false)!(goOn)).toBeUndefined();
    expect(answerPolicy([], false)).toBeUndefined();
  });

  it("that cannot be meant are refused", () => {
    expect(() => answerPolicy(["accept"], false)).toThrow("--answer wants GATE=CHOICE");
    expect(() => answerPolicy(["accept=perhaps"], false)!(accept)).toThrow("the gate offers yes, no, diff");
  });
});
