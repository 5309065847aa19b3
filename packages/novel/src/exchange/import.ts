// An existing manuscript, Markdown or plain text, and its chapters: where its headings begin, or where one says they do.

import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { UsageError } from "@loopwright/core";
import { parse } from "yaml";
import { type BookChapter, cleanText, headingText, isHeading, oneLine, readMarkdown } from "./book.ts";

/** A book that was read from a file. */
export interface Imported {
  title?: string;
  author?: string;
  language?: string;
  chapters: BookChapter[];
  /** The text where it has no headings: `candidateLines` are what its chapters may begin with. */
  text?: string;
  /** What a person should know: what was left out, and what was decided for them. */
  notes: string[];
}

/** A line that may be the title of a chapter; lines are counted from 1. */
export interface CandidateLine {
  line: number;
  text: string;
}

/** A heading, where it stands in the text, and whether text follows before the next. */
interface Heading {
  depth: number;
  title: string;
  from: number;
  to: number;
  hasText: boolean;
}

const LONGEST_TITLE = 80;

/** Reads a manuscript from its bytes or its path. Throws UsageError for what is none. */
export async function importManuscript(source: Uint8Array | string): Promise<Imported> {
  const name = typeof source === "string" ? basename(source) : "The manuscript";
  const { facts, rest, notes } = takeFacts(decode(typeof source === "string" ? await readBytes(source) : source, name));
  const headings = headingsIn(rest);
  const { level, ...named } = facts;
  if (rest.trim() === "") return { ...named, chapters: [], notes: [...notes, "There is no text in it."] };
  if (headings.length === 0) {
    const why =
      "There are no headings in it, so the whole text is one chapter until a model says where its chapters begin; or put `# ` before each title, and import it again.";
    const chapters = [{ title: named.title ?? "Chapter 1", markdown: trimLines(rest) }];
    return { ...named, chapters, text: rest, notes: [...notes, why] };
  }
  // A book's title stands alone above all others.
  const [first, ...others] = headings;
  const isTitled = others.length > 0 && others.every(({ depth }) => depth > first!.depth) && !(level! >= 1);
  const title = named.title ?? (isTitled ? first!.title : undefined);
  const text = isTitled ? rest.slice(0, first!.from) + rest.slice(first!.to) : rest;
  const chapters = chaptersAt(text, isTitled ? headingsIn(text) : headings, level);
  if (chapters[0]?.part === "front-matter")
    notes.push("The text before the first chapter became the front matter, which has no number.");
  return { ...named, ...(title && { title }), chapters, notes };
}

/** Short lines that stand alone: of a text without headings, what its chapters may begin with. */
export function candidateLines(text: string): CandidateLine[] {
  const lines = text.split("\n").map((line) => line.trim());
  const isAlone = (at: number) => (lines[at - 1] ?? "") === "" && (lines[at + 1] ?? "") === "";
  return lines
    .map((line, at) => ({ line: at + 1, text: line }))
    .filter(({ line, text }) => text !== "" && text.length <= LONGEST_TITLE && isAlone(line - 1));
}

/** The chapters of a text that begin at these lines; what stands before the first is the front matter. */
export function splitAt(text: string, begins: readonly { line: number; title: string }[]): BookChapter[] {
  const lines = text.split("\n");
  const sorted = [...begins].sort((a, b) => a.line - b.line);
  const front = trimLines(lines.slice(0, (sorted[0]?.line ?? lines.length + 1) - 1).join("\n"));
  const chapters = sorted.map(({ line, title }, at) => ({
    title: oneLine(title),
    markdown: trimLines(lines.slice(line, (sorted[at + 1]?.line ?? lines.length + 1) - 1).join("\n")),
  }));
  return withParts([...(front === "" ? [] : [{ title: "", markdown: front }]), ...chapters]);
}

