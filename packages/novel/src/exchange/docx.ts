// Word: the title, then each chapter under a first-level heading on a page of its own.

import { createRequire } from "node:module";
import type * as Library from "docx";
import type { ILevelsOptions, IParagraphOptions, IRunOptions, ParagraphChild } from "docx";
import type { MarkedToken, Token, Tokens } from "marked";
import { type Book, chapterBlocks, plainText, type SoundBook, safeHref, soundBook } from "./book.ts";

type Docx = typeof Library;
type HeadingName = Docx["HeadingLevel"][keyof Docx["HeadingLevel"]];

const LEVELS = [0, 1, 2, 3, 4, 5, 6, 7, 8];
const bullets: ILevelsOptions[] = LEVELS.map((level) => listLevel(level, "bullet", "•", 1));

/** The book as a Word file. */
export async function exportDocx(book: Book): Promise<Uint8Array> {
  const docx = loadDocx();
  const sound = soundBook(book);
  const writer = new DocxWriter(docx, sound.isRightToLeft);
  writer.line({ heading: "Title" }, sound.title);
  if (sound.author) writer.line({ style: "Author" }, sound.author);
  for (const chapter of sound.chapters) {
    writer.line({ pageBreakBefore: true, ...(chapter.title !== "" && { heading: "Heading1" }) }, chapter.title);
    writer.blocks(chapterBlocks(chapter), {});
  }
  return docx.Packer.toBuffer(document(docx, sound, writer));
}

/** Read when it is wanted, not when the program starts; scripts/vendor.ts copies the one file of the library that is needed. */
function loadDocx(): Docx {
  return createRequire(import.meta.url)("../../vendor/docx/dist/index.mjs") as Docx;
}

class DocxWriter {
  readonly children: InstanceType<Docx["Paragraph"]>[] = [];
  /** The numbers that ordered lists start at: each needs a numbering of its own. */
  readonly starts = new Set<number>();
  private readonly docx: Docx;
  private readonly rightToLeft: boolean;
  private lists = 0;

  constructor(docx: Docx, rightToLeft: boolean) {
    this.docx = docx;
    this.rightToLeft = rightToLeft;
  }

  /** A paragraph of plain text. */
  line(options: IParagraphOptions, text: string): void {
    this.add(options, this.runs(text, {}));
  }

  /** `around` is how paragraphs stand in a quote or a list, `level` how deep in lists. */
  blocks(tokens: readonly Token[], around: IParagraphOptions, level = 0): void {
    for (const generic of tokens) {
      const token = generic as MarkedToken;
      if (token.type === "paragraph" || token.type === "text") this.paragraph(around, token.tokens ?? [token]);
      else if (token.type === "heading")
        this.paragraph({ heading: `Heading${token.depth}` as HeadingName }, token.tokens);
      else if (token.type === "hr") this.line({ style: "SceneBreak" }, "* * *");
      else if (token.type === "blockquote") this.blocks(token.tokens, { style: "Quote" }, level);
      else if (token.type === "list") this.list(token, Math.min(level, LEVELS.length - 1));
      else if (token.type === "code") this.line({ style: "SourceCode" }, token.text);
      else if (token.type === "table") this.table(token);
    }
  }

  private paragraph(options: IParagraphOptions, tokens: readonly Token[]): void {
    this.add(
      options,
      tokens.flatMap((token) => this.inline(token, {})),
    );
  }

  private add(options: IParagraphOptions, children: ParagraphChild[]): void {
    const direction = this.rightToLeft && { bidirectional: true };
    this.children.push(new this.docx.Paragraph({ ...options, ...direction, children }));
  }

  private list({ ordered, start, items }: Tokens.List, level: number): void {
    const number = start === "" ? 1 : start;
    if (ordered) this.starts.add(number);
    const numbering = { reference: ordered ? numberingName(number) : "bullets", level, instance: ++this.lists };
    for (const { tokens } of items) {
      const [first, ...rest] = tokens;
      const isText = first?.type === "text" || first?.type === "paragraph";
      this.paragraph({ numbering }, isText ? ((first as Tokens.Paragraph).tokens ?? []) : []);
      this.blocks(isText ? rest : tokens, { indent: { left: 720 * (level + 1) } }, level + 1);
    }
  }

  private table({ header, rows }: Tokens.Table): void {
    for (const cells of [header, ...rows]) this.line({}, cells.map(({ tokens }) => plainText(tokens)).join(" | "));
  }

  private inline(generic: Token, marks: IRunOptions): ParagraphChild[] {
    const token = generic as MarkedToken;
    const inside = (tokens: readonly Token[], more: IRunOptions) =>
      tokens.flatMap((each) => this.inline(each, { ...marks, ...more }));
    switch (token.type) {
      case "em":
        return inside(token.tokens, { italics: true });
      case "strong":
        return inside(token.tokens, { bold: true });
      case "del":
        return inside(token.tokens, { strike: true });
      case "link": {
        const [link, children] = [safeHref(token.href), inside(token.tokens, { style: "Hyperlink" })];
        return link ? [new this.docx.ExternalHyperlink({ link, children })] : inside(token.tokens, {});
      }
      case "codespan":
        return this.runs(token.text, { ...marks, style: "VerbatimChar" });
      case "br":
        return [new this.docx.TextRun({ break: 1 })];
      default: {
        const { tokens, text, raw } = token as Tokens.Generic;
        if (tokens) return inside(tokens, {});
        return this.runs((text ?? raw).replace(/\s+/g, " "), marks);
      }
    }
  }

  private runs(text: string, marks: IRunOptions): ParagraphChild[] {
    return text.split("\n").map(
      (line, at) =>
        new this.docx.TextRun({
          ...marks,
          text: line,
          ...(at > 0 && { break: 1 }),
          ...(this.rightToLeft && { rightToLeft: true }),
        }),
    );
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
