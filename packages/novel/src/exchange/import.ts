// An existing manuscript → its chapters: Markdown, plain text or a Word file, by what is in it, not by its name.

import { readFile, stat } from "node:fs/promises";
import { basename } from "node:path";
import { UsageError } from "@loopwright/core";
import type { Token, Tokens } from "marked";
import { parse } from "yaml";
import { type Block, plainText } from "./blocks.ts";
import { type BookChapter, cleanText, oneLine } from "./book.ts";
import { type Piece, splitChapters } from "./chapters.ts";
import { readDocx } from "./docx-reader.ts";
import { lexMarkdown, type NoteToken, tokensToSpans } from "./markdown/reader.ts";
import { writeMarkdown } from "./markdown/writer.ts";
import { readTitlePage } from "./title-page.ts";
import { breakLines, unwrapLines } from "./unwrap.ts";

/** A book that was read from a file. */
export interface Imported {
  title?: string;
  author?: string;
  language?: string;
  chapters: BookChapter[];
  /** What a person should know: what was left out, and what was decided for them. */
  notes: string[];
}

const MAX_BYTES = 200_000_000;

/** Reads a manuscript from its bytes or its path. Throws UsageError for what is none. */
export async function importManuscript(source: Uint8Array | string): Promise<Imported> {
  const name = typeof source === "string" ? basename(source) : "The manuscript";
  const bytes = typeof source === "string" ? await readBytes(source) : source;
  const start = Buffer.from(bytes.subarray(0, 8)).toString("latin1");
  if (start.startsWith("PK")) return withTitlePage(await importDocx(bytes, name));
  const other = others.find(([sign]) => start.startsWith(sign))?.[1];
  if (other)
    throw new UsageError("IMPORT_UNKNOWN", `${name} is ${other}. Save it as .docx or Markdown, and import that.`);
  return withTitlePage(importMarkdown(decode(bytes, name)));
}

/** The same with what its title page says, where nothing else named the book; the page stays where it is. */
function withTitlePage(imported: Imported): Imported {
  const page = imported.chapters[0]?.part === "front-matter" ? readTitlePage(imported.chapters[0].markdown) : {};
  if (imported.title !== undefined || page.title === undefined) return imported;
  const { title, author = "" } = { ...page, ...imported };
  const note = `It is "${oneLine(title ?? "")}" by ${oneLine(author)}, as its title page says.`;
  return { ...imported, ...named({ title, author }), notes: [...imported.notes, note] };
}

const others: readonly (readonly [sign: string, kind: string])[] = [
  ["\xd0\xcf\x11\xe0", "an old Word file (.doc), or one with a password"],
  ["{\\rtf", "an RTF file"],
  ["%PDF", "a PDF file"],
];

async function importDocx(bytes: Uint8Array, name: string): Promise<Imported> {
  const { title, author, blocks, notes } = await readDocx(bytes, name);
  const split = splitChapters(blocks.map(blockToPiece), { ...(title && { title }) });
  return {
    ...named({ title: title ?? split.title, author }),
    chapters: split.chapters,
    notes: [...notes, ...split.notes],
  };
}

function blockToPiece(block: Block): Piece {
  const markdown = `${writeMarkdown([block])}\n\n`;
  if (block.kind === "note") return { markdown, defines: `^${block.label}` };
  if (block.kind !== "heading") return { markdown };
  return { markdown, heading: { depth: block.depth, text: oneLine(plainText(block.spans)), isMarked: block.isMarked } };
}

function importMarkdown(text: string): Imported {
  const { facts, rest, notes } = takeFrontMatter(text);
  const { text: whole, width } = unwrapLines(rest);
  const split = splitChapters(lexMarkdown(whole).map(tokenToPiece), {
    ...(facts.title && { title: facts.title }),
    ...(facts.level && { level: facts.level }),
  });
  return {
    ...named({ title: facts.title ?? split.title, author: facts.author, language: facts.language }),
    chapters:
      width === undefined
        ? split.chapters
        : split.chapters.map((chapter) => ({ ...chapter, markdown: breakLines(chapter.markdown, width) })),
    notes: [
      ...notes,
      ...split.notes,
      ...(width === undefined
        ? []
        : [`Its lines were broken after ${width} signs: each paragraph is one line now, and verse keeps its lines.`]),
    ],
  };
}

