import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { strToU8, zipSync } from "fflate";
import { describe, expect, it, onTestFinished } from "vitest";
import { documentRelationships, wordFile, wordParagraph, wordPart } from "../../../../test/fixtures/novel/word-file.ts";
import { chapterBlocks } from "./chapter-blocks.ts";
import { importManuscript } from "./import.ts";
import { blocksToXhtml } from "./xhtml.ts";

function read(text: string) {
  return importManuscript(Buffer.from(text));
}

async function refusal(source: Uint8Array | string): Promise<{ name: string; code: string; message: string }> {
  try {
    await importManuscript(source);
  } catch (error) {
    return error as never;
  }
  throw new Error("it was imported");
}

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "loopwright-import-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

describe("Markdown that is imported", () => {
  it("is split at the headings of its chapters, its text untouched", async () => {
    expect(
      await read("# Salt\n\n## One\n\nText *a*\nb\n\n* * *\n\n> q\n\n## Two #\n\n```\n## no heading\n```\n"),
    ).toEqual({
      title: "Salt",
      chapters: [
        { title: "One", markdown: "Text *a*\nb\n\n* * *\n\n> q" },
        { title: "Two", markdown: "```\n## no heading\n```" },
      ],
      notes: [],
    });
  });

  it("may have headings that are underlined, and scene breaks that look like it", async () => {
    expect(await read("One\n===\n\nHe left.\n---\nShe came.\n\n#\n\nEnd.\n\nTwo\n===\n\nText.")).toMatchObject({
      chapters: [
        { title: "One", markdown: "He left.\n---\nShe came.\n\n***\n\nEnd." },
        { title: "Two", markdown: "Text." },
      ],
    });
  });

  it("gives titles as plain text", async () => {
    const { chapters } = await read("# The *old* **inn** &amp; `x` [y](http://z) 1\\.\n\na\n\n# שלום 😀\n\nb");
    expect(chapters.map(({ title }) => title)).toEqual(["The old inn & x y 1.", "שלום 😀"]);
  });

  it("keeps comments, and takes no heading inside one for a chapter", async () => {
    expect(
      (await read("# One\n\n<!-- keep -->\na\n<!-- /keep -->\n\n<!--\n# Old\n-->\n\n# Two\n\nb")).chapters,
    ).toEqual([
      { title: "One", markdown: "<!-- keep -->\na\n<!-- /keep -->\n\n<!--\n# Old\n-->" },
      { title: "Two", markdown: "b" },
    ]);
  });

  it("is one chapter without headings, and none without text", async () => {
    expect((await read("Only\n\ntext.")).chapters).toEqual([{ title: "Chapter 1", markdown: "Only\n\ntext." }]);
    expect(await read("")).toEqual({ chapters: [], notes: ["There is no text in it."] });
    expect((await read("---\ntitle: X\n---\nText")).chapters).toEqual([{ title: "X", markdown: "Text" }]);
  });

  it("may come with line ends and byte order marks of any kind", async () => {
    const expected = { chapters: [{ title: "One", markdown: "a\nb" }], notes: [] };
    expect(await read("\ufeff# One\r\n\r\na\r\nb\r\n")).toEqual(expected);
    expect(await importManuscript(Buffer.from("\ufeff# One\n\na\nb", "utf16le"))).toEqual(expected);
    expect(await importManuscript(Buffer.from("\ufeff# One\n\na\nb", "utf16le").swap16())).toEqual(expected);
  });

  it("says what stands in front of it", async () => {
    expect(await read("---\ntitle: Salt\nauthor: [A, B]\nlang: de\ndate: 2020\ntags: [x]\n---\n\n# One\n\na")).toEqual({
      title: "Salt",
      author: "A, B",
      language: "de",
      chapters: [{ title: "One", markdown: "a" }],
      notes: ["Of what stands in front of the text, this was left out: date, tags."],
    });
  });

  it("takes for front matter only what is about the book", async () => {
    for (const front of ["He came.", "Note: he came.", "a: [", "- title", "&a [*a]"]) {
      const { chapters, title } = await read(`---\n${front}\n---\n\nText.`);
      expect(title, front).toBeUndefined();
      expect(chapters.map((chapter) => `${chapter.title}\n${chapter.markdown}`).join("\n"), front).toContain(front);
    }
  });

  it("survives aliases that would unfold without end", async () => {
    const lines = Array.from(
      { length: 12 },
      (_, index) =>
        `a${index + 1}: &a${index + 1} [${Array(9)
          .fill(index === 0 ? "x" : `*a${index}`)
          .join(", ")}]`,
    );
    const { chapters } = await read(`---\ntitle: T\n${lines.join("\n")}\n---\n\nText.`);
    expect(chapters).toHaveLength(1);
  });
});

