// Blocks → XHTML: text is escaped, every paragraph that runs against its book's direction says so.

import { type Block, plainText, type Span } from "./blocks.ts";
import { directionOf } from "./book.ts";

/** Text as XML holds it, in content and in attributes. */
export function escapeXml(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");
}

/** Which level the outermost heading of a chapter gets: the chapter's own title is the first. */
export function headingShift(blocks: readonly Block[]): number {
  const depths = blocks.flatMap((block) => (block.kind === "heading" ? [block.depth] : []));
  return depths.includes(1) ? 1 : 0;
}

/** Blocks as XHTML, a line each. `direction` is that of the page. */
export function blocksToXhtml(blocks: readonly Block[], direction: "rtl" | "ltr"): string {
  const shift = headingShift(blocks);
  return blocks.map((block) => blockToXhtml(block, direction, shift)).join("\n");
}

function blockToXhtml(block: Block, direction: "rtl" | "ltr", shift: number): string {
  const inside = (blocks: readonly Block[]) => blocks.map((each) => blockToXhtml(each, direction, shift)).join("\n");
  switch (block.kind) {
    case "paragraph":
      return `<p${turned(block.spans, direction)}>${spansToXhtml(block.spans)}</p>`;
    case "heading": {
      const tag = `h${Math.min(6, block.depth + shift)}`;
      return `<${tag}${turned(block.spans, direction)}>${spansToXhtml(block.spans)}</${tag}>`;
    }
    case "scene-break":
      return "<hr/>";
    case "quote":
      return `<blockquote>\n${inside(block.blocks)}\n</blockquote>`;
    case "list": {
      const tag = block.isOrdered ? "ol" : "ul";
      const start = block.isOrdered && block.start !== 1 ? ` start="${block.start}"` : "";
      return `<${tag}${start}>\n${block.items.map((item) => `<li>${inside(item)}</li>`).join("\n")}\n</${tag}>`;
    }
    case "code":
      return `<pre><code>${escapeXml(block.text)}</code></pre>`;
    case "note":
      return `<p class="note"${turned(block.spans, direction)}><sup>[${escapeXml(block.label)}]</sup> ${spansToXhtml(block.spans)}</p>`;
  }
}

function turned(spans: readonly Span[], direction: "rtl" | "ltr"): string {
  const own = directionOf(plainText(spans));
  return own === undefined || own === direction ? "" : ` dir="${own}"`;
}

function spansToXhtml(spans: readonly Span[]): string {
  return spans.map(spanToXhtml).join("");
}

function spanToXhtml(span: Span): string {
  let text = escapeXml(span.note ? `[${span.text}]` : span.text).replace(/\n/g, "<br/>");
  if (span.note) text = `<sup>${text}</sup>`;
  if (span.code) text = `<code>${text}</code>`;
  if (span.strike) text = `<del>${text}</del>`;
  if (span.strong) text = `<strong>${text}</strong>`;
  if (span.em) text = `<em>${text}</em>`;
  return span.href ? `<a href="${escapeXml(span.href)}">${text}</a>` : text;
}
