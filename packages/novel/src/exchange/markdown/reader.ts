// Markdown → blocks, as a novel means it. HTML in it is text, comments are gone, an indented paragraph is a paragraph.
//
// Written by people and models alike, so: a rule right under a sentence is a scene break, not a heading of that
// sentence; `#` alone is a scene break too; `[^1]` is a footnote, whatever its text looks like.

import { UsageError } from "@loopwright/core";
import {
  Marked,
  type MarkedToken,
  type Token,
  type TokenizerExtension,
  type TokenizerObject,
  type Tokens,
} from "marked";
import { type Block, type Marks, type Span, safeHref, tidySpans } from "../blocks.ts";
import { decodeEntities } from "../entities.ts";

/** A footnote's text, as the lexer gives it. */
export interface NoteToken {
  type: "footnote";
  raw: string;
  label: string;
  tokens: Token[];
}

const NOTE = /^ {0,3}\[\^([^\]\s]{1,80})\]:[ \t]*([^\n]*(?:\n(?!\s*\n| {0,3}\[\^[^\]\s]+\]:)[^\n]+)*)(?:\n+|$)/;
const MARK = /^\[\^([^\]\s]{1,80})\]/;

// Lines of text right above a rule; none of them begins a block of another kind.
const ABOVE_RULE =
  /^((?:(?![ \t]*\n| {0,3}(?:[#>|<=]|[-+*](?:\s|-)|\d+[.)]\s|```|~~~|\[\^))[^\n]+\n)+?) {0,3}-+[ \t]*(?:\n|$)/;

const extensions: TokenizerExtension[] = [
  {
    name: "paragraph-above-rule",
    level: "block",
    tokenizer(text) {
      const raw = ABOVE_RULE.exec(text)?.[1];
      if (raw === undefined || !isSentence(raw.trim())) return undefined;
      return { type: "paragraph", raw, text: raw.trim(), tokens: this.lexer.inline(raw.trim(), []) };
    },
  },
  {
    name: "footnote",
    level: "block",
    start: (text) => text.match(/\n {0,3}\[\^[^\]\s]{1,80}\]:/)?.index,
    tokenizer(text) {
      const [raw, label, words] = NOTE.exec(text) ?? [];
      if (raw === undefined) return undefined;
      return { type: "footnote", raw, label, tokens: this.lexer.inline(words!, []) };
    },
  },
  {
    name: "footnote-mark",
    level: "inline",
    start: (text) => text.indexOf("[^"),
    tokenizer(text) {
      const [raw, label] = MARK.exec(text) ?? [];
      return raw === undefined ? undefined : { type: "footnote-mark", raw, label };
    },
  },
];

// A tokenizer that gives nothing leaves the text to those after it.
const tokenizer: TokenizerObject = {
  html: () => undefined,
  code: () => undefined,
  url: () => undefined,
  tag(text) {
    const raw = /^<br *\/?>/i.exec(text)?.[0];
    // Typed as a tag, read as what it is.
    return raw ? ({ type: "br", raw } as unknown as Tokens.Tag) : undefined;
  },
};

const splitting = new Marked({ extensions });
const reading = new Marked({ tokenizer, extensions });

/** The top-level tokens of a text, comments and HTML among them; their `raw`s together are the text. */
export function lexMarkdown(text: string): Token[] {
  return lexed(splitting, text);
}

/** The blocks of a text. */
export function readMarkdown(text: string): Block[] {
  return toBlocks(lexed(reading, withoutComments(text)));
}

/** A text without its comments, keep marks among them; one that is escaped or never closed is text. */
export function withoutComments(text: string): string {
  let rest = "";
  let at = 0;
  for (let from = 0; ; ) {
    const open = text.indexOf("<!--", from);
    const close = open < 0 ? -1 : text.indexOf("-->", open + 4);
    if (close < 0) return rest + text.slice(at);
    if (isEscaped(text, open)) {
      from = open + 1;
      continue;
    }
    rest += text.slice(at, open);
    at = close + 3;
    from = at;
  }
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0;
  while (text[at - 1 - slashes] === "\\") slashes++;
  return slashes % 2 === 1;
}

/** The spans of a heading or paragraph token. */
export function tokensToSpans(tokens: readonly Token[]): Span[] {
  return tidySpans(tokens.flatMap((token) => toSpans(token, {})));
}

function lexed(marked: Marked, text: string): Token[] {
  try {
    return marked.lexer(text);
  } catch (cause) {
    // Thousands of quotes or lists inside each other exhaust the stack.
    throw new UsageError("MARKDOWN_TOO_DEEP", "This Markdown is nested too deeply to be read.", { cause });
  }
}

function isSentence(text: string): boolean {
  return text.includes("\n") || /[.!?…,;:"'”’»)\]*_—–-]$/.test(text);
}

function toBlocks(tokens: readonly Token[]): Block[] {
  return tokens.flatMap((generic): Block[] => {
    const token = generic as MarkedToken | NoteToken;
    switch (token.type) {
      case "paragraph":
      case "text":
        return paragraph(token.tokens ? tokensToSpans(token.tokens) : [{ text: decodeEntities(token.text) }]);
      case "heading": {
        const spans = tokensToSpans(token.tokens);
        return [spans.length === 0 ? { kind: "scene-break" } : { kind: "heading", depth: token.depth, spans }];
      }
      case "hr":
        return [{ kind: "scene-break" }];
      case "blockquote":
        return [{ kind: "quote", blocks: toBlocks(token.tokens) }];
      case "list":
        return [toList(token)];
      case "code":
        return [{ kind: "code", text: token.text }];
      case "table":
        return paragraph(tableToSpans(token));
      case "checkbox":
        return paragraph([{ text: token.raw.trim() }]);
      case "footnote":
        return [{ kind: "note", label: token.label, spans: tokensToSpans(token.tokens) }];
      default:
        return [];
    }
  });
}

function paragraph(spans: Span[]): Block[] {
  return spans.length === 0 ? [] : [{ kind: "paragraph", spans }];
}

function toList({ ordered, start, items }: Tokens.List): Block {
  return {
    kind: "list",
    isOrdered: ordered,
    start: start === "" ? 1 : start,
    items: items.map(({ tokens }) => toBlocks(tokens)),
  };
}

function tableToSpans({ header, rows }: Tokens.Table): Span[] {
  const lines = [header, ...rows].map((cells) =>
    cells.flatMap(({ tokens }, index): Span[] => [...(index > 0 ? [{ text: " | " }] : []), ...tokensToSpans(tokens)]),
  );
  return tidySpans(lines.flatMap((line, index): Span[] => [...(index > 0 ? [{ text: "\n" }] : []), ...line]));
}

function toSpans(generic: Token, marks: Marks): Span[] {
  const token = generic as MarkedToken | { type: "footnote-mark"; raw: string; label: string };
  const inside = (tokens: readonly Token[], more: Marks) =>
    tokens.flatMap((each) => toSpans(each, { ...marks, ...more }));
  switch (token.type) {
    case "em":
      return inside(token.tokens, { em: true });
    case "strong":
      return inside(token.tokens, { strong: true });
    case "del":
      return inside(token.tokens, { strike: true });
    case "link":
      return inside(token.tokens, { href: safeHref(token.autolink ? token.href : decodeEntities(token.href)) });
    case "image":
      return [{ text: softened(decodeEntities(token.text)), ...marks }];
    case "codespan":
      return [{ text: softened(token.text), ...marks, code: true }];
    case "br":
      return [{ text: "\n", ...marks }];
    case "escape":
      return [{ text: token.text, ...marks }];
    case "footnote-mark":
      return [{ text: token.label, note: true }];
    case "text":
      if (token.tokens) return inside(token.tokens, {});
      return [{ text: softened(decodeEntities(token.text)), ...marks }];
    default:
      return [{ text: softened(token.raw), ...marks }];
  }
}

/** A line's end inside a paragraph is a space. */
function softened(text: string): string {
  return text.replace(/[ \t]+/g, " ").replace(/ ?\n ?/g, " ");
}
