import { describe, expect, it } from "vitest";
import { findReplCommand, replCommands } from "./command-table.ts";
import { firstWord, splitWords } from "./words/command-words.ts";

const named = (word: string) => {
  const found = findReplCommand(word);
  return "unknown" in found ? found.unknown : found.name;
};

describe("The commands", () => {
  it("are all there, each with words for help, and each can be loaded", async () => {
    const names =
      "new open import generate iterate variants ask resume status history diff undo redo edit read template model cull cascade merge split move drop export analyze stats help quit";
    expect(replCommands.map(({ name }) => name)).toEqual(names.split(" "));
    for (const command of replCommands) {
      expect(command.help).not.toBe("");
      expect(typeof (await command.load())).toBe("function");
    }
  });

  it("are found by name, by an unambiguous beginning, in any case", () => {
    expect(named("status")).toBe("status");
    expect(named("Gen")).toBe("generate");
    expect(named("ana")).toBe("analyze");
  });

  it("that are not known are answered with the nearest", () => {
    expect(named("generaet")).toBe("Unknown command /generaet. Did you mean /generate?");
    expect(named("stat")).toBe("Unknown command /stat. Did you mean /status?");
    expect(named("xyzzyx")).toBe("Unknown command /xyzzyx. /help lists the commands");
    expect(named("")).toContain("Unknown command /");
  });
});

describe("The words after a command", () => {
  it("are split at spaces, with quotation marks and backslashes for those that hold one", () => {
    expect(splitWords(`a "b c" 'd e' f\\ g`)).toEqual(["a", "b c", "d e", "f g"]);
    expect(splitWords(`what="b c" who='d e' it's x="open end`)).toEqual([
      ...["what=b c", "who=d e", "it's", 'x="open', "end"],
    ]);
    expect(splitWords("  ")).toEqual([]);
    expect(splitWords('""')).toEqual([""]);
    expect(splitWords("end\\")).toEqual(["end", "\\"]);
  });

  it("keep their line breaks after the first", () => {
    expect(firstWord("premise A story\nof two lines \n")).toEqual(["premise", "A story\nof two lines"]);
    expect(firstWord("")).toEqual(["", ""]);
  });
});
