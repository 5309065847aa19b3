// Word: the title, then each chapter under a first-level heading on a page of its own.
//
// Chapter headings carry bookmarks (`chapter_001`), so that an import of the file knows them from headings inside
// a chapter. What the library makes up anew each time (dates, link ids) is replaced, so that bytes repeat.

import { createRequire } from "node:module";
import type * as Library from "docx";
import type { ILevelsOptions, IParagraphOptions, ParagraphChild } from "docx";
import { strFromU8, unzipSync } from "fflate";
import { packFiles } from "./archive.ts";
import { type Block, plainText, type Span } from "./blocks.ts";
import { type Book, directionOf, type SoundBook, soundBook } from "./book.ts";
import { chapterBlocks } from "./chapter-blocks.ts";
import { headingShift } from "./xhtml.ts";

type Docx = typeof Library;
type HeadingName = Docx["HeadingLevel"][keyof Docx["HeadingLevel"]];

const LEVELS = [0, 1, 2, 3, 4, 5, 6, 7, 8];
const bullets: ILevelsOptions[] = LEVELS.map((level) => listLevel(level, "bullet", "•", 1));

/** The book as a Word file. The same book gives the same bytes. */
export async function exportDocx(book: Book): Promise<Uint8Array> {
  const docx = loadDocx();
  const sound = soundBook(book);
  const writer = new DocxWriter(docx);
  writer.paragraph({ heading: "Title" }, [{ text: sound.title }]);
  if (sound.author) writer.paragraph({ style: "Author" }, [{ text: sound.author }]);
  for (const chapter of sound.chapters) {
    if (chapter.title === "") writer.pageBreak();
    else writer.chapterTitle(chapter.title);
    const blocks = chapterBlocks(chapter);
    writer.blocks(blocks, { shift: headingShift(blocks) });
  }
  const bytes = await docx.Packer.toBuffer(document(docx, sound, writer));
  return settle(bytes, sound.date);
}

/** Read when it is wanted, not when the program starts; scripts/vendor.ts copies the one file of the library that is needed. */
function loadDocx(): Docx {
  return createRequire(import.meta.url)("../../vendor/docx/dist/index.mjs") as Docx;
}

interface Place {
  shift: number;
  /** Paragraph options of a quote, or of a list's items. */
  around?: IParagraphOptions;
  /** How deep in lists. */
  level?: number;
}

class DocxWriter {
  readonly children: InstanceType<Docx["Paragraph"]>[] = [];
  /** The numbers that ordered lists start at: each needs a numbering of its own. */
  readonly starts = new Set<number>();
  private readonly docx: Docx;
  private chapters = 0;
  private lists = 0;

  constructor(docx: Docx) {
    this.docx = docx;
  }

  chapterTitle(title: string): void {
    const name = `chapter_${String(++this.chapters).padStart(3, "0")}`;
    const runs = this.runs({ text: title }, directionOf(title) === "rtl");
    this.add({ heading: "Heading1", pageBreakBefore: true }, title, [
      new this.docx.Bookmark({ id: name, children: runs }),
    ]);
  }

  /** A new page for text without a title. */
  pageBreak(): void {
    this.add({ pageBreakBefore: true }, "", []);
  }

  blocks(blocks: readonly Block[], place: Place): void {
    for (const block of blocks) this.block(block, place);
  }

  paragraph(options: IParagraphOptions, spans: readonly Span[]): void {
    const text = plainText(spans);
    const runs = spans.flatMap((span) => this.runs(span, directionOf(text) === "rtl"));
    this.add(options, text, runs);
  }

  private add(options: IParagraphOptions, text: string, children: ParagraphChild[]): void {
    const bidirectional = directionOf(text) === "rtl";
    this.children.push(new this.docx.Paragraph({ ...options, ...(bidirectional && { bidirectional }), children }));
  }

  private block(block: Block, place: Place): void {
    const { shift, around = {} } = place;
    switch (block.kind) {
      case "paragraph":
        this.paragraph(around, block.spans);
        break;
      case "heading":
        this.paragraph({ heading: `Heading${Math.min(6, block.depth + shift)}` as HeadingName }, block.spans);
        break;
      case "scene-break":
        this.paragraph({ style: "SceneBreak" }, [{ text: "* * *" }]);
        break;
      case "quote":
        this.blocks(block.blocks, { ...place, around: { style: "Quote" } });
        break;
      case "list":
        this.list(block, place);
        break;
      case "code":
        this.paragraph({ style: "SourceCode" }, [{ text: block.text }]);
        break;
      case "note":
        this.paragraph({ style: "FootnoteText" }, [{ text: block.label, note: true }, { text: " " }, ...block.spans]);
        break;
    }
  }

