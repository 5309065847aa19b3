import { setTimeout as sleep } from "node:timers/promises";
import { XMLValidator } from "fast-xml-parser";
import { strFromU8, unzipSync } from "fflate";
import mammoth from "mammoth";
import { describe, expect, it } from "vitest";
import type { Book } from "./book.ts";
import { exportDocx } from "./docx.ts";
import { importManuscript } from "./import.ts";

async function open(book: Book): Promise<Record<string, string>> {
  const files = Object.entries(unzipSync(await exportDocx(book))).map(
    ([name, bytes]) => [name, strFromU8(bytes)] as const,
  );
  for (const [name, text] of files) expect(XMLValidator.validate(text), name).toBe(true);
  return Object.fromEntries(files);
}

async function html(book: Book): Promise<string> {
  return (await mammoth.convertToHtml({ buffer: Buffer.from(await exportDocx(book)) })).value;
}

const one = (markdown: string, title = "One"): Book => ({ title: "T", chapters: [{ title, markdown }] });

describe("a Word file", () => {
  it("has the title, then each chapter under a first-level heading on a page of its own", async () => {
    const book = {
      title: "Salt & Smoke",
      author: "A. B.",
      chapters: [
        { title: "One <1>", markdown: "a" },
        { title: "", markdown: "b" },
      ],
    };
    expect(await html(book)).toBe(
      '<p>Salt &amp; Smoke</p><p>A. B.</p><h1><a id="chapter_001"></a>One &lt;1&gt;</h1><p>a</p><h1><a id="chapter_002"></a>Chapter 2</h1><p>b</p>',
    );
    const { "word/document.xml": text, "docProps/core.xml": facts } = await open(book);
    expect(text!.match(/<w:pageBreakBefore\/>/g)).toHaveLength(2);
    const ids = (tag: string) =>
      [...text!.matchAll(new RegExp(`<w:${tag} [^>]*w:id="(\\d+)"`, "g"))].map(([, id]) => id);
    expect(ids("bookmarkStart")).toEqual(["1", "2"]);
    expect(ids("bookmarkEnd")).toEqual(["1", "2"]);
    expect(facts).toContain("<dc:title>Salt &amp; Smoke</dc:title><dc:creator>A. B.</dc:creator>");
  });

  it("says each kind of block in Word's own way", async () => {
    const markdown = "# In\n\n## Deeper\n\na *b* **c** ~~d~~\\\ne [l](https://x.y/?a=1&b=2)\n\n- x\n  - y\n\n1. z";
    expect(await html(one(markdown))).toBe(
      '<p>T</p><h1><a id="chapter_001"></a>One</h1><h2>In</h2><h3>Deeper</h3><p>a <em>b</em> <strong>c</strong> <s>d</s><br />e <a href="https://x.y/?a=1&amp;b=2">l</a></p><ul><li>x<ul><li>y</li></ul></li></ul><ol><li>z</li></ol>',
    );
    const { "word/document.xml": text } = await open(one("> q\n\n***\n\n`v`\n\n```\ncode\n```"));
    for (const style of ["Quote", "SceneBreak", "SourceCode"]) expect(text).toContain(`<w:pStyle w:val="${style}"/>`);
    expect(text).toContain('<w:rStyle w:val="VerbatimChar"/>');
  });

  it("starts each ordered list at its own number", async () => {
    const { "word/numbering.xml": numbering } = await open(one("3. a\n\ntext\n\n1. b\n\ntext\n\n3. c"));
    expect(numbering).toContain('<w:startOverride w:val="3"/>');
    expect(numbering!.match(/<w:num /g)!.length).toBeGreaterThanOrEqual(3);
  });

  it("turns paragraphs that run from right to left", async () => {
    const { "word/document.xml": text } = await open(one("שלום *עולם*\n\nEnglish", "פרק"));
    expect(text!.match(/<w:bidi\/>/g)).toHaveLength(2);
    expect(text!.match(/<w:rtl\/>/g)!.length).toBeGreaterThanOrEqual(3);
  });

  it("shows tags as text and has no script, comment or unsafe address in it", async () => {
    const files = await open(
      one("<b>&amp;</b> <!-- keep -->x<!-- /keep --> [a](javascript:x) [b](file:///etc/passwd) ![c](d.png)"),
    );
    expect(files["word/document.xml"]).toContain("&lt;b&gt;&amp;&lt;/b&gt; x a b c");
    expect(JSON.stringify(files)).not.toMatch(/javascript:|file:|keep --/);
  });

  it("gives the same bytes for the same book, at any time", async () => {
    const book = one("[a](https://x.y/1) [b](https://x.y/2)\n\n1. c\n\n[d](https://x.y/1)");
    const first = await exportDocx(book);
    await sleep(20);
    await exportDocx(one("another [one](https://z.w)"));
    expect(await exportDocx(structuredClone(book))).toEqual(first);
    const { "word/document.xml": text, "word/_rels/document.xml.rels": links } = await open(book);
    for (const [, id] of text!.matchAll(/r:id="([^"]+)"/g)) expect(links).toContain(`Id="${id}"`);
    expect((await open({ ...book, date: new Date("2026-05-06T07:08:09Z") }))["docProps/core.xml"]).toContain(
      "2026-05-06T07:08:09",
    );
  });

  it("is whole for an empty book", async () => {
    expect(await html({ title: "", chapters: [] })).toBe("<p>Untitled</p>");
    expect(await importManuscript(await exportDocx({ title: "", chapters: [] }))).toEqual({
      title: "Untitled",
      chapters: [],
      notes: ["There is no text in it."],
    });
  });
});

