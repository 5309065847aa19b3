// Between the prose of a project and a book: what an export takes, and what an import gives.

import type { FileBlock } from "../types.ts";
import { plain } from "./context.ts";
import { chapterNumber, chapterPath } from "./files/layout.ts";
import type { Manuscript } from "./files/open.ts";
import { sectionsOf } from "./headings.ts";
import { plainLines, withoutComments } from "./words.ts";

/** A book as text. */
export interface BookText {
  title: string;
  author?: string;
  language?: string;
  chapters: { title: string; markdown: string }[];
}

/** The prose of a project as a book: each chapter's title, and its text below it. */
export async function bookOf(manuscript: Manuscript): Promise<BookText> {
  const { title, author, language } = manuscript.project;
  const chapters = (await manuscript.read("prose")).map((file) => toBookChapter(plain(file)));
  return { title, ...(author !== undefined && { author }), ...(language !== undefined && { language }), chapters };
}

/** Imported chapters as files of the prose, numbered in their order. */
export function chaptersToProse(chapters: readonly { title: string; markdown: string }[]): FileBlock[] {
  return chapters.map(({ title, markdown }, index) => {
    const heading = title.replace(/\s+/g, " ").trim() || `Chapter ${index + 1}`;
    const text = plainLines(markdown).trim();
    return { path: chapterPath("prose", index + 1), content: `# ${heading}\n${text === "" ? "" : `\n${text}\n`}` };
  });
}

/** The first heading is the title where it is of depth 1 and nothing but comments stands before it. */
function toBookChapter({ path, content }: FileBlock): { title: string; markdown: string } {
  const first = sectionsOf(content)[0];
  const lines = content.split("\n");
  const before = lines.slice(0, (first?.line ?? 1) - 1).join("\n");
  const isTitle = first?.depth === 1 && withoutComments(before).trim() === "";
  if (!isTitle) return { title: `Chapter ${chapterNumber(path)}`, markdown: content.trim() };
  return { title: first.title, markdown: `${before}\n${lines.slice(first.line).join("\n")}`.trim() };
}
