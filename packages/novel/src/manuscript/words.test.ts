import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { countWords } from "./words.ts";

describe("the words of a text", () => {
  it.each([
    "# Chapter 1: Night\n\nShe waited—no, she slept – and *did not* wake.\n\n***\n\n“Stay,” he said … twice.\n",
    "Être ou ne pas être ; c’est ça : l’idée.\n\n- eins\n- zwei 3,5\n",
    "",
  ])("are as many as wc counts: case %#", (text) => {
    expect(countWords(text)).toBe(Number(execFileSync("wc", ["-w"], { input: text, encoding: "utf8" })));
  });

  it("are signs where no spaces part them, and none in a comment", () => {
    expect(countWords("猫が走る。New York へ <!-- keep -->\n")).toBe(7);
  });
});
