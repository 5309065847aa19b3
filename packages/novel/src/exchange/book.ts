// A book as exports take it, and what of it must be made sound first: titles, language, direction, date. Its text is Markdown as a
// novel means it: HTML is text, comments are gone, an indented paragraph is a paragraph; a rule right under a sentence is a scene
// break, and so is `#` alone.

import { UsageError } from "@loopwright/core";
import { Marked, type Token, type TokenizerObject, type Tokens } from "marked";
import { stringify } from "yaml";

/** A chapter of it. */
export interface BookChapter {
  /** Plain text; a chapter without one is called by its number. */
  title: string;
  /** The text below the title. */
  markdown: string;
  /** What it is where it is no chapter; front and back matter may have no title. */
  part?: "front-matter" | "prologue" | "epilogue" | "back-matter" | undefined;
}

/** A book as it is written to EPUB, DOCX and Markdown. */
export interface Book {
  title: string;
  author?: string | undefined;
  /** A language tag, such as `en` or `pt-BR`. */
  language?: string | undefined;
  /** When it was last changed, as files say it of themselves; always the same day where it is left out. */
  date?: Date | undefined;
  chapters: readonly BookChapter[];
}

/** A book that can be written down as it is: no empty title, no character that XML forbids. */
export type SoundBook = ReturnType<typeof soundBook>;

const SOME_DAY = new Date("2000-01-01T00:00:00Z");
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones that no XML file may hold
const NOT_IN_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** The book with every gap filled; UsageError for a language that is none. */
export function soundBook({ title, author, language, date, chapters }: Book) {
  const sound = {
    title: oneLine(title) || "Untitled",
    author: oneLine(author ?? "") || undefined,
    language: languageTag(language),
    date: date && !Number.isNaN(date.getTime()) ? date : SOME_DAY,
    chapters: chapters.map((chapter, index) => ({
      ...(chapter.part && { part: chapter.part }),
      title: oneLine(chapter.title) || (isMatter(chapter) ? "" : `Chapter ${numberAt(chapters, index)}`),
      markdown: cleanText(chapter.markdown),
    })),
  };
  return { ...sound, isRightToLeft: sound.language !== undefined && isRightToLeft(sound.language) };
}

function isMatter({ part }: BookChapter): boolean {
  return part === "front-matter" || part === "back-matter";
}

/** The number of a chapter among those that have one. */
function numberAt(chapters: readonly BookChapter[], at: number): number {
  return chapters.slice(0, at + 1).filter(({ part }) => part === undefined).length;
}

/** Text without what no XML file can hold, its lines ended in one way. */
export function cleanText(text: string): string {
  return text.replace(/\r\n?/g, "\n").replace(NOT_IN_XML, "").toWellFormed();
}

/** Which way a language is written. The types do not know the method yet. */
function isRightToLeft(tag: string): boolean {
  const locale = new Intl.Locale(tag) as Intl.Locale & { getTextInfo(): { direction: string } };
  return locale.getTextInfo().direction === "rtl";
}

/** Text as one line. */
export function oneLine(text: string): string {
  return cleanText(text).replace(/\s+/g, " ").trim();
}

/** A file name made from a title: no folder, no character that some system refuses, never empty, never too long. */
export function bookFileName(title: string, extension: string): string {
  const words = [...oneLine(title).replace(/[^\p{L}\p{M}\p{N}]+/gu, "-")].slice(0, 60).join("");
  return `${words.replace(/^-+|-+$/g, "") || "untitled"}.${extension}`;
}

function languageTag(language: string | undefined): string | undefined {
  const tag = language?.trim().replace(/_/g, "-");
  if (!tag) return undefined;
  try {
    return Intl.getCanonicalLocales(tag)[0];
  } catch (cause) {
    throw new UsageError(
      "LANGUAGE_UNKNOWN",
      `"${oneLine(tag)}" is no language tag. Write one such as en, de or pt-BR as the language in project.yaml.`,
      { cause },
    );
  }
}

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
