// Which choice a line means.

import { describe, expect, it } from "vitest";
import { readChoice } from "./questions.ts";

const gate = { choices: ["yes", "no", "not sure", "Give up"], default: "no" };

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
    expect(readChoice(gate, line)).toBe(choice);
  });

  it.each(["n", "maybe", "yes please", "up", "*"])("'%s' means none of them, or more than one", (line) => {
    expect(readChoice(gate, line)).toBeUndefined();
  });

  it("means the whole word first, where that is also the beginning of another", () => {
    expect(readChoice({ choices: ["retry later", "retry"], default: "retry" }, "retry")).toBe("retry");
  });
});
