// Between the prose of a project and a book: what an export takes, and what an import gives.

import type { FileBlock } from "../types.ts";
import { titleOfPart } from "./begin.ts";
import {
  type BookPart,
  bookPart,
  chapterNumber,
  chapterPath,
  comparePaths,
  PREMISE_PATH,
  partPath,
} from "./files/layout.ts";
import type { Manuscript } from "./files/open.ts";
import { sectionsOf } from "./headings.ts";
import { plain, plainLines, withoutComments } from "./words.ts";

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
  const { author, language } = manuscript.project;
  const files = (await manuscript.read("prose")).map(plain);
  const chapters = files.map(toBookChapter);
  const title = titleOfBook(manuscript);
  return { title, ...(author !== undefined && { author }), ...(language !== undefined && { language }), chapters };
}

/** Imported chapters as files of the prose, numbered in their order; parts that are no chapters have no number. */
export function chaptersToProse(chapters: readonly BookTextChapter[]): FileBlock[] {
  const taken = new Set<string>();
  let number = 0;
  const files = chapters.map(({ title, markdown, part }) => {
    const text = plainLines(markdown).trim();
    const isPart = part !== undefined && !taken.has(part);
    if (isPart) taken.add(part);
    const path = isPart ? partPath("prose", part) : chapterPath("prose", ++number);
    const heading = title.replace(/\s+/g, " ").trim() || (isPart ? "" : `Chapter ${number}`);
    const lines = [...(heading === "" ? [] : [`# ${heading}\n`]), ...(text === "" ? [] : [`${text}\n`])];
    return { path, content: lines.join("\n") };
  });
  return files.sort((a, b) => comparePaths(a.path, b.path));
}

/** The first heading is the title where it is of depth 1 and nothing but comments stands before it. */
function toBookChapter({ path, content }: FileBlock): BookTextChapter {
  const first = sectionsOf(content)[0];
  const lines = content.split("\n");
  const before = lines.slice(0, (first?.line ?? 1) - 1).join("\n");
  const isTitle = first?.depth === 1 && withoutComments(before).trim() === "";
  const part = bookPart(path);
  const kind = part === undefined ? {} : { part };
  if (!isTitle)
    return { title: part ? titleOfPart(part) : `Chapter ${chapterNumber(path)}`, markdown: content.trim(), ...kind };
  return { title: first.title, markdown: `${before}\n${lines.slice(first.line).join("\n")}`.trim(), ...kind };
}

/** What the book is called: by its premise, or by project.yaml where there is none. */
export function titleOfBook({ text, project }: Pick<Manuscript, "text" | "project">): string {
  try {
    const { title } = JSON.parse(text(PREMISE_PATH) ?? "{}") as { title?: unknown };
    return typeof title === "string" && title.trim() !== "" ? title.trim() : project.title;
  } catch {
    return project.title;
  }
}
