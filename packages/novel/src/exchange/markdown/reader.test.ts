import { describe, expect, it } from "vitest";
import { type Block, plainText } from "../blocks.ts";
import { decodeEntities } from "../entities.ts";
import { readMarkdown, withoutComments } from "./reader.ts";

/** Blocks in short: kind and text. */
function outline(blocks: readonly Block[]): unknown[] {
  return blocks.map((block) => {
    if ("spans" in block) return [block.kind, plainText(block.spans)];
    if (block.kind === "quote") return [block.kind, outline(block.blocks)];
    if (block.kind === "list") return [block.isOrdered ? "ol" : "ul", block.items.map(outline)];
    return block.kind === "code" ? [block.kind, block.text] : [block.kind];
  });
}

function spansOf(markdown: string): unknown {
  const [block] = readMarkdown(markdown);
  return block && "spans" in block ? block.spans : block;
}

describe("Markdown as a novel means it", () => {
  it.each(["***", "* * *", "---", "- - -", "___", "#", "##"])(
    "takes %j on a line of its own for a scene break",
    (rule) => {
      expect(outline(readMarkdown(`One.\n\n${rule}\n\nTwo.`))).toEqual([
        ["paragraph", "One."],
        ["scene-break"],
        ["paragraph", "Two."],
      ]);
    },
  );

  it("takes a rule right under a sentence for a scene break, not the sentence for a heading", () => {
    for (const text of ["He left.", "“He left.”", "*He left*", "He came\nand left", "—"]) {
      const [first, second] = readMarkdown(`${text}\n---\nShe came.`);
      expect([first!.kind, second!.kind], text).toEqual(["paragraph", "scene-break"]);
    }
    expect(outline(readMarkdown("Chapter One\n---\nText."))[0]).toEqual(["heading", "Chapter One"]);
    expect(outline(readMarkdown("The end.\n===\nText."))[0]).toEqual(["heading", "The end."]);
  });

  it("keeps emphasis, strikes, code and nesting of them", () => {
    expect(spansOf("a *b **c*** ~~d~~ `e *f*`")).toEqual([
      { text: "a " },
      { text: "b ", em: true },
      { text: "c", em: true, strong: true },
      { text: " " },
      { text: "d", strike: true },
      { text: " " },
      { text: "e *f*", code: true },
    ]);
    expect(spansOf("un*frigging*believable snake_case_name 2 * 3 * 4")).toEqual([
      { text: "un" },
      { text: "frigging", em: true },
      { text: "believable snake_case_name 2 * 3 * 4" },
    ]);
  });

  it("reads lines of a paragraph as one and keeps hard breaks", () => {
    expect(spansOf("one\n  two  \nthree\\\nfour<br>five <BR/> six")).toEqual([
      { text: "one two\nthree\nfour\nfive\nsix" },
    ]);
  });

  it("reads quotes and lists with what is in them", () => {
    expect(outline(readMarkdown("> a\n> b\n>\n> - c\n\n1. d\n2. e\n   - f\n\n   g"))).toEqual([
      [
        "quote",
        [
          ["paragraph", "a b"],
          ["ul", [[["paragraph", "c"]]]],
        ],
      ],
      [
        "ol",
        [
          [["paragraph", "d"]],
          [
            ["paragraph", "e"],
            ["ul", [[["paragraph", "f"]]]],
            ["paragraph", "g"],
          ],
        ],
      ],
    ]);
    expect(readMarkdown("7. a\n8. b")).toMatchObject([{ kind: "list", start: 7 }]);
  });

  it("reads an indented paragraph as one, and only a fence as code", () => {
    expect(outline(readMarkdown("    Once *upon* a time.\n\n\tAnd then.\n\n```\nls  -l\n```"))).toEqual([
      ["paragraph", "Once upon a time."],
      ["paragraph", "And then."],
      ["code", "ls  -l"],
    ]);
  });

  it("keeps tables as lines and task lists as text", () => {
    expect(outline(readMarkdown("| a | *b* |\n|---|---|\n| c | d |"))).toEqual([["paragraph", "a | b\nc | d"]]);
    expect(JSON.stringify(outline(readMarkdown("- [x] done")))).toContain("done");
  });

  it("resolves the references that people write, and leaves others as they are", () => {
    expect(spansOf("A&nbsp;B &mdash; &amp;lt; &#x201C;q&#8221; &nosuch; AT&T &#0; &#xD800;")).toEqual([
      { text: "A\u00a0B — &lt; “q” &nosuch; AT&T \ufffd \ufffd" },
    ]);
    expect(decodeEntities("&constructor; &__proto__;")).toBe("&constructor; &__proto__;");
  });
});