function tokenToPiece(token: Token): Piece {
  const markdown = token.raw;
  if (token.type === "def") return { markdown, defines: (token as Tokens.Def).tag };
  if (token.type === "footnote") return { markdown, defines: `^${(token as NoteToken).label}` };
  if (token.type !== "heading") return { markdown };
  const { depth, tokens } = token as Tokens.Heading;
  const text = oneLine(plainText(tokensToSpans(tokens)));
  // A number sign alone is a scene break.
  return text === "" ? { markdown: markdown.replace(/\S+/, "***") } : { markdown, heading: { depth, text } };
}

interface Facts {
  title?: string | undefined;
  author?: string | undefined;
  language?: string | undefined;
  level?: number | undefined;
}

/** What stands between two rules at a file's start, where it is about the book; else it is text. */
function takeFrontMatter(text: string): { facts: Facts; rest: string; notes: string[] } {
  const none = { facts: {}, rest: text, notes: [] };
  const [whole, yaml] = /^---[ \t]*\n([\s\S]*?\n)?(?:---|\.\.\.)[ \t]*(?:\n|$)/.exec(text) ?? [];
  if (!whole || !yaml) return none;
  let values: unknown;
  try {
    values = parse(yaml);
  } catch {
    return none;
  }
  if (typeof values !== "object" || values === null || Array.isArray(values)) return none;
  const { title, author, lang, language, "chapter-level": level, ...unknown } = values as Record<string, unknown>;
  if ([title, author, lang, language, level].every((value) => value === undefined)) return none;
  const left = Object.keys(unknown).map(oneLine);
  const facts: Facts = {
    title: words(title),
    author: words(author),
    language: words(lang ?? language),
    level: typeof level === "number" && level >= 1 && level <= 6 ? level : undefined,
  };
  const notes = left.length > 0 ? [`Of what stands in front of the text, this was left out: ${left.join(", ")}.`] : [];
  return { facts, rest: text.slice(whole.length), notes };
}

function words(value: unknown): string | undefined {
  const texts = (Array.isArray(value) ? value : [value]).filter(
    (each) => typeof each === "string" || typeof each === "number",
  );
  return oneLine(texts.join(", ")) || undefined;
}

function named(facts: Facts): Pick<Imported, "title" | "author" | "language"> {
  const { title, author, language } = facts;
  return { ...(title && { title }), ...(author && { author }), ...(language && { language }) };
}

function decode(bytes: Uint8Array, name: string): string {
  const encoding =
    bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : "utf-8";
  let text: string | undefined;
  try {
    text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {}
  if (text === undefined || text.includes("\0")) {
    throw new UsageError(
      "IMPORT_UNKNOWN",
      `${name} is neither a Word file nor text in UTF-8. Save it as .docx, or as UTF-8.`,
    );
  }
  return cleanText(text);
}

async function readBytes(path: string): Promise<Uint8Array> {
  try {
    const { size } = await stat(path);
    if (size > MAX_BYTES)
      throw new UsageError("IMPORT_TOO_LARGE", `${path} has ${size} bytes. No manuscript is that large.`);
    return await readFile(path);
  } catch (cause) {
    if (cause instanceof UsageError) throw cause;
    const { code, message } = cause as NodeJS.ErrnoException;
    const why =
      code === "ENOENT"
        ? "there is no such file"
        : code === "EISDIR"
          ? "it is a folder; import a file"
          : oneLine(message);
    throw new UsageError("IMPORT_UNREADABLE", `${path} cannot be read: ${why}.`, { cause });
  }
}
