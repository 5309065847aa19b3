import { describe, expect, it } from "vitest";
import { exportMarkdown } from "./book.ts";
import { candidateLines, importManuscript, splitAt } from "./import.ts";

const read = (text: string) => importManuscript(Buffer.from(text));
const titles = async (text: string) => (await read(text)).chapters.map(({ title }) => title);

describe("a manuscript in Markdown", () => {
  it.each<[string, string, string[]]>([
    ["at its headings", "# One\n\na\n\n# Two\n\nb", ["One", "Two"]],
    ["below the book's title", "# Salt\n\n## One\n\na\n\n## Two\n\nb", ["One", "Two"]],
    [
      "not at the headings inside its chapters",
      "# One\n\na\n\n## x\n\nb\n\n# Two\n\nc\n\n## y\n\nd\n\n## z\n",
      ["One", "Two"],
    ],
    [
      "below the titles of its parts",
      "# Sea\n\n## One\n\na\n\n## Two\n\nb\n\n# Land\n\n## Three\n\nc",
      ["Sea: One", "Two", "Land: Three"],
    ],
    [
      "at headings that are underlined, and not at scene breaks",
      "One\n===\n\nHe left.\n---\nb\n\nTwo\n===\n\nc",
      ["One", "Two"],
    ],
    ["with titles as plain text", "# *One* &mdash; \\#1\n\na\n\n# Two<br>b\n\nb", ["One — #1", "Two b"]],
    ["with chapters that are empty", "# One\n\na\n\n# Two\n\n# Three\n\nc", ["One", "Two", "Three"]],
    ["and not inside a comment or a fence", "# One\n\n<!--\n# No\n-->\n```\n# No\n```\n\n# Two\n\nb", ["One", "Two"]],
    ["whatever its line ends and its mark", "\uFEFF# One\r\n\r\na\r\n\r\n# Two\r\n\r\nb", ["One", "Two"]],
  ])("is split %s", async (_, text, expected) => {
    expect(await titles(text)).toEqual(expected);
  });

  it("loses nothing: what is before the chapters, comments, and text as it stands", async () => {
    const { chapters, notes } = await read(
      "To Ann.\n\n# Prologue\n\n*a*  b<!-- keep -->c<!-- /keep -->\n\n***\n\nd[^1]\n\n[^1]: e\n\n# One\n\nf\n\n# Epilogue\n\ng\n",
    );
    expect(chapters).toEqual([
      { title: "", markdown: "To Ann.", part: "front-matter" },
      {
        title: "Prologue",
        markdown: "*a*  b<!-- keep -->c<!-- /keep -->\n\n***\n\nd[^1]\n\n[^1]: e",
        part: "prologue",
      },
      { title: "One", markdown: "f" },
      { title: "Epilogue", markdown: "g", part: "epilogue" },
    ]);
    expect(notes).toEqual(["The text before the first chapter became the front matter, which has no number."]);
  });

  it("says what stands in front of it, where that is about the book", async () => {
    const facts = "---\ntitle: Salt\nauthor: [A, B]\nlang: de\nfont: x\n---\n\n# One\n\na\n";
    expect(await read(facts)).toEqual({
      ...{ title: "Salt", author: "A, B", language: "de", chapters: [{ title: "One", markdown: "a" }] },
      notes: ["Of what stands in front of the text, this was left out: font."],
    });
    for (const text of ["---\nHe left.\n---\n\n# One", "---\na: [\n---\n\n# One\n\nb"])
      expect((await read(text)).title).toBeUndefined();
  });

  it("comes back as it was exported", async () => {
    const book = {
      ...{ title: 'A "B": #c', author: "D", language: "de" },
      chapters: [
        { title: "The *Inn*", markdown: "a\n\n## x\n\nb\n\n## y\n\nc[^1]\n\n[^1]: Note." },
        { title: "1986. #5 & <b>", markdown: "שלום 😀\n\n```\n# code\n```" },
        { title: "Third_", markdown: "## z\n\nd\\\ne" },
      ],
    };
    expect(await read(exportMarkdown(book))).toEqual({ ...book, notes: [] });
  });
});

describe("a manuscript in plain text", () => {
  const text = "SALT\n\nfor Ann\n\nI\n\nThe lamp was lit.\nNobody came.\n\nII. The Road\n\nShe left.\n";

  it("is one chapter, and may be split at lines that stand alone", async () => {
    const imported = await read(text);
    expect(imported.chapters).toEqual([{ title: "Chapter 1", markdown: text.trim() }]);
    expect(imported.notes).toEqual([expect.stringContaining("the whole text is one chapter")]);
    expect(candidateLines(imported.text!)).toEqual([
      { line: 1, text: "SALT" },
      { line: 3, text: "for Ann" },
      { line: 5, text: "I" },
      { line: 10, text: "II. The Road" },
      { line: 12, text: "She left." },
    ]);
    expect(
      splitAt(imported.text!, [
        { line: 10, title: "II. The Road" },
        { line: 5, title: "I" },
      ]),
    ).toEqual([
      { title: "", markdown: "SALT\n\nfor Ann", part: "front-matter" },
      { title: "I", markdown: "The lamp was lit.\nNobody came." },
      { title: "II. The Road", markdown: "She left." },
    ]);
  });

  it("may be empty", async () => {
    expect(await read(" \n")).toEqual({ chapters: [], notes: ["There is no text in it."] });
  });

  it.each<[string, Uint8Array | string, RegExp]>([
    ["a Word file", Buffer.from("PK\u0003\u0004\0\0"), /Save it as Markdown or plain text/],
    ["no UTF-8", Buffer.from([0x41, 0xe9, 0x42]), /The manuscript is no text in UTF-8/],
    ["not there", "/nowhere/book.md", /ENOENT/],
    ["a folder", "/", /EISDIR/],
  ])("is refused where it is %s", async (_, source, message) => {
    await expect(importManuscript(source)).rejects.toThrow(message);
  });
});
