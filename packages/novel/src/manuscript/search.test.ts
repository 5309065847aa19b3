import { describe, expect, it } from "vitest";
import { searchBook, wordsToLookFor } from "./search.ts";

const files = [
  {
    path: "chapters/chapter-01.md",
    content: "# The Light\n\nMara trims the lamp.\n\nThe lamp goes out. 灯塔看守人。\n",
  },
  { path: "chapters/chapter-02.md", content: "\uFEFF# Fog\r\n\r\nThe café’s lights are\r\nout. <!-- the lamp -->\r\n" },
  { path: "chapters/chapter-03.md", content: "# Morning\n\nNothing of note happens to the keepers.\n" },
];

describe("searching a book", () => {
  it.each<[string, string[], string[]]>([
    ["finds a word wherever it stands, in titles too", ["light"], ["chapters/chapter-01.md", "chapters/chapter-02.md"]],
    ["finds a word within others, whatever the case", ["KEEPER"], ["chapters/chapter-03.md"]],
    ["does without accents and with any apostrophe", ["cafe's"], ["chapters/chapter-02.md"]],
    ["finds a phrase over the end of a line", ["lights are out"], ["chapters/chapter-02.md"]],
    ["finds short words of scripts without spaces", ["灯塔"], ["chapters/chapter-01.md"]],
    ["takes the signs of its own language as text", ['lamp" OR "fog', "a*"], []],
    ["reads no comments", ["the lamp -->"], []],
    ["looks for nothing where there is nothing to look for", ["", " "], []],
  ])("%s", (_, words, paths) => {
    expect(
      searchBook(files, words)
        .map(({ path }) => path)
        .sort(),
    ).toEqual(paths);
  });

  it("shows how many paragraphs hold the words and those that hold most, the best file first", () => {
    expect(searchBook(files, ["out", "lamp"])).toEqual([
      {
        path: "chapters/chapter-01.md",
        count: 2,
        excerpts: ["The lamp goes out. 灯塔看守人。", "Mara trims the lamp."],
      },
      { path: "chapters/chapter-02.md", count: 1, excerpts: ["The café's lights are out."] },
    ]);
  });

  it("takes the words of a question in any script", () => {
    expect(wordsToLookFor("Who is Mara’s keeper in chapter 3?")).toEqual(["Who", "Mara’s", "keeper", "chapter", "3"]);
    expect(wordsToLookFor("灯塔看守人是谁")).toContain("灯塔");
  });
});