/** Chapters begin at the outermost headings that have text below them: those above are titles of parts. */
function chaptersAt(text: string, headings: readonly Heading[], known: number | undefined): BookChapter[] {
  const depths = [...new Set(headings.map(({ depth }) => depth))].sort();
  const hasText = (depth: number) => {
    const of = headings.filter((each) => each.depth === depth);
    return of.filter((each) => each.hasText).length * 2 >= of.length;
  };
  const level = known ?? depths.find(hasText) ?? depths[0]!;
  const chapters: BookChapter[] = [];
  const begins = headings.filter(({ depth }) => depth <= level);
  const front = trimLines(text.slice(0, begins[0]?.from));
  if (front !== "") chapters.push({ title: "", markdown: front });
  let parts: string[] = [];
  for (const [at, { depth, title, to }] of begins.entries()) {
    const markdown = trimLines(text.slice(to, begins[at + 1]?.from));
    parts.push(title);
    // The title of a part goes with its first chapter; where text follows, it is one of its own.
    if (depth < level && markdown === "" && at < begins.length - 1) continue;
    chapters.push({ title: parts.join(": "), markdown });
    parts = [];
  }
  return withParts(chapters);
}

/** Text before the chapters is the front matter; a prologue and an epilogue are no chapters either. */
function withParts(chapters: readonly BookChapter[]): BookChapter[] {
  return chapters.map((chapter, at) => {
    if (at === 0 && chapter.title === "" && chapters.length > 1) return { ...chapter, part: "front-matter" };
    if (/^prologue\b/i.test(chapter.title) && at < 2) return { ...chapter, part: "prologue" };
    const isLast = /^epilogue\b/i.test(chapter.title) && at === chapters.length - 1;
    return isLast ? { ...chapter, part: "epilogue" } : chapter;
  });
}

function headingsIn(text: string): Heading[] {
  // Comments are left where they are: a heading inside one is none.
  const plain = text.replace(/<!--[\s\S]*?-->/g, (comment) => comment.replace(/[^\n]/g, " "));
  const headings: Heading[] = [];
  let at = 0;
  for (const token of readMarkdown(plain)) {
    const from = Math.max(at, plain.indexOf(token.raw, at));
    at = from + token.raw.length;
    if (isHeading(token) && headingText(token) !== "")
      headings.push({ depth: token.depth, title: headingText(token), from, to: at, hasText: false });
    else if (token.type !== "space" && headings.length > 0) headings.at(-1)!.hasText = true;
  }
  return headings;
}

function trimLines(text: string): string {
  return text.replace(/^(?:[ \t]*\n)+/, "").trimEnd();
}

interface Facts {
  title?: string;
  author?: string;
  language?: string;
  level?: number;
}

/** What stands between two rules at a file's start, where it is about the book; else it is text. */
function takeFacts(text: string): { facts: Facts; rest: string; notes: string[] } {
  const [whole, yaml] = /^---[ \t]*\n([\s\S]*?\n)?(?:---|\.\.\.)[ \t]*(?:\n|$)/.exec(text) ?? [];
  const values = whole && yaml ? parsed(yaml) : undefined;
  const { title, author, lang, language = lang, "chapter-level": level, ...others } = values ?? {};
  if (!whole || [title, author, language, level].every((value) => value === undefined))
    return { facts: {}, rest: text, notes: [] };
  const texts = Object.entries({ title, author, language }).map(([key, value]) => [key, words(value)] as const);
  const left = Object.keys(others).map(oneLine);
  return {
    facts: {
      ...Object.fromEntries(texts.filter(([, value]) => value !== "")),
      ...(typeof level === "number" && level >= 1 && level <= 6 && { level }),
    },
    rest: text.slice(whole.length),
    notes: left.length > 0 ? [`Of what stands in front of the text, this was left out: ${left.join(", ")}.`] : [],
  };
}

function parsed(yaml: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = parse(yaml);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function words(value: unknown): string {
  const texts = (Array.isArray(value) ? value : [value]).filter((each) => ["string", "number"].includes(typeof each));
  return oneLine(texts.join(", "));
}

function decode(bytes: Uint8Array, name: string): string {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    if (!text.includes("\0")) return cleanText(text);
  } catch {}
  throw new UsageError(
    "IMPORT_UNKNOWN",
    `${name} is no text in UTF-8. Save it as Markdown or plain text (a word processor can do that too), and import that.`,
  );
}

async function readBytes(path: string): Promise<Uint8Array> {
  return readFile(path).catch((cause: Error) => {
    throw new UsageError("IMPORT_UNREADABLE", `${path} cannot be read: ${oneLine(cause.message)}`, { cause });
  });
}
