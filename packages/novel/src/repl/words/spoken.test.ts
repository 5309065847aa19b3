import { describe, expect, it } from "vitest";
import { confirmWords, readSpoken } from "./spoken.ts";

const accept = { name: "accept", choices: ["yes", "no", "diff"] };
const downstream = { name: "downstream", choices: ["cull-all", "keep-all", "cancel"] };

describe("readSpoken", () => {
  it.each([
    ["yes, but bring the brother back", "yes", "bring the brother back"],
    ["Yes but bring the brother back", "yes", "bring the brother back"],
    ["no, because it is too cute", "no", "it is too cute"],
    ["no: it is too cute", "no", "it is too cute"],
    ["n, it is too cute", "no", "it is too cute"],
    ["no — too cute,\nand too long", "no", "too cute,\nand too long"],
    ["ok, but shorter", "yes", "shorter"],
  ])("takes '%s' as a choice and what was said with it", (line, choice, note) => {
    expect(readSpoken(accept, line)).toEqual({ choice, note });
  });

  it.each([
    "yes",
    "no",
    "diff",
    "no, wait",
    "yes please now",
    "maybe, but later on",
    "the brother, he should stay",
    "",
  ])("leaves '%s' to the gate", (line) => expect(readSpoken(accept, line)).toBeUndefined());

  it("knows a gate's own words for yes and no, and no gate at which nothing can be said", () => {
    expect(readSpoken(downstream, "no, but leave chapter 9 alone")).toEqual({
      choice: "keep-all",
      note: "leave chapter 9 alone",
    });
    expect(readSpoken({ name: "detail", choices: ["all", "skip"] }, "skip, because I know it")).toBeUndefined();
  });
});

describe("confirmWords", () => {
  it("says in one line what is about to be done", () => {
    expect(confirmWords(accept, { choice: "yes", note: "bring\nhim back" })).toBe(
      'Accept, and then go on with "bring him back"?',
    );
    expect(confirmWords(accept, { choice: "no", note: "too cute" })).toBe('Reject, and try again with "too cute"?');
    expect(confirmWords({ name: "continue", choices: [] }, { choice: "no", note: "x y" })).toContain("Stop here");
  });
});
