// Between the prose of a project and a book: what an export takes, and what an import gives.

import type { FileBlock } from "../types.ts";
import { titleOfBook } from "./book-title.ts";
import { plain } from "./context.ts";
import { type BookPart, bookPart, chapterNumber, chapterPath, comparePaths, partPath } from "./files/layout.ts";
import type { Manuscript } from "./files/open.ts";
import { sectionsOf } from "./headings.ts";
import { detectLanguage } from "./language/detect.ts";
import { wordsOf } from "./language/words.ts";
import { plainLines, withoutComments } from "./words.ts";

/** A book as text. */
export interface BookText {
  title: string;
  author?: string;
  language?: string;
  chapters: BookTextChapter[];
}

export interface BookTextChapter {
  title: string;
  markdown: string;
  /** What it is where it is no chapter: it has no number then, and front and back matter need no title. */
  part?: BookPart;
}

/** The prose of a project as a book: each chapter's title, and its text below it. The title is the premise's where there is one. */
export async function bookOf(manuscript: Manuscript): Promise<BookText> {
  const { author } = manuscript.project;
  const files = (await manuscript.read("prose")).map(plain);
  const language =
    manuscript.project.language ?? detectLanguage(files.map(({ content }) => content.slice(0, 4_000)).join("\n"));
  const chapters = files.map((file) => toBookChapter(file, language));
  const title = titleOfBook(manuscript);
  return { title, ...(author !== undefined && { author }), ...(language !== undefined && { language }), chapters };
}

/** Imported chapters as files of the prose, numbered in their order; parts that are no chapters have no number. */
export function chaptersToProse(chapters: readonly BookTextChapter[], language?: string): FileBlock[] {
  const { chapter } = wordsOf(language);
  const taken = new Set<string>();
  let number = 0;
  const files = chapters.map(({ title, markdown, part }) => {
    const text = plainLines(markdown).trim();
    const isPart = part !== undefined && !taken.has(part);
    if (isPart) taken.add(part);
    const path = isPart ? partPath("prose", part) : chapterPath("prose", ++number);
    const heading = title.replace(/\s+/g, " ").trim() || (isPart ? "" : `${chapter} ${number}`);
    const lines = [...(heading === "" ? [] : [`# ${heading}\n`]), ...(text === "" ? [] : [`${text}\n`])];
    return { path, content: lines.join("\n") };
  });
  return files.sort((a, b) => comparePaths(a.path, b.path));
}

/** The first heading is the title where it is of depth 1 and nothing but comments stands before it. */
function toBookChapter({ path, content }: FileBlock, language: string | undefined): BookTextChapter {
  const first = sectionsOf(content)[0];
  const lines = content.split("\n");
  const before = lines.slice(0, (first?.line ?? 1) - 1).join("\n");
  const isTitle = first?.depth === 1 && withoutComments(before).trim() === "";
  const part = bookPart(path);
  const kind = part === undefined ? {} : { part };
  if (!isTitle) return { title: titleOfPart(path, language), markdown: content.trim(), ...kind };
  return { title: first.title, markdown: `${before}\n${lines.slice(first.line).join("\n")}`.trim(), ...kind };
}

function titleOfPart(path: string, language: string | undefined): string {
  const { chapter, prologue, epilogue } = wordsOf(language);
  const part = bookPart(path);
  if (part === undefined) return `${chapter} ${chapterNumber(path)}`;
  return part === "prologue" ? prologue : part === "epilogue" ? epilogue : "";
}