describe("a text in which no heading is marked", () => {
  const titles = async (text: string) => (await read(text)).chapters.map(({ title, part }) => part ?? title);

  it("is split at the lines that call themselves chapters, nothing lost", async () => {
    const { chapters, notes } = await read(
      "SALT\n\nby A. B.\n\n\nCHAPTER 1\n\n\nHe left\nat noon.\n\n\nCHAPTER 2\n\nShe came.\n",
    );
    expect(chapters).toEqual([
      { title: "", part: "front-matter", markdown: "SALT\n\nby A. B." },
      { title: "CHAPTER 1", markdown: "He left\nat noon." },
      { title: "CHAPTER 2", markdown: "She came." },
    ]);
    expect(notes).toContain("No headings are marked in it: lines that read as titles of chapters were taken for them.");
  });

  it("has each paragraph in one line where its lines were broken at a width, and verse in its lines, for an EPUB too", async () => {
    const words =
      "The wheel turned and nobody in the mill said a word of it until the noon had come and gone again, as noons do.";
    const paragraph = Array(6).fill(words).join(" ");
    const wrapped = paragraph.replace(/(.{1,72})(?: |$)/g, "$1\n").trimEnd();
    const verse = "Roses are red,\nviolets are blue,\nmills turn.";
    const { chapters, notes } = await read(
      `Chapter 1\n\n${wrapped}\n\n${verse}\n\n${wrapped}\n\nChapter 2\n\n${wrapped}\n`,
    );
    const broken = verse.replaceAll("\n", "\\\n");
    expect(chapters.map(({ markdown }) => markdown)).toEqual([`${paragraph}\n\n${broken}\n\n${paragraph}`, paragraph]);
    expect(blocksToXhtml(chapterBlocks(chapters[0]!), "ltr")).toContain("<p>Roses are red,<br/>violets are blue,<br/>");
    expect(notes.at(-1)).toMatch(/^Its lines were broken after 7\d signs/);
  });

  it("keeps verse with its own indent, which is no code in Markdown", async () => {
    const wrapped = Array(12).fill("The wheel turned and nobody in the mill said a word of it until noon.").join("\n");
    const verse = ["    My first doth grief denote,", "      Which my second feels;", "    My whole is its antidote."];
    const { chapters } = await read(
      `Chapter 1\n\n${wrapped}\n\n${verse.join("\n")}\n\n                    Yours,\n\nChapter 2\n\n${wrapped}\n`,
    );
    expect(chapters[0]!.markdown.split("\n\n").slice(1)).toEqual([
      "My first doth grief denote,\\\n  Which my second feels;\\\nMy whole is its antidote.",
      "Yours,",
    ]);
  });

  it("keeps lists, quotes and a paragraph with one short line in it as they stand where its lines were broken", async () => {
    const wrapped = Array(12).fill("The wheel turned and nobody in the mill said a word of it until noon.").join("\n");
    const odd = [
      "It was the mill's own answer to all who came and asked for something:",
      "nothing.",
      "The wheel turned and nobody in the mill said a word of it until noon.",
      "It was the mill's own answer to all who came and asked for something.",
    ];
    const others = ["- corn\n- oats", "> Blest\n> leaf", "1. corn\n2. oats", odd.join("\n"), "One line."];
    const { chapters } = await read(`Chapter 1\n\n${wrapped}\n\n${others.join("\n\n")}\n\nChapter 2\n\n${wrapped}\n`);
    expect(chapters[0]!.markdown.split("\n\n").slice(1)).toEqual(others);
  });

  it.each([
    ["SALT\n\nby A. B.", "SALT", "A. B."],
    ["SALT\n\n(1803)\n\nBy\n\nJane Miller (1803)", "SALT", "Jane Miller"],
    ["SALT;\nor, The Mill\n\nvon Änne Müller\n\nFür K.", "SALT; or, The Mill", "Änne Müller"],
    ["Title: Salt\n\nAuthor: A. B.\n\nRelease date: 2001", "Salt", "A. B."],
  ])("has title and author from its title page, which stays: %j", async (page, title, author) => {
    const imported = await read(`${page}\n\nChapter 1\n\na\n\nChapter 2\n\nb\n`);
    expect(imported).toMatchObject({ title, author });
    expect(imported.chapters[0]).toEqual({ title: "", part: "front-matter", markdown: page });
    expect(imported.notes.at(-1)).toBe(`It is "${title}" by ${author}, as its title page says.`);
  });

  it.each([
    "For K.",
    "by and by the wheel turned",
    "He went\n\nby the mill and was not seen again",
    "SALT",
    "Title: Salt",
  ])("has no title from what is no title page: %j", async (page) => {
    const imported = await read(`${page}\n\nChapter 1\n\na\n\nChapter 2\n\nb\n`);
    expect(imported).not.toHaveProperty("title");
    expect(imported).not.toHaveProperty("author");
  });

  it("may have its titles on the next line, numbers alone, a prologue, and another language", async () => {
    expect(await titles("Chapter One\nThe Mill\n\na\n\nChapter Two.\nThe Sea\n\nb")).toEqual([
      ...["Chapter One: The Mill", "Chapter Two: The Sea"],
    ]);
    expect(await titles("I\n\na\n\nII\n\nb\n\nIII\n\nc")).toEqual(["I", "II", "III"]);
    expect(await titles("Prolog\n\nx\n\nKapitel 1\n\na\n\nKapitel 2\n\nb")).toEqual([
      "prologue",
      "Kapitel 1",
      "Kapitel 2",
    ]);
  });

  it("may count its chapters from one in each of its volumes", async () => {
    const chapters = "CHAPTER I\n\na\n\nCHAPTER II\n\nb\n\n";
    expect(await titles(`VOLUME I\n\n${chapters}VOLUME II\n\n${chapters}`)).toEqual([
      ...["VOLUME I: CHAPTER I", "CHAPTER II", "VOLUME II: CHAPTER I", "CHAPTER II"],
    ]);
  });

  it("is not called by its only volume, marked or not", async () => {
    for (const text of [
      "SALT\n\nby A. B.\n\nVOLUME I\n\nCHAPTER I\n\na\n\nCHAPTER II\n\nb",
      "# Part One\n\n## Chapter 1\n\na\n\n## Chapter 2\n\nb",
    ]) {
      const { title, chapters } = await read(text);
      expect(title).toBe(text.startsWith("SALT") ? "SALT" : undefined);
      expect(chapters.map((chapter) => chapter.title).join("; ")).toMatch(
        /(?:VOLUME I|Part One): Chapter [1I]; Chapter (?:2|II)/i,
      );
    }
  });

  it("is not split at its table of contents, at a number inside it, or at a sentence", async () => {
    const contents = "CONTENTS\n\nCHAPTER I. The Mill\n\nCHAPTER II. The Sea\n\n";
    expect(await titles(`${contents}CHAPTER I. The Mill\n\na\n\nCHAPTER II. The Sea\n\nb`)).toEqual([
      ...["front-matter", "CHAPTER I. The Mill", "CHAPTER II. The Sea"],
    ]);
    expect(await titles("He was born in\n\n1984\n\nand died.")).toEqual(["Chapter 1"]);
    expect(await titles("Chapter 2 of the law says that no one may enter,\nand no one did.\n\nHe left.")).toEqual([
      "Chapter 1",
    ]);
  });
});

