import { describe, expect, it } from "vitest";
import type { Book } from "../book.ts";
import { importManuscript } from "../import.ts";
import { exportMarkdown } from "./markdown.ts";

async function again(book: Book) {
  return importManuscript(Buffer.from(exportMarkdown(book)));
}

describe("a book as Markdown", () => {
  it("has what is known of it in front and a heading for each chapter", () => {
    const book = {
      title: "Salt: a novel",
      author: "A. B.",
      language: "en",
      chapters: [
        { title: "One", markdown: "\n\nText *as it is*,\nline by line.\n\n---\n\nMore.\n\n" },
        { title: "2. *Two*", markdown: "" },
      ],
    };
    expect(exportMarkdown(book)).toBe(
      '---\ntitle: "Salt: a novel"\nauthor: A. B.\nlang: en\n---\n\n# One\n\nText *as it is*,\nline by line.\n\n---\n\nMore.\n\n# 2\\. \\*Two\\*\n',
    );
  });

  it("leaves comments out and moves inner headings below those of chapters", () => {
    const markdown = "# Inner\n\na<!-- keep --> b<!-- /keep -->\n\nDeeper\n---\n\n#\n\nc";
    expect(exportMarkdown({ title: "T", chapters: [{ title: "One", markdown }] })).toBe(
      "---\ntitle: T\nchapter-level: 1\n---\n\n# One\n\n## Inner\n\na b\n\n### Deeper\n\n***\n\nc\n",
    );
  });

  it("does not say a chapter's title twice", () => {
    expect(exportMarkdown({ title: "T", chapters: [{ title: "One", markdown: "# One\n\nText." }] })).toBe(
      "---\ntitle: T\n---\n\n# One\n\nText.\n",
    );
  });

  it("comes back as it was, however its inner headings outnumber its chapters", async () => {
    const book = {
      title: 'A "B": #c',
      author: "D",
      language: "de",
      chapters: [
        { title: "The Inn", markdown: "a\n\n## x\n\nb\n\n## y\n\nc[^1]\n\n[^1]: Note." },
        { title: "1986. #5 & <b>", markdown: "שלום 😀\n\n```\n# code\n```" },
        { title: "Third", markdown: "## z\n\nd\\\ne" },
      ],
    };
    expect(await again(book)).toEqual({ ...book, notes: [] });
  });

  it("keeps chapters apart where one leaves a fence or a piece of HTML open", async () => {
    const chapters = [
      { title: "One", markdown: "a\n\n```\nopen" },
      { title: "Two", markdown: "b <!-- never closed" },
      { title: "Three", markdown: "# In\n\n<pre>\nc" },
      { title: "Four", markdown: "d" },
    ];
    const { chapters: read } = await again({ title: "T", chapters });
    expect(read.map(({ title }) => title)).toEqual(["One", "Two", "Three", "Four"]);
    expect(read[0]!.markdown).toBe("a\n\n```\nopen\n```");
    expect(read[1]!.markdown).toContain("never closed");
    expect(read[2]!.markdown).toBe("## In\n\n\\<pre> c");
  });

  it("is only its front for a book without chapters, and names what has no title", async () => {
    expect(exportMarkdown({ title: "", chapters: [] })).toBe("---\ntitle: Untitled\n---\n");
    expect(
      (
        await again({
          title: "",
          chapters: [
            { title: "", markdown: "a" },
            { title: " ", markdown: "b" },
          ],
        })
      ).chapters,
    ).toEqual([
      { title: "Chapter 1", markdown: "a" },
      { title: "Chapter 2", markdown: "b" },
    ]);
  });
});
