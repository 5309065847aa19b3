import { describe, expect, it } from "vitest";
import { chapterBlocks, exportMarkdown, plainText, safeHref } from "./book.ts";

const kinds = (markdown: string, title = "T") =>
  chapterBlocks({ title, markdown })
    .filter(({ type }) => type !== "space")
    .map((token) =>
      "tokens" in token && token.tokens ? [token.type, plainText(token.tokens).replace(/^ +/, "")] : [token.type],
    );

describe("Markdown as a novel means it", () => {
  it.each(["***", "* * *", "---", "___", "#", "##"])("takes %j on a line of its own for a scene break", (rule) => {
    expect(kinds(`One.\n\n${rule}\n\nTwo.`)).toEqual([["paragraph", "One."], ["hr"], ["paragraph", "Two."]]);
  });

  it.each<[string, string, unknown[]]>([
    [
      "a rule right under a sentence is a scene break",
      "He left.\n---\nb",
      [["paragraph", "He left."], ["hr"], ["paragraph", "b"]],
    ],
    [
      "an indented paragraph is no code",
      "a\n\n    b",
      [
        ["paragraph", "a"],
        ["paragraph", "b"],
      ],
    ],
    ["tags are text, line breaks aside", "<b>x</b> 1<br>2", [["paragraph", "<b>x</b> 1 2"]]],
    ["comments are gone", "a <!-- # b -->c\n\n<!-- d\n\ne -->", [["paragraph", "a c"]]],
    [
      "signs by name or number are those signs",
      "&mdash;&#8212;&lt;&nbsp;&nosuch;",
      [["paragraph", "——<\u00a0&nosuch;"]],
    ],
    [
      "footnotes stay as they were written",
      "a[^1]\n\n[^1]: b",
      [
        ["paragraph", "a[^1]"],
        ["paragraph", "[^1]: b"],
      ],
    ],
    ["the chapter's title is not said twice", "# *T*\n\na", [["paragraph", "a"]]],
  ])("%s", (_, markdown, expected) => {
    expect(kinds(markdown)).toEqual(expected);
  });

  it("links to the web and to mail, and to nothing else", () => {
    expect(["https://x.y/?a=1", "mailto:a@b", "javascript:x", "../x", "file:///x"].filter(safeHref)).toHaveLength(2);
    expect(safeHref('https://x.y/"<')).toBe("https://x.y/%22%3C");
  });
});

describe("a book as Markdown", () => {
  it("has what is known of it in front, a heading for each chapter, and the text as it stands", () => {
    const chapters = [
      { title: "One", markdown: "\n\nText *as it is*,\nline by line.\n\n---\n\nMore.\n\n" },
      { title: "2. *Two*", markdown: "# Inner\n\na<!-- keep --> b<!-- /keep -->\n\n## Deeper\n\n#\n\nc" },
      { title: "Three", markdown: "# Three\n\nd" },
    ];
    expect(exportMarkdown({ title: "Salt: a novel", author: "A. B.", language: "en", chapters })).toBe(
      [
        '---\ntitle: "Salt: a novel"\nauthor: A. B.\nlang: en\nchapter-level: 1\n---',
        ...["# One", "Text *as it is*,\nline by line.", "---", "More.", "# 2\\. \\*Two\\*"],
        ...["## Inner", "a b", "### Deeper", "***", "c", "# Three", "d\n"],
      ].join("\n\n"),
    );
  });

  it("is only its front for a book without chapters, and names what has no title", () => {
    expect(exportMarkdown({ title: "", chapters: [] })).toBe("---\ntitle: Untitled\nchapter-level: 1\n---\n");
    const chapters = [
      { title: "", markdown: "a", part: "front-matter" as const },
      { title: "", markdown: "b" },
    ];
    expect(exportMarkdown({ title: "T", chapters })).toMatch(/---\n\na\n\n# Chapter 1\n\nb\n$/);
  });
});
