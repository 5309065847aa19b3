import { XMLValidator } from "fast-xml-parser";
import { strFromU8, unzipSync } from "fflate";
import mammoth from "mammoth";
import { describe, expect, it } from "vitest";
import type { Book } from "./book.ts";
import { exportDocx } from "./docx.ts";

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
      "<p>Salt &amp; Smoke</p><p>A. B.</p><h1>One &lt;1&gt;</h1><p>a</p><h1>Chapter 2</h1><p>b</p>",
    );
    const { "word/document.xml": text, "docProps/core.xml": facts } = await open(book);
    expect(text!.match(/<w:pageBreakBefore\/>/g)).toHaveLength(2);
    expect(facts).toContain("<dc:title>Salt &amp; Smoke</dc:title><dc:creator>A. B.</dc:creator>");
  });

  it("says each kind of block in Word's own way", async () => {
    const markdown = "# In\n\n## Deeper\n\na *b* **c** ~~d~~\\\ne [l](https://x.y/?a=1&b=2)\n\n- x\n  - y\n\n1. z";
    expect(await html(one(markdown))).toBe(
      '<p>T</p><h1>One</h1><h2>In</h2><h3>Deeper</h3><p>a <em>b</em> <strong>c</strong> <s>d</s><br />e <a href="https://x.y/?a=1&amp;b=2">l</a></p><ul><li>x<ul><li>y</li></ul></li></ul><ol><li>z</li></ol>',
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

  it("turns a book in a language that runs from right to left", async () => {
    const { "word/document.xml": text } = await open({ ...one("שלום *עולם*", "פרק"), language: "he" });
    expect(text!.match(/<w:bidi\/>/g)).toHaveLength(3);
    expect(text!.match(/<w:rtl\/>/g)!.length).toBeGreaterThanOrEqual(3);
  });

  it("shows tags as text and has no script, comment or unsafe address in it", async () => {
    const files = await open(
      one("<b>&amp;</b> <!-- keep -->x<!-- /keep --> [a](javascript:x) [b](file:///etc/passwd) ![c](d.png)"),
    );
    expect(files["word/document.xml"]!.replace(/<\/?w:[^>]*>/g, "")).toContain("&lt;b&gt;&amp;&lt;/b&gt; x a b c");
    expect(JSON.stringify(files)).not.toMatch(/javascript:|file:|keep --/);
  });

  it("is whole for an empty book", async () => {
    expect(await html({ title: "", chapters: [] })).toBe("<p>Untitled</p>");
  });
});
