import { describe, expect, it } from "vitest";
import { sampleProject, writeFiles } from "../../../../test/fixtures/novel/manuscript.ts";
import { bookOf, chaptersToProse } from "./book.ts";
import { openManuscript } from "./files/open.ts";

describe("a book", () => {
  it("has each chapter's title and the text below it", async () => {
    const folder = sampleProject({ levels: [], project: "title: A\nauthor: B\nlanguage: en\n" });
    writeFiles(folder, [
      { path: "chapters/chapter-01.md", content: "# One\r\n\r\nText.\r\n\r\n## A part\r\n\r\nMore.\r\n" },
      { path: "chapters/chapter-02.md", content: "No title.\n\n# Late\n" },
      { path: "chapters/chapter-03.md", content: "<!-- keep -->\n# Three\n\nKept.\n<!-- /keep -->\n" },
    ]);
    expect(await bookOf(await openManuscript(folder))).toEqual({
      title: "A",
      author: "B",
      language: "en",
      chapters: [
        { title: "One", markdown: "Text.\n\n## A part\n\nMore." },
        { title: "Chapter 2", markdown: "No title.\n\n# Late" },
        { title: "Three", markdown: "<!-- keep -->\n\nKept.\n<!-- /keep -->" },
      ],
    });
  });

  it("comes back as it was after it became prose", async () => {
    const chapters = [
      { title: "Opening\n lines", markdown: "Text.\r\n\r\nMore." },
      { title: "", markdown: "Untitled text." },
      { title: "خاتمة 🕯️", markdown: "" },
    ];
    const folder = sampleProject({ levels: [] });
    writeFiles(folder, chaptersToProse(chapters));
    expect((await bookOf(await openManuscript(folder))).chapters).toEqual([
      { title: "Opening lines", markdown: "Text.\n\nMore." },
      { title: "Chapter 2", markdown: "Untitled text." },
      { title: "خاتمة 🕯️", markdown: "" },
    ]);
    expect(chaptersToProse(Array.from({ length: 100 }, () => chapters[0]!)).at(-1)!.path).toBe(
      "chapters/chapter-100.md",
    );
  });
});
