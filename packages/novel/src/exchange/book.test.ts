import { describe, expect, it } from "vitest";
import { bookFileName, soundBook } from "./book.ts";

describe("a book made sound", () => {
  it("fills missing titles, and names untitled chapters by their number", () => {
    const { title, author, chapters } = soundBook({
      title: " \n ",
      author: "  ",
      chapters: [
        { title: "One\n two", markdown: "" },
        { title: "", markdown: "" },
      ],
    });
    expect(title).toBe("Untitled");
    expect(author).toBeUndefined();
    expect(chapters.map((chapter) => chapter.title)).toEqual(["One two", "Chapter 2"]);
  });

  it("drops what no XML file can hold and keeps everything else", () => {
    const { chapters, title } = soundBook({
      title: "A\u0000B",
      chapters: [{ title: "x", markdown: "a\u000bb\u001fc\ufffed \ud800 😀\r\nnext\rlast\t." }],
    });
    expect(title).toBe("AB");
    expect(chapters[0]!.markdown).toBe("abcd \ufffd 😀\nnext\nlast\t.");
  });

  it("writes a language as tags are written and refuses one that is none", () => {
    expect(soundBook({ title: "x", language: "pt_br", chapters: [] }).language).toBe("pt-BR");
    expect(soundBook({ title: "x", language: " ", chapters: [] }).language).toBeUndefined();
    expect(() => soundBook({ title: "x", language: 'en" onload="', chapters: [] })).toThrow(
      expect.objectContaining({ name: "UsageError", code: "LANGUAGE_UNKNOWN" }),
    );
  });

  it("runs from right to left by its language", () => {
    for (const language of ["he", "ar-EG", "fa", "ku-Arab"])
      expect(soundBook({ title: "x", language, chapters: [] }).isRightToLeft, language).toBe(true);
    expect(soundBook({ title: "x", chapters: [] }).isRightToLeft).toBe(false);
  });

  it("has a date that never changes unless one is given", () => {
    expect(soundBook({ title: "x", chapters: [] }).date).toEqual(soundBook({ title: "y", chapters: [] }).date);
    const date = new Date("2026-02-03T04:05:06Z");
    expect(soundBook({ title: "x", date, chapters: [] }).date).toEqual(date);
    expect(soundBook({ title: "x", date: new Date("never"), chapters: [] }).date.getTime()).not.toBeNaN();
  });
});

describe("a file name for a book", () => {
  it.each([
    ["The Salt Road", "The-Salt-Road.epub"],
    ["../../etc/passwd", "etc-passwd.epub"],
    ["C:\\Windows\\x", "C-Windows-x.epub"],
    ["Ünïcode 海 שלום", "Ünïcode-海-שלום.epub"],
    ["...", "untitled.epub"],
    ["", "untitled.epub"],
    ["-rf --help", "rf-help.epub"],
    ["a\u0000b/c", "ab-c.epub"],
  ])("of %j is %j", (title, name) => {
    expect(bookFileName(title, "epub")).toBe(name);
  });

  it("fits in a directory entry whatever the title's length and script", () => {
    for (const title of ["x".repeat(500), "海".repeat(500), "x ".repeat(500)]) {
      const name = bookFileName(title, "epub");
      expect(Buffer.byteLength(name)).toBeLessThan(200);
      expect(name).toMatch(/[x海]\.epub$/);
    }
  });
});
