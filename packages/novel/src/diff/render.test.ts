import { widthOf } from "@loopwright/terminal";
import { describe, expect, it } from "vitest";
import { fileTitle, foldPieces, renderHeading, renderSection, wrapPieces } from "./render.ts";
import { diffSections } from "./sections.ts";

const seen = (before: string, after: string, style = {}) =>
  diffSections(before, after)
    .map((section) => renderSection(section, style))
    .join("\n\n");

describe("a section as text", () => {
  it("has its title, its lines, and both versions", () => {
    expect(seen("# One\n\nHe felt refreshed.\n", "# One\n\nHe felt sick.\n")).toBe(
      `Opening, paragraph 1 of 1 (Line 3):

  OLD:
    He felt refreshed.

  NEW:
    He felt sick.`,
    );
  });

  it("leaves the side out that does not exist, and says whose lines it counts", () => {
    expect(seen("a\n", "a\n\nb\n")).toBe("Ending, paragraph 2 of 2 (Line 3):\n\n  NEW:\n    b");
    expect(seen("a\n\nb\nc\n", "a\n")).toBe(
      "Ending, paragraph 2 of 2 (Lines 3-4 of the old version):\n\n  OLD:\n    b\n    c",
    );
  });

  it("marks changed words as it is told, on each line anew", () => {
    const mark = (text: string, side: "old" | "new") => (side === "old" ? `[-${text}-]` : `{+${text}+}`);
    const before = "one two three four five six seven eight nine ten eleven twelve\n";
    const after = before.replace("five six", "fünf sechs sieben acht neun");
    expect(seen(before, after, { width: 34, mark })).toBe(
      `Opening, paragraph 1 of 1 (Line 1):

  OLD:
    one two three four [-five six-]
    seven eight nine ten eleven
    twelve

  NEW:
    one two three four {+fünf sechs+}
    {+sieben acht neun+} seven eight
    nine ten eleven twelve`,
    );
  });

  it("keeps within its width, wide signs and pictures counted as they are seen", () => {
    const words = "灯火 🕯️ lamp ".repeat(40);
    for (const line of wrapPieces([{ text: words, isChanged: true }], 30, (text) => text))
      expect(widthOf(line)).toBeLessThanOrEqual(30);
  });

  it("keeps empty lines between paragraphs", () => {
    expect(wrapPieces([{ text: "a\n\nb", isChanged: false }], 30, (text) => text)).toEqual(["a", "", "b"]);
  });
});

describe("the heading of a file's changes", () => {
  it("names the file as its reader does", () => {
    expect(renderHeading("chapter-beats/chapter-03.md")).toBe("━━━ Chapter 3: Detailed Changes ━━━");
    expect(fileTitle("chapters/chapter-120.md")).toBe("Chapter 120");
    expect(fileTitle("chapter-beats/foundation.md")).toBe("Foundation");
    expect(fileTitle("premise/premise_metadata.json")).toBe("Premise");
    expect(fileTitle("treatment/treatment.md")).toBe("Treatment");
    expect(fileTitle("notes.md")).toBe("notes.md");
  });
});

it("what is far from a change is left out, and stands where it is near", () => {
  const words = (word: string) => Array.from({ length: 100 }, (_, at) => `${word}${at}`).join(" ");
  const folded = foldPieces([
    { text: `${words("a")} `, isChanged: false },
    { text: "new", isChanged: true },
    { text: ` ${words("b")} `, isChanged: false },
    { text: "newer", isChanged: true },
    { text: " and the end.", isChanged: false },
  ]);
  const text = folded.map((piece) => piece.text).join("");
  expect(text).toMatch(/^… a75 .* a99 new b0 .* b24 … b75 .* b99 newer and the end\.$/);
  const same = [{ text: words("a"), isChanged: false }];
  expect(foldPieces(same)).toEqual(same);
});