describe("a book that went through Word", () => {
  it("comes back as it was, title by title and sign by sign", async () => {
    const book = {
      title: 'Salt & "Smoke"',
      author: "Ana “A” B.",
      chapters: [
        {
          title: "../../etc/passwd",
          markdown: [
            'He said "no" & *left* the **old** house—un*frigging*believable.',
            "***",
            "> A quote of one paragraph\\\n> with a break.\n>\n> And another.",
            "- one\n- two\n  1. nested\n  2. more",
            "1. first\n2. second",
            "A note[^1] and a [link](https://x.y/?a=1&b=2), <https://auto.link/>.",
            "## Inner heading",
            "## Another",
            "### Deeper",
            "`code * span` ~~gone~~ snake_case \\* star \\<b> [sic] 2 < 3",
            "1986\\. It was late.",
            "שלום *עולם* 😀 — «ça» 海",
            "```\nterm > out\n  indented\n```",
            "[^1]: The *note*.",
          ].join("\n\n"),
        },
        { title: "Chapter *2* # & <b>", markdown: "Only text." },
        { title: "Empty", markdown: "" },
      ],
    };
    expect(await importManuscript(await exportDocx(book))).toEqual({ ...book, notes: [] });
  });

  it("keeps its chapters where a writer has added one by hand", async () => {
    const parts = unzipSync(await exportDocx(one("a\n\n## x\n\nb\n\n## y\n\nc")));
    const text = strFromU8(parts["word/document.xml"]!);
    const added = '<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>New</w:t></w:r></w:p>';
    const { zipSync, strToU8 } = await import("fflate");
    parts["word/document.xml"] = strToU8(text.replace("<w:sectPr>", `${added}<w:sectPr>`));
    const { chapters } = await importManuscript(zipSync(parts));
    expect(chapters.map(({ title }) => title)).toEqual(["One", "New"]);
  });
});

describe("a long book", () => {
  const words = "The *quick* brown fox & the **lazy** dog met at dawn, and “nothing” was said of it again. ";
  const book: Book = {
    title: "Long",
    chapters: Array.from({ length: 200 }, (_, index) => ({
      title: `The ${index + 1}th day`,
      markdown: Array.from({ length: 9 }, (_, part) => `${part}: ${words.repeat(5).trim()}`).join("\n\n"),
    })),
  };

  it("of 200 chapters and 150,000 words goes through each form whole, in reasonable time", {
    timeout: 120_000,
  }, async () => {
    expect(
      book.chapters.map(({ markdown }) => markdown.split(/\s+/).length).reduce((sum, count) => sum + count),
    ).toBeGreaterThan(150_000);
    const { exportEpub } = await import("./epub.ts");
    const { exportMarkdown } = await import("./markdown/markdown.ts");
    const began = performance.now();
    expect(Object.keys(unzipSync(exportEpub(book)))).toContain("OEBPS/chapter-200.xhtml");
    const markdown = exportMarkdown(book);
    const docx = await exportDocx(book);
    expect((await importManuscript(Buffer.from(markdown))).chapters).toEqual(book.chapters);
    expect((await importManuscript(docx)).chapters).toEqual(book.chapters);
    expect(performance.now() - began).toBeLessThan(60_000);
  });
});
