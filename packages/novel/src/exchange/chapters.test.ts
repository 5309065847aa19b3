import { describe, expect, it } from "vitest";
import { beginsWithTitle, chapterLevel, type Heading } from "./chapter-level.ts";
import { type Piece, splitChapters } from "./chapters.ts";

/** Headings by their depth; `+` means that text follows. */
function headings(...lines: string[]): Heading[] {
  return lines.map((line) => {
    const [, depth, text] = /^(#+) (.*)$/.exec(line)!;
    return { depth: depth!.length, text: text!.replace(/\+$/, ""), hasText: line.endsWith("+") };
  });
}

function pieces(...lines: string[]): Piece[] {
  return lines.map((line) => {
    const [, depth, text] = /^(#+) (.*)$/.exec(line) ?? [];
    const [, label] = /^\[(\^?\w+)\]:/.exec(line) ?? [];
    return {
      markdown: `${line}\n\n`,
      ...(depth && { heading: { depth: depth.length, text: text! } }),
      ...(label && { defines: label }),
    };
  });
}

describe("the level of chapters", () => {
  it("is the one that occurs most, the outer one of two that occur alike", () => {
    expect(chapterLevel(headings("# A", "## B", "## C", "## D", "# E"))).toBe(2);
    expect(chapterLevel(headings("# A", "## B", "# C", "## D"))).toBe(1);
    expect(chapterLevel([])).toBeUndefined();
  });

  it("is that of headings that call themselves chapters, however many others there are", () => {
    expect(chapterLevel(headings("# Chapter One", "## a", "## b", "## c", "# Chapter Two", "## d"))).toBe(1);
    expect(chapterLevel(headings("## Kapitel 1", "### a", "### b", "## Kapitel 2"))).toBe(2);
    expect(chapterLevel(headings("# Prologue", "## a", "## b", "## c"))).toBe(1);
    expect(chapterLevel(headings("## 第一章 海", "### a", "### b", "### c"))).toBe(2);
    expect(chapterLevel(headings("# פרק 1", "## a", "## b"))).toBe(1);
    expect(chapterLevel(headings("# Chapterhouse", "## a", "## b"))).toBe(2);
  });

  it("is that of numbered headings where no heading says the word", () => {
    expect(chapterLevel(headings("# I. The Inn", "## a", "## b", "# II. The Road", "## c"))).toBe(1);
    expect(chapterLevel(headings("# 1", "## a", "## b", "# 2", "## c"))).toBe(1);
    expect(chapterLevel(headings("# Chapter One", "## 1", "## 2", "# Chapter Two", "## 1"))).toBe(1);
  });

  it("is what the file itself marks before anything else", () => {
    const [first, ...rest] = headings("# The Inn", "## Chapter 1", "## Chapter 2");
    expect(chapterLevel([{ ...first!, isMarked: true }, ...rest])).toBe(1);
  });

  it("leaves out the book's title: alone on its level, above all others, and no chapter by its name", () => {
    expect(beginsWithTitle(headings("# The Salt Road", "## A", "## B"))).toBe(true);
    expect(beginsWithTitle(headings("# The Salt Road", "## A"))).toBe(true);
    expect(beginsWithTitle(headings("# The Inn+", "## A"))).toBe(false);
    expect(beginsWithTitle(headings("# Chapter 1", "## A", "## B"))).toBe(false);
    expect(beginsWithTitle(headings("# A", "## B", "# C"))).toBe(false);
    expect(beginsWithTitle(headings("# A"))).toBe(false);
  });
});

describe("a manuscript split into chapters", () => {
  it("has the text below each heading, inner headings with it", () => {
    expect(splitChapters(pieces("# Book", "## One", "a", "### inner", "b", "## Two", "c"), {})).toEqual({
      title: "Book",
      chapters: [
        { title: "One", markdown: "a\n\n### inner\n\nb" },
        { title: "Two", markdown: "c" },
      ],
      notes: [],
    });
  });

  it("is one chapter where there are no headings", () => {
    const { chapters, notes } = splitChapters(pieces("a", "b"));
    expect(chapters).toEqual([{ title: "Chapter 1", markdown: "a\n\nb" }]);
    expect(notes).toEqual([expect.stringContaining("There are no headings in it, so the whole text is one chapter")]);
    expect(splitChapters(pieces("a"), { title: "Known" }).chapters[0]!.title).toBe("Known");
  });

  it("keeps the text before its first chapter as front matter, without a title or a number", () => {
    const { chapters, notes } = splitChapters(pieces("For A.", "# One", "a", "# Two", "b"));
    expect(chapters[0]).toEqual({ title: "", markdown: "For A.", part: "front-matter" });
    expect(notes).toEqual(["The text before the first chapter became the front matter, which has no number."]);
  });

  it("puts a part's title before that of its first chapter, or gives its own text a chapter", () => {
    const book = pieces(
      "# Part One",
      "## A",
      "a",
      "## B",
      "b",
      "# Part Two",
      "An epigraph.",
      "## C",
      "c",
      "# Afterword",
    );
    const { chapters, notes } = splitChapters(book);
    expect(chapters).toEqual([
      { title: "Part One: A", markdown: "a" },
      { title: "B", markdown: "b" },
      { title: "Part Two", markdown: "An epigraph." },
      { title: "C", markdown: "c" },
      { title: "Afterword", markdown: "" },
    ]);
    expect(notes).toEqual(['"Part One" stands in the title of the chapter that it begins with.']);
  });

  it("keeps chapters that have no text", () => {
    expect(splitChapters(pieces("# One", "# Two", "b")).chapters).toEqual([
      { title: "One", markdown: "" },
      { title: "Two", markdown: "b" },
    ]);
  });

  it("splits where it is told to, whatever occurs most", () => {
    const book = pieces("# A", "## x", "## y", "## z", "# B");
    expect(splitChapters(book, { level: 1 }).chapters.map(({ title }) => title)).toEqual(["A", "B"]);
    expect(splitChapters(pieces("# A", "## x", "## y"), { level: 1 }).chapters.map(({ title }) => title)).toEqual([
      "A",
    ]);
  });

  it("says so where there is nothing in it", () => {
    expect(splitChapters([])).toEqual({ chapters: [], notes: ["There is no text in it."] });
    expect(splitChapters(pieces("", "  "))).toEqual({ chapters: [], notes: ["There is no text in it."] });
  });

  it("takes definitions from the file's end to the chapters that use them", () => {
    const book = pieces(
      "# One",
      "a[^1] [x][Ref]",
      "# Two",
      "b[^2] [ref]",
      "[^1]: first",
      "[^2]: second",
      "[ref]: http://x",
      "[^9]: unused",
    );
    expect(splitChapters(book).chapters.map(({ markdown }) => markdown)).toEqual([
      "a[^1] [x][Ref]\n\n[^1]: first\n\n[ref]: http://x",
      "b[^2] [ref]\n\n[^2]: second\n\n[ref]: http://x\n\n[^9]: unused",
    ]);
  });

  it("keeps each chapter's own footnotes although their numbers are the same", () => {
    const book = pieces("# One", "a[^1]", "[^1]: first", "# Two", "b[^1]", "[^1]: second", "after");
    expect(splitChapters(book).chapters.map(({ markdown }) => markdown)).toEqual([
      "a[^1]\n\n[^1]: first",
      "b[^1]\n\n[^1]: second\n\nafter",
    ]);
  });
});