describe("a Word file that is imported", () => {
  const heading = (text: string, level = 1) => wordParagraph(text, `Heading${level}`);

  it("is split at its headings, with emphasis, breaks and empty lines as they are meant", async () => {
    const run = (text: string, mark = "") => `<w:r><w:rPr>${mark}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;
    const body = [
      heading("One"),
      `<w:p>${run("He ")}${run("never ", "<w:i/>")}${run("said", "<w:b/>")}${run(" it", '<w:u w:val="single"/>')}${run(".")}</w:p>`,
      wordParagraph("* * *"),
      wordParagraph("⁂"),
      `<w:p>${run("a")}<w:r><w:br/></w:r>${run("b")}<w:r><w:br/></w:r><w:r><w:br/></w:r>${run("c")}</w:p>`,
      wordParagraph("  "),
      heading("Two"),
      wordParagraph("# not a heading"),
    ].join("");
    expect(await importManuscript(wordFile(body))).toEqual({
      chapters: [
        { title: "One", markdown: "He *never* **said** *it*.\n\n***\n\n***\n\na\\\nb\n\nc" },
        { title: "Two", markdown: "\\# not a heading" },
      ],
      notes: [],
    });
  });

  it("is one chapter without headings, and says so", async () => {
    const { chapters, notes } = await importManuscript(wordFile(wordParagraph("a") + wordParagraph("b")));
    expect(chapters).toEqual([{ title: "Chapter 1", markdown: "a\n\nb" }]);
    expect(notes).toEqual([expect.stringContaining("There are no headings in it, so the whole text is one chapter")]);
  });

  it("leaves pictures out with a note, and never opens them", async () => {
    const picture = (id: string) =>
      `<w:p><w:r><w:drawing><wp:inline><a:graphic><a:graphicData><pic:pic><pic:blipFill><a:blip r:${id}/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`;
    const parts = {
      ...documentRelationships(
        { id: "rId1", type: "image", target: "media/image1.png" },
        { id: "rId2", type: "image", target: "file:///etc/passwd", isOutside: true },
      ),
      "word/media/image1.png": new Uint8Array(5_000_000),
    };
    const body = heading("One") + picture('embed="rId1"') + wordParagraph("a") + picture('link="rId2"');
    const { chapters, notes } = await importManuscript(wordFile(body, parts));
    expect(chapters).toEqual([{ title: "One", markdown: "a" }]);
    expect(notes).toEqual(["2 pictures were left out."]);
    expect(JSON.stringify({ chapters, notes })).not.toContain("root:");
  });

  it("keeps its footnotes, each at the end of the chapter that has it", async () => {
    const mark = (id: number) => `<w:r><w:footnoteReference w:id="${id}"/></w:r>`;
    const note = (id: number, text: string) => `<w:footnote w:id="${id}">${wordParagraph(text)}</w:footnote>`;
    const text = (words: string, id: number) => `<w:p><w:r><w:t>${words}</w:t></w:r>${mark(id)}</w:p>`;
    const parts = {
      ...documentRelationships({ id: "rId1", type: "footnotes", target: "footnotes.xml" }),
      "word/footnotes.xml": wordPart("footnotes", note(2, "First.") + note(3, "Second &amp; last.")),
    };
    const body = heading("One") + text("a", 2) + wordParagraph("b") + heading("Two") + text("c", 3);
    expect((await importManuscript(wordFile(body, parts))).chapters).toEqual([
      { title: "One", markdown: "a[^1]\n\nb\n\n[^1]: First." },
      { title: "Two", markdown: "c[^2]\n\n[^2]: Second & last." },
    ]);
  });

  it("keeps tables as lines, and says what becomes of tracked changes and comments", async () => {
    const cell = (text: string) => `<w:tc>${wordParagraph(text)}</w:tc>`;
    const body = `${heading("One")}<w:tbl><w:tr>${cell("a")}${cell("b")}</w:tr><w:tr>${cell("c")}${cell("")}</w:tr></w:tbl><w:p><w:ins w:id="1"><w:r><w:t>new</w:t></w:r></w:ins><w:del w:id="2"><w:r><w:delText>old</w:delText></w:r></w:del><w:r><w:commentReference w:id="0"/></w:r></w:p>`;
    expect(await importManuscript(wordFile(body))).toEqual({
      chapters: [{ title: "One", markdown: "a | b\n\nc\n\nnew" }],
      notes: [
        "1 table was kept as lines of text.",
        "Tracked changes were taken as accepted.",
        "Comments were left out.",
      ],
    });
  });

  it("drops addresses that are no web pages", async () => {
    const link = (id: string) => `<w:p><w:hyperlink r:id="${id}"><w:r><w:t>go</w:t></w:r></w:hyperlink></w:p>`;
    const parts = documentRelationships(
      { id: "rId1", type: "hyperlink", target: "javascript:alert(1)", isOutside: true },
      { id: "rId2", type: "hyperlink", target: "https://x.y/?a=1&amp;b=2", isOutside: true },
    );
    expect((await importManuscript(wordFile(link("rId1") + link("rId2"), parts))).chapters[0]!.markdown).toBe(
      "go\n\n[go](https://x.y/?a=1&b=2)",
    );
  });
});

describe("what is no manuscript", () => {
  it("is refused by what it is", async () => {
    const files: [string, Uint8Array][] = [
      ["an old Word file (.doc), or one with a password", Buffer.from("d0cf11e0a1b11ae1", "hex")],
      ["a PDF file", Buffer.from("%PDF-1.7")],
      ["an RTF file", Buffer.from("{\\rtf1 text}")],
      [
        "an archive, but no Word file",
        zipSync({ mimetype: strToU8("application/vnd.oasis.opendocument.text"), "content.xml": strToU8("<x/>") }),
      ],
      ["neither a Word file nor text in UTF-8", Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0xfe])],
      ["neither a Word file nor text in UTF-8", Buffer.from("a\0b")],
    ];
    for (const [words, bytes] of files) {
      const { name, code, message } = await refusal(bytes);
      expect({ name, code }, words).toEqual({ name: "UsageError", code: "IMPORT_UNKNOWN" });
      expect(message).toContain(words);
    }
  });

  it("is refused by its path where it cannot be read", async () => {
    const folder = await temporaryFolder();
    expect((await refusal(join(folder, "none.md"))).message).toBe(
      `${join(folder, "none.md")} cannot be read: there is no such file.`,
    );
    expect((await refusal(folder)).message).toBe(`${folder} cannot be read: it is a folder; import a file.`);
    await writeFile(join(folder, "x.docx"), "PK\u0003\u0004 truncated");
    const { code, message } = await refusal(join(folder, "x.docx"));
    expect(code).toBe("IMPORT_DAMAGED");
    expect(message).toMatch(/^x\.docx cannot be read: .* Open it in Word, save it again as \.docx, and import that\.$/);
  });

  it("is told by its content, whatever its name says", async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, "word.md"), wordFile(wordParagraph("a")));
    await writeFile(join(folder, "text.docx"), "# One\n\na");
    expect((await importManuscript(join(folder, "word.md"))).chapters[0]!.markdown).toBe("a");
    expect((await importManuscript(join(folder, "text.docx"))).chapters[0]!.title).toBe("One");
  });
});

describe("a hostile Word file", () => {
  it("that unpacks to too much is refused at once", async () => {
    const bomb = wordFile(wordParagraph("a"), { "word/bomb.xml": new Uint8Array(70_000_000) });
    expect(bomb.length).toBeLessThan(100_000);
    const { code, message } = await refusal(bomb);
    expect(code).toBe("IMPORT_TOO_LARGE");
    expect(message).toBe("The manuscript cannot be read: it unpacks to more than 64 MB. No manuscript is that large.");
  });

  it("that is small but all tags is refused before they fill the memory", async () => {
    expect(await refusal(wordFile("<w:p/>".repeat(1_100_000)))).toMatchObject({
      name: "UsageError",
      code: "IMPORT_TOO_LARGE",
    });
  });

  it("that declares entities is refused", async () => {
    const part = '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><x>&a;</x>';
    const { code, message } = await refusal(wordFile(wordParagraph("a"), { "word/styles.xml": part }));
    expect(code).toBe("IMPORT_DAMAGED");
    expect(message).toContain("declares entities");
  });

  it.each([
    ["is no XML", { "word/document.xml": "<w:document" }],
    ["has no text", { "word/document.xml": "<x/>" }],
    [
      "is nested too deeply",
      {
        "word/document.xml": wordPart(
          "document",
          `<w:body>${"<w:p>".repeat(20_000)}${"</w:p>".repeat(20_000)}</w:body>`,
        ),
      },
    ],
    [
      "leads nowhere",
      {
        "_rels/.rels": '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"/>',
        "word/document.xml": "",
      },
    ],
  ])("that %s is refused with words", async (_, parts) => {
    expect(await refusal(wordFile("", parts))).toMatchObject({
      name: "UsageError",
      code: "IMPORT_DAMAGED",
      message: expect.stringMatching(/^The manuscript cannot be read as a Word file \(.+\)\./),
    });
  });

  it("is refused or read wherever it is cut off, and never anything else", { timeout: 60_000 }, async () => {
    const whole = wordFile(wordParagraph("One", "Heading1") + wordParagraph("text"));
    for (let length = 2; length < whole.length; length += 37) {
      expect(await refusal(whole.subarray(0, length)), `${length} bytes`).toMatchObject({ name: "UsageError" });
    }
  });
});
