// Blocks → Markdown that reads as them again. Signs that would mean something are escaped, and no others.

import { type Block, hasSameMarks, plainText, type Span, tidySpans } from "../blocks.ts";
import { readMarkdown } from "./reader.ts";

// Beyond it emphasis is dropped unseen: no paragraph of prose is so long, and reading a hostile one takes minutes.
const LONGEST_MARKED = 20_000;

/** Blocks as the text of a file, without a line break at its end. */
export function writeMarkdown(blocks: readonly Block[]): string {
  return blocks.map(writeBlock).join("\n\n");
}

/** Plain text as Markdown on one line. */
export function escapeMarkdown(text: string): string {
  return escapeStart(escapeText(text.replace(/\s+/g, " ").trim()));
}

function writeBlock(block: Block): string {
  switch (block.kind) {
    case "paragraph":
      return writeSpans(block.spans);
    case "heading": {
      const text = writeSpans(block.spans.map((span) => ({ ...span, text: span.text.replace(/\n/g, " ") })));
      return `${"#".repeat(block.depth)} ${text.trimEnd().replace(/(^|\s)(#+)$/, "$1\\$2")}`;
    }
    case "scene-break":
      return "***";
    case "quote":
      return writeMarkdown(block.blocks)
        .replace(/^(?=.)/gm, "> ")
        .replace(/^$/gm, ">");
    case "list":
      return writeList(block);
    case "code": {
      const fence = fenceFor(block.text, 3);
      return `${fence}\n${block.text}\n${fence}`;
    }
    case "note":
      return `[^${block.label}]: ${writeSpans(block.spans).replace(/\\?\n/g, " ")}`;
  }
}

function writeList({ items, isOrdered, start }: Extract<Block, { kind: "list" }>): string {
  const isTight = items.every((blocks) => blocks.every(({ kind }, index) => index === 0 || kind === "list"));
  const texts = items.map((blocks, index) => {
    const sign = isOrdered ? `${start + index}. ` : "- ";
    const text = blocks.map(writeBlock).join(isTight ? "\n" : "\n\n");
    return sign + text.replace(/\n(?=.)/g, `\n${" ".repeat(sign.length)}`);
  });
  return texts.join(isTight ? "\n" : "\n\n");
}

function writeSpans(spans: readonly Span[]): string {
  const marked = escapeLines(writeMarked(spans));
  if (spans.every((span) => hasSameMarks(span, {}))) return marked;
  // Some emphasis cannot be said in Markdown (half a word beside a quotation mark): rather none than stray stars.
  const [read] = marked.length > LONGEST_MARKED ? [] : readMarkdown(marked);
  if (read?.kind === "paragraph" && plainText(read.spans) === plainText(spans)) return marked;
  const bare = tidySpans(spans.map(({ text, note }) => ({ text, note })));
  return escapeLines(bare.map(writeSpan).join(""));
}

const wrappers = [
  ["em", "*"],
  ["strong", "**"],
  ["strike", "~~"],
] as const;

/** Spans with the same mark share its signs: the outermost mark first. */
function writeMarked(spans: readonly Span[], depth = -1): string {
  if (depth === wrappers.length) return spans.map(writeSpan).join("");
  const key = depth < 0 ? "href" : wrappers[depth]![0];
  let text = "";
  for (let from = 0; from < spans.length; ) {
    let to = from + 1;
    while (to < spans.length && spans[to]![key] === spans[from]![key]) to++;
    const inner = writeMarked(spans.slice(from, to), depth + 1);
    const value = spans[from]![key];
    if (!value) text += inner;
    else if (depth < 0) text += writeLink(inner, plainText(spans.slice(from, to)), String(value));
    else text += wrap(inner, wrappers[depth]![1], text, spans[to]?.text ?? "");
    from = to;
  }
  return text;
}

/** Space does not belong inside the signs; nor does punctuation where a letter stands right outside. */
function wrap(inner: string, sign: string, before: string, after: string): string {
  const isWord = (text: string) => /^[\p{L}\p{N}]/u.test(text);
  const lead = (isWord(before.slice(-1)) ? /^(?:(?:\s|\\\n)+|["“”‘’'«».,;:!?…—–-]*)/ : /^(?:\s|\\\n)*/).exec(inner)![0];
  const rest = inner.slice(lead.length);
  const core = rest.replace(isWord(after) ? /(?:(?:\s|\\\n)+|["“”‘’'«».,;:!?…—–-]*)$/ : /(?:\s|\\\n)*$/, "");
  return core === "" ? inner : `${lead}${sign}${core}${sign}${rest.slice(core.length)}`;
}

function writeLink(inner: string, text: string, href: string): string {
  const address = href.replace(/&(?=#?\w+;)/g, "&amp;");
  if (text === href) return `<${href}>`;
  return `[${inner}](${/[()]/.test(address) ? `<${address}>` : address})`;
}

function writeSpan({ text, code, note }: Span): string {
  if (note) return `[^${text}]`;
  // A comment's sign cannot be escaped in code.
  if (!code || text.includes("<!--")) return escapeText(text);
  const fence = fenceFor(text, 1);
  const pad = /^`|`$|^ .* $/.test(text) ? " " : "";
  return `${fence}${pad}${text}${pad}${fence}`;
}

function fenceFor(text: string, least: number): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  return "`".repeat(Math.max(least, longest + 1));
}

function escapeText(text: string): string {
  return text
    .replace(/[\\*`~]/g, "\\$&")
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, "\\_")
    .replace(/\[(?=\^)|\](?=[(:])|<(?=[A-Za-z/!?]|\S*@)|&(?=#?\w+;)/g, "\\$&")
    .replace(/\n/g, "\\\n");
}

function escapeLines(text: string): string {
  return text.split("\n").map(escapeStart).join("\n");
}

/** Signs that mean something at the start of a line only. */
function escapeStart(line: string): string {
  return line
    .replace(/^(?:#{1,6}(?=\s|$)|[-+](?=[\s|:-]|$)|>|=+\s*$|\||:(?=-))/, "\\$&")
    .replace(/^(\d{1,9})([.)])(?=\s|$)/, "$1\\$2")
    .replace(/^(\[\^[^\]\s]+\]):/, "$1\\:");
}
