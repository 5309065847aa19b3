// The HTML that a Word file is converted to → blocks. Only tags that the converter writes are known here.

import { XMLParser } from "fast-xml-parser";
import { type Block, type Marks, plainText, type Span, safeHref, tidySpans } from "./blocks.ts";
import { cleanText, oneLine } from "./book.ts";
import { decodeEntities } from "./entities.ts";

type Node = { "#text"?: string; ":@"?: Record<string, string> } & { [tag: string]: Node[] };

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: "",
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  processEntities: false,
});

export interface WordHtml {
  title?: string;
  author?: string;
  /** Footnotes are the last of them. */
  blocks: Block[];
  /** How many there were: pictures are left out, tables kept as lines. */
  images: number;
  tables: number;
}

/** Reads converted HTML; throws where it cannot be parsed. */
export function readWordHtml(html: string): WordHtml {
  const [root] = parser.parse(`<body>${html}</body>`) as Node[];
  const reader = new HtmlReader();
  const blocks = reader.blocks(root?.body ?? []);
  const { title, author, images, tables, footnotes } = reader;
  return { ...(title && { title }), ...(author && { author }), blocks: [...blocks, ...footnotes], images, tables };
}

const SCENE_BREAK = /^(?:(?:\* ?)+|⁂|#|(?:[-_~•] ?){3,})$/;

class HtmlReader {
  images = 0;
  tables = 0;
  title = "";
  author = "";
  readonly footnotes: Block[] = [];

  blocks(nodes: readonly Node[]): Block[] {
    const blocks: Block[] = [];
    let loose: Node[] = [];
    const close = () => {
      blocks.push(...this.paragraph(loose));
      loose = [];
    };
    for (const node of nodes) {
      const tag = tagOf(node);
      if (!/^(?:p|h[1-6]|blockquote|[ou]l|pre|table)$/.test(tag)) {
        loose.push(node);
        continue;
      }
      close();
      blocks.push(...this.block(tag, node[tag]!, node[":@"] ?? {}));
    }
    close();
    return blocks;
  }

  private block(tag: string, inside: readonly Node[], { class: kind }: Record<string, string>): Block[] {
    if (tag === "blockquote") return [{ kind: "quote", blocks: this.blocks(inside) }];
    if (tag === "table") return this.table(inside);
    if (tag === "pre") return [{ kind: "code", text: plainText(this.spans(inside, {})) }];
    if (tag === "ul" || tag === "ol") return this.list(tag, inside);
    if (tag === "p") return this.paragraph(inside, kind);
    const spans = tidySpans(this.spans(inside, {}));
    const text = oneLine(plainText(spans));
    if (text === "") return [];
    if (kind === "title" && this.title === "") {
      this.title = text;
      return [];
    }
    const isMarked = inside.some((node) => /^chapter_\d{3,}$/.test(node[":@"]?.id ?? ""));
    return [{ kind: "heading", depth: Number(tag[1]), spans, ...(isMarked && { isMarked }) }];
  }

  private paragraph(inside: readonly Node[], kind?: string): Block[] {
    return splitAtEmptyLines(this.spans(inside, {})).flatMap((part): Block[] => {
      const spans = tidySpans(part);
      const text = oneLine(plainText(spans));
      if (text === "") return [];
      if (kind === "author" && this.author === "") {
        this.author = text;
        return [];
      }
      if (kind === "note" && spans[0]?.note) {
        return [{ kind: "note", label: spans[0].text, spans: tidySpans(spans.slice(1)) }];
      }
      return SCENE_BREAK.test(text) ? [{ kind: "scene-break" }] : [{ kind: "paragraph", spans }];
    });
  }

  private list(tag: "ul" | "ol", inside: readonly Node[]): Block[] {
    const items = inside.filter(({ li }) => li);
    if (/^(?:foot|end)note-/.test(items[0]?.[":@"]?.id ?? "")) {
      for (const { li } of items) {
        const paragraphs = this.blocks(li!).flatMap((block) =>
          "spans" in block ? [...block.spans, { text: " " }] : [],
        );
        this.footnotes.push({ kind: "note", label: String(this.footnotes.length + 1), spans: tidySpans(paragraphs) });
      }
      return [];
    }
    return [{ kind: "list", isOrdered: tag === "ol", start: 1, items: items.map(({ li }) => this.blocks(li!)) }];
  }

  private table(inside: readonly Node[]): Block[] {
    this.tables++;
    const rows = inside.flatMap((node) => node.thead ?? node.tbody ?? [node]).flatMap(({ tr }) => (tr ? [tr] : []));
    return rows.flatMap((cells) => {
      const texts = cells.flatMap((cell) => {
        const blocks = cell.td ?? cell.th;
        return blocks ? [oneLine(this.blocks(blocks).map(blockText).join(" "))] : [];
      });
      const text = texts.filter((each) => each !== "").join(" | ");
      return text === "" ? [] : [{ kind: "paragraph" as const, spans: [{ text }] }];
    });
  }

  private spans(nodes: readonly Node[], marks: Marks): Span[] {
    return nodes.flatMap((node): Span[] => {
      const tag = tagOf(node);
      const inside = (more: Marks) => this.spans(node[tag] ?? [], { ...marks, ...more });
      switch (tag) {
        case "#text":
          return [{ text: cleanText(decodeEntities(String(node["#text"]))).replace(/\n/g, " "), ...marks }];
        case "br":
          return [{ text: "\n", ...marks }];
        case "img":
          this.images++;
          return [];
        case "em":
          return inside({ em: true });
        case "strong":
          return inside({ strong: true });
        case "s":
          return inside({ strike: true });
        case "code":
          return inside({ code: true });
        case "sup":
          return this.superscript(inside({}));
        case "a":
          return this.anchor(node[":@"] ?? {}, inside);
        default:
          return inside({});
      }
    });
  }

  private superscript(spans: Span[]): Span[] {
    const [, label] = /^\[([^\]\s]{1,80})\]$/.exec(plainText(spans)) ?? [];
    return label === undefined ? spans : [{ text: label, note: true }];
  }

  private anchor({ href }: Record<string, string>, inside: (marks: Marks) => Span[]): Span[] {
    // The way back from a footnote, which only means something on a page of HTML.
    if (/^#(?:foot|end)note-ref-/.test(href ?? "")) return [];
    const address = href === undefined ? undefined : safeHref(decodeEntities(href));
    return inside(address ? { href: address } : {});
  }
}

/** Text that came by way of a web page is often one paragraph with two line breaks where a new one is meant. */
function splitAtEmptyLines(spans: readonly Span[]): Span[][] {
  const parts: Span[][] = [[]];
  let isAtBreak = false;
  for (const span of spans) {
    if (span.text === "\n" && isAtBreak) parts.push([]);
    else parts.at(-1)!.push(span);
    if (span.text.trim() !== "" || span.text === "\n") isAtBreak = span.text === "\n";
  }
  return parts;
}

function blockText(block: Block): string {
  if ("spans" in block) return plainText(block.spans);
  if (block.kind === "quote") return block.blocks.map(blockText).join(" ");
  if (block.kind === "list") return block.items.flat().map(blockText).join(" ");
  return block.kind === "code" ? block.text : "";
}

function tagOf(node: Node): string {
  return Object.keys(node).find((key) => key !== ":@") ?? "";
}
