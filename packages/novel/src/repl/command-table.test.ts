import { describe, expect, it } from "vitest";
import { asCommand, findReplCommand, helpLines, replCommands } from "./command-table.ts";
import { firstWord, splitWords } from "./words/words.ts";

const named = (word: string) => {
  const found = findReplCommand(word);
  return "unknown" in found ? found.unknown : found.name;
};

describe("The commands", () => {
  it("are all there, each with words for help, and each can be loaded", async () => {
    const names =
      "new open import generate iterate scope variants ask resume status history diff undo redo edit read template model cull cascade fresh export analyze stats help quit";
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

describe("A word that leaves or asks for help wherever people type", () => {
  it("is the command when it stands alone, and feedback in a sentence", () => {
    expect(["exit", "Quit", "bye!", "help"].map(asCommand)).toEqual(["/quit", "/quit", "/quit", "/help"]);
    for (const line of ["Exit the king in act two", "help her", "constructor"]) expect(asCommand(line)).toBe(line);
    expect([named("exit"), named("q")]).toEqual(["quit", "quit"]);
    expect(named("constructor")).toContain("Unknown command");
  });
});

describe("The list of commands", () => {
  it.each([40, 80, 120])("keeps each help in its own column at %i columns", (columns) => {
    const lines = helpLines(replCommands, columns);
    const column = /^ {2}\/new NAME +/.exec(lines[0]!)![0].length;
    for (const line of lines) {
      expect(line).toMatch(/^ {2}\/|^ {20,}/);
      expect(line.length).toBeLessThanOrEqual(Math.max(columns, column + 20));
      if (!line.startsWith("  /")) expect(line.search(/\S/)).toBe(column);
    }
  });
});

describe("The words after a command", () => {
  it("are split at spaces, with quotation marks and backslashes for those that hold one", () => {
    expect(splitWords(`a "b c" 'd e' f\\ g`)).toEqual(["a", "b c", "d e", "f g"]);
    expect(splitWords(`what="b c" who='d e' it's x="open end`)).toEqual([
      ...["what=b c", "who=d e", "it's", 'x="open', "end"],
    ]);
    expect(splitWords("a „b c“ »d e« was=«f g» “h i”")).toEqual(["a", "b c", "d e", "was=f g", "h i"]);
    expect(splitWords("  ")).toEqual([]);
    expect(splitWords('""')).toEqual([""]);
    expect(splitWords("end\\")).toEqual(["end", "\\"]);
  });

  it("keep their line breaks after the first", () => {
    expect(firstWord("premise A story\nof two lines \n")).toEqual(["premise", "A story\nof two lines"]);
    expect(firstWord("")).toEqual(["", ""]);
  });
});