describe("HTML and comments in Markdown", () => {
  it("are text: tags are shown, not carried out, and what is between them is read as ever", () => {
    expect(spansOf("<script>alert('x')</script> and <b>*bold*</b>")).toEqual([
      { text: "<script>alert('x')</script> and <b>" },
      { text: "bold", em: true },
      { text: "</b>" },
    ]);
    expect(outline(readMarkdown("<div onclick='x'>\n\nText\n\n</div>"))).toEqual([
      ["paragraph", "<div onclick='x'>"],
      ["paragraph", "Text"],
      ["paragraph", "</div>"],
    ]);
    expect(spansOf("I <3 you, x < y, <Name>")).toEqual([{ text: "I <3 you, x < y, <Name>" }]);
  });

  it("are removed where they are comments, keep marks and their lines too", () => {
    expect(
      outline(readMarkdown("<!-- keep -->Kept *text*.<!-- /keep --> More.\n\n<!--\n# Old chapter\n-->\nEnd.")),
    ).toEqual([
      ["paragraph", "Kept text. More."],
      ["paragraph", "End."],
    ]);
  });

  it("are text where a comment is escaped or never closed", () => {
    expect(withoutComments("a <!-- b")).toBe("a <!-- b");
    expect(withoutComments("a \\<!-- b --> c")).toBe("a \\<!-- b --> c");
    expect(withoutComments("a \\\\<!-- b --> c")).toBe("a \\\\ c");
    expect(withoutComments("a --> b <!-->c-->d")).toBe("a --> b d");
  });

  it("cost no time even when a hundred thousand comments stand open", () => {
    const text = "<!--".repeat(100_000);
    expect(withoutComments(text)).toBe(text);
  });
});

describe("links and footnotes in Markdown", () => {
  it("keep addresses of the web and of mail, and drop every other", () => {
    expect(spansOf("[a](https://x.y/?q=1&amp;r=2) <mailto:a@b.c> [b][ref]\n\n[ref]: http://z.w")).toEqual([
      { text: "a", href: "https://x.y/?q=1&r=2" },
      { text: " " },
      { text: "mailto:a@b.c", href: "mailto:a@b.c" },
      { text: " " },
      { text: "b", href: "http://z.w" },
    ]);
    for (const address of [
      "javascript:alert(1)",
      "JaVaScRiPt:x",
      "file:///etc/passwd",
      "../x.xhtml",
      "#top",
      "data:text/html,x",
    ]) {
      expect(spansOf(`[a](${address})`), address).toEqual([{ text: "a" }]);
    }
  });

  it("leave bare addresses as the text that they are", () => {
    expect(spansOf("See www.x.y or a@b.c or https://x.y.")).toEqual([{ text: "See www.x.y or a@b.c or https://x.y." }]);
  });

  it("keep a picture's words in place of the picture", () => {
    expect(spansOf("A ![map of *Ys*](map.png) here")).toEqual([{ text: "A map of *Ys* here" }]);
  });

  it("read footnotes whatever their text looks like, each on its own", () => {
    expect(readMarkdown("A[^1] b[^note].\n\n[^1]: word\n[^note]: Several *words*\nand more.\n\nEnd.")).toEqual([
      {
        kind: "paragraph",
        spans: [{ text: "A" }, { text: "1", note: true }, { text: " b" }, { text: "note", note: true }, { text: "." }],
      },
      { kind: "note", label: "1", spans: [{ text: "word" }] },
      {
        kind: "note",
        label: "note",
        spans: [{ text: "Several " }, { text: "words", em: true }, { text: " and more." }],
      },
      { kind: "paragraph", spans: [{ text: "End." }] },
    ]);
  });
});

describe("hostile Markdown", () => {
  it("that is nested too deeply is refused with words", () => {
    expect(() => readMarkdown(`${">".repeat(50_000)} a`)).toThrow(
      expect.objectContaining({ name: "UsageError", code: "MARKDOWN_TOO_DEEP" }),
    );
  });

  it("does not stall on long runs of one sign", () => {
    const began = performance.now();
    for (const text of [
      "*a **a ".repeat(2_000),
      `a${" ".repeat(50_000)}b`,
      "a\n".repeat(20_000),
      "[^1]: a\n".repeat(2_000),
    ]) {
      expect(readMarkdown(text).length).toBeGreaterThan(0);
    }
    expect(performance.now() - began).toBeLessThan(10_000);
  });
});
