// Markdown as a novel means it, and a book as one file of it. HTML is text, comments are gone, an indented paragraph is a
// paragraph; a rule right under a sentence is a scene break, and so is `#` alone.

import { Marked, type Token, type TokenizerObject, type Tokens } from "marked";
import { stringify } from "yaml";
import { type Book, type BookChapter, oneLine, soundBook } from "./book.ts";

const ABOVE_DASHES = /^(?:[^\n]+\n)+? {0,3}-+[ \t]*(?:\n|$)/;

// A tokenizer that gives nothing leaves the text to those after it; one that gives false, to the library's own.
const tokenizer: TokenizerObject = {
  html: () => undefined,
  code: () => undefined,
  // A footnote stays as it was written, for what defines a link is not shown.
  def: (text) => (text.trimStart().startsWith("[^") ? undefined : false),
  url: () => undefined,
  lheading: (text) => (ABOVE_DASHES.test(text) ? undefined : false),
  tag: (text) => {
    const raw = /^<br *\/?>/i.exec(text)?.[0];
    return raw ? ({ type: "br", raw } as unknown as Tokens.Tag) : undefined;
  },
};

/** Reads Markdown; exports add how they write it. */
export function markdownReader(): Marked {
  return new Marked({ tokenizer });
}

const reader = markdownReader();

/** The blocks of a text. Their `raw`s together are the text, but for comments. */
export function readMarkdown(text: string): Token[] {
  return reader.lexer(text.replace(/<!--[\s\S]*?-->/g, ""));
}

/** The blocks below a chapter's title; their headings stand below it. */
export function chapterBlocks({ title, markdown }: BookChapter): Token[] {
  const { tokens, shift } = belowTitle(decodeEntities(markdown), title);
  return tokens.map((token) => {
    if (!isHeading(token)) return token;
    if (headingText(token) === "") return { type: "hr", raw: "***\n\n" };
    return { ...token, depth: Math.min(6, token.depth + shift) };
  });
}

/** The book as one Markdown file. The writer's text stays as it is, but for comments and the levels of headings. */
export function exportMarkdown(book: Book): string {
  const { title, author, language, chapters } = soundBook(book);
  const facts = { title, ...(author && { author }), ...(language && { lang: language }), "chapter-level": 1 };
  const parts = chapters.map((chapter) => {
    const heading = chapter.title === "" ? "" : `# ${escapeLine(chapter.title)}\n\n`;
    const { tokens, shift } = belowTitle(chapter.markdown, chapter.title);
    const text = tokens.map((token) => (isHeading(token) ? headingLine(token, shift) : token.raw)).join("");
    return `${heading}${text.replace(/^(?:[ \t]*\n)+/, "")}`.trimEnd();
  });
  return `${[`---\n${stringify(facts)}---`, ...parts].join("\n\n")}\n`;
}

/** A text without a first heading that only says its title again, and how much deeper its others have to stand. */
function belowTitle(markdown: string, title: string): { tokens: Token[]; shift: number } {
  const tokens = readMarkdown(markdown);
  const first = tokens.findIndex(({ type }) => type !== "space");
  const opening = tokens[first];
  if (opening && isHeading(opening) && headingText(opening) === title) tokens.splice(first, 1);
  const isOutermost = (token: Token) => isHeading(token) && token.depth === 1 && headingText(token) !== "";
  return { tokens, shift: tokens.some(isOutermost) ? 1 : 0 };
}

/** A heading so many levels deeper; an empty one is a scene break. */
function headingLine(token: Tokens.Heading, shift: number): string {
  const end = /\n*$/.exec(token.raw)![0];
  if (headingText(token) === "") return `***${end}`;
  if (shift === 0) return token.raw;
  return `${"#".repeat(Math.min(6, token.depth + shift))} ${token.text.replace(/\n/g, " ")}${end}`;
}

/** Whether a token is a heading. */
export function isHeading(token: Token): token is Tokens.Heading {
  return token.type === "heading";
}

/** A heading as plain text. */
export function headingText({ tokens }: Tokens.Heading): string {
  return oneLine(plainText(tokens));
}

/** What is read of inline tokens, without their marks. */
export function plainText(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      if (token.type === "br") return " ";
      const { tokens: inner, text = "" } = token as Tokens.Generic;
      return inner ? plainText(inner) : decodeEntities(text);
    })
    .join("");
}

/** An address that a book may link to; undefined for scripts, files and places inside something else. */
export function safeHref(href: string): string | undefined {
  if (!/^(?:https?:\/\/|mailto:)\S+$/i.test(href) || !URL.canParse(href)) return undefined;
  return href.replace(/[<>"\\^`{|}]/g, encodeURIComponent);
}

/** The signs that people write by name. */
const names: Readonly<Record<string, string>> = {
  ...{ amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: "\u00a0", shy: "\u00ad", hellip: "…" },
  ...{ mdash: "—", ndash: "–", lsquo: "‘", rsquo: "’", ldquo: "“", rdquo: "”", laquo: "«", raquo: "»" },
};

/** A text with references such as `&mdash;` and `&#8212;` resolved; others stay as they are. */
function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,6}));/gi, (whole, decimal, hex, name: string) => {
    if (name !== undefined) return Object.hasOwn(names, name) ? names[name]! : whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code >= 32 && code <= 0x10ffff ? String.fromCodePoint(code).toWellFormed() : "\ufffd";
  });
}

/** Plain text as Markdown on one line. */
function escapeLine(text: string): string {
  return text.replace(/[\\*_`[\]<~&]|^[#>+-]|#+$/g, (signs) => `\\${signs}`).replace(/^(\d+)([.)])/, "$1\\$2");
}