  private list({ isOrdered, start, items }: Extract<Block, { kind: "list" }>, place: Place): void {
    const level = Math.min(place.level ?? 0, LEVELS.length - 1);
    if (isOrdered) this.starts.add(start);
    const numbering = { reference: isOrdered ? numberingName(start) : "bullets", level, instance: ++this.lists };
    for (const item of items) {
      const [first, ...rest] = item;
      const isText = first?.kind === "paragraph";
      this.paragraph({ numbering }, isText ? first.spans : []);
      const around = { indent: { left: 720 * (level + 1) } };
      this.blocks(isText ? rest : item, { ...place, around, level: level + 1 });
    }
  }

  private runs(span: Span, rightToLeft: boolean): ParagraphChild[] {
    const { TextRun, ExternalHyperlink } = this.docx;
    const text = span.note ? `[${span.text}]` : span.text;
    const runs = text.split("\n").map(
      (line, index) =>
        new TextRun({
          text: line,
          ...(index > 0 && { break: 1 }),
          ...(span.em && { italics: true }),
          ...(span.strong && { bold: true }),
          ...(span.strike && { strike: true }),
          ...(span.note && { superScript: true }),
          ...(span.code && { style: "VerbatimChar" }),
          ...(span.href && { style: "Hyperlink" }),
          ...(rightToLeft && { rightToLeft: true }),
        }),
    );
    return span.href ? [new ExternalHyperlink({ link: span.href, children: runs })] : runs;
  }
}

function document(docx: Docx, { title, author, language }: SoundBook, { children, starts }: DocxWriter) {
  const heading = (outlineLevel: number, size: number) => ({
    run: { size, color: "000000" },
    paragraph: { outlineLevel, keepNext: true, alignment: "center" as const, spacing: { before: 480, after: 240 } },
  });
  const mono = { font: "Courier New" };
  return new docx.Document({
    title,
    creator: author ?? "",
    lastModifiedBy: author ?? "",
    styles: {
      default: {
        document: { run: { size: 24, font: "Times New Roman", ...(language && { language: { value: language } }) } },
        title: { run: { size: 56 }, paragraph: { alignment: "center", spacing: { before: 2400, after: 480 } } },
        heading1: heading(0, 36),
        heading2: heading(1, 30),
        heading3: heading(2, 28),
        heading4: heading(3, 26),
        heading5: heading(4, 24),
        heading6: heading(5, 24),
      },
      paragraphStyles: [
        { id: "Author", name: "Author", basedOn: "Normal", paragraph: { alignment: "center" } },
        {
          id: "SceneBreak",
          name: "Scene Break",
          basedOn: "Normal",
          paragraph: { alignment: "center", spacing: { before: 240, after: 240 } },
        },
        { id: "Quote", name: "Quote", basedOn: "Normal", paragraph: { indent: { left: 720, right: 720 } } },
        { id: "SourceCode", name: "Source Code", basedOn: "Normal", run: mono },
      ],
      characterStyles: [{ id: "VerbatimChar", name: "Verbatim Char", run: mono }],
    },
    numbering: {
      config: [
        { reference: "bullets", levels: bullets },
        ...[...starts].map((start) => ({
          reference: numberingName(start),
          levels: LEVELS.map((level) => listLevel(level, "decimal", `%${level + 1}.`, start)),
        })),
      ],
    },
    sections: [{ children }],
  });
}

function listLevel(level: number, format: "bullet" | "decimal", text: string, start: number): ILevelsOptions {
  return { level, format, text, start, style: { paragraph: { indent: { left: 720 * (level + 1), hanging: 360 } } } };
}

function numberingName(start: number): string {
  return `numbers-${start}`;
}

/** The file with what is new each time replaced: dates, and the ids of links and bookmarks. */
function settle(bytes: Uint8Array, date: Date): Uint8Array {
  const links = new Map<string, string>();
  let opened = 0;
  let closed = 0;
  const settled = (name: string, content: string): string => {
    if (name === "docProps/core.xml") return content.replace(/(<dcterms:[^>]*>)[^<]+/g, `$1${date.toISOString()}`);
    if (name !== "word/document.xml" && name !== "word/_rels/document.xml.rels") return content;
    return content
      .replace(/(<w:hyperlink [^>]*r:id="|<Relationship Id=")(rId[\w-]{21})(?=")/g, (_, before: string, id: string) => {
        if (!links.has(id)) links.set(id, `rIdLink${links.size + 1}`);
        return before + links.get(id);
      })
      .replace(/(<w:bookmarkStart [^>]*w:id=")\d+/g, (_, before: string) => before + ++opened)
      .replace(/(<w:bookmarkEnd w:id=")\d+/g, (_, before: string) => before + ++closed);
  };
  const parts = Object.entries(unzipSync(bytes));
  return packFiles(parts.map(([name, content]) => ({ name, content: settled(name, strFromU8(content)) })));
}
