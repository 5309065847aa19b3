// What a line or a flag says to a gate, with the words that a package adds.

import type { GateRecord, GateWords } from "@loopwright/core";
import { describe, expect, it } from "vitest";
import { FlagAnswers, readChoice as read, readAnswer, refuseAnswer } from "./answers.ts";

const gates: Readonly<Record<string, GateWords>> = {
  downstream: { synonyms: { yes: "cull-all", no: "keep-all" }, empty: null },
  continue: { empty: null },
  detail: { empty: "skip" },
  accept: { empty: null },
};

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

const readChoice = (asked: GateRecord, line: string) => read(asked, line, gates);
const flags = (given: string[], takesDefaults: boolean) =>
  new FlagAnswers({ list: () => given, isSet: () => takesDefaults }, gates);
const policy = (given: string[], takesDefaults: boolean) => {
  const answers = flags(given, takesDefaults);
  return (asked: GateRecord) => answers.policy(asked);
};

const downstream = gate("downstream", ["cull-all", "keep-all", "cancel"], "cancel");
const continues = gate("continue", ["yes", "no", "view-partial"]);
const detail = gate("detail", ["foundation", "chapter-1", "chapter-3", "chapter-10", "all", "skip"], "skip");
const accept = gate("accept", ["yes", "no", "diff"], "no");

describe("An answer", () => {
  it("is a whole word or an unambiguous beginning, however it is written", () => {
    expect(readChoice(accept, " YES ")).toBe("yes");
    expect(readChoice(accept, "d")).toBe("diff");
    expect(readChoice(continues, "view partial")).toBe("view-partial");
    expect(readChoice(continues, "v")).toBe("view-partial");
  });

  it("is asked for again where it fits nothing or more than one", () => {
    expect(readChoice(downstream, "c")).toBeUndefined();
    expect(readChoice(accept, "maybe")).toBeUndefined();
    expect(readChoice(detail, "chapter")).toBeUndefined();
  });

  it("that is none says so with the choices, and one that fits several names those", () => {
    expect(refuseAnswer(accept, "maybe", gates)).toBe("'maybe' is none of: yes, no, diff");
    expect(refuseAnswer(downstream, "c", gates)).toBe("'c' fits cull-all and cancel: type more of it");
    expect(refuseAnswer(accept, "  ", gates)).toBe("Please answer with one of: yes, no, diff");
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
    for (const other of [downstream, continues, accept]) expect(readChoice(other, "  ")).toBeUndefined();
  });
});

describe("A note", () => {
  it("may follow a choice", () => {
    expect(readAnswer(accept, "no: too slow", gates)).toEqual({ choice: "no", note: "too slow" });
    expect(readAnswer(accept, "n : see 3: it ends there", gates)).toEqual({
      choice: "no",
      note: "see 3: it ends there",
    });
    expect(readAnswer(accept, "yes", gates)).toEqual({ choice: "yes" });
    expect(readAnswer(accept, "perhaps: later", gates)).toBeUndefined();
    expect(readAnswer(accept, ": later", gates)).toBeUndefined();
  });

  it("may follow without a colon where the gate's words say so", () => {
    const reach = gate("reach", ["yes", "all", "add", "drop"]);
    const words = { reach: { noted: ["add", "drop"] } };
    expect(readAnswer(reach, " Add 5, 7-9", words)).toEqual({ choice: "add", note: "5, 7-9" });
    expect(readAnswer(reach, "drop: 3", words)).toEqual({ choice: "drop", note: "3" });
    expect(readAnswer(reach, "all of it", words)).toBeUndefined();
  });
});

describe("Flags", () => {
  it("that answered no gate are named, with the gate that the run waits at", () => {
    const given = flags(["aprove=yes", "accept=y"], false);
    given.policy(accept);
    expect(given.unused(downstream)).toEqual([
      "--answer aprove: no gate of that name was asked; the run waits at 'downstream'",
    ]);
  });

  it("answer the gates that they name, and with --yes the others by default", () => {
    const says = policy(["accept=y", "downstream=yes"], true)!;
    expect(says(accept)).toEqual({ choice: "yes", by: "flag" });
    expect(says(downstream)).toEqual({ choice: "cull-all", by: "flag" });
    expect(says(continues)).toEqual({ choice: "yes", by: "default" });
    expect(policy(["accept=y"], false)!(continues)).toBeUndefined();
    expect(policy([], false)(continues)).toBeUndefined();
  });

  it("that cannot be meant are refused", () => {
    expect(() => policy(["accept"], false)).toThrow("--answer wants GATE=CHOICE");
    expect(() => policy(["accept=perhaps"], false)!(accept)).toThrow("the gate offers yes, no, diff");
  });
});

const plain = { choices: ["yes", "no", "not sure", "Give up"], default: "no" };

describe("a line that is answered", () => {
  it.each([
    ["yes", "yes"],
    ["YES", "yes"],
    ["  yes \t", "yes"],
    ["y", "yes"],
    ["no", "no"],
    ["not", "not sure"],
    ["give", "Give up"],
    ["", "no"],
    ["   ", "no"],
  ])("'%s' means '%s'", (line, choice) => {
    expect(read({ name: "any", ...plain }, line)).toBe(choice);
  });

  it.each(["n", "maybe", "yes please", "up", "*"])("'%s' means none of them, or more than one", (line) => {
    expect(read({ name: "any", ...plain }, line)).toBeUndefined();
  });

  it("means the whole word first, where that is also the beginning of another", () => {
    expect(read({ name: "any", choices: ["retry later", "retry"], default: "retry" }, "retry")).toBe("retry");
  });
});
