// Between the prose of a project and a book: what an export takes, and what an import gives.

import type { FileBlock, Level } from "../types.ts";
import {
  type BookPart,
  bookPart,
  chapterNumber,
  chapterPath,
  comparePaths,
  FOUNDATION_PATH,
  PREMISE_PATH,
  partPath,
  TREATMENT_PATH,
} from "./files/layout.ts";
import type { Manuscript } from "./files/open.ts";
import { beatParts, foundationParts } from "./format/format.ts";
import { plain, plainLines, sectionsOf, withoutComments } from "./words.ts";

/** A book as text. */
interface BookText {
  title: string;
  author?: string;
  language?: string;
  chapters: BookTextChapter[];
}

interface BookTextChapter {
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

/** A level as it is begun. */
export function blankLevel(level: Level, { title }: { title: string }): FileBlock[] {
  const sections = (names: readonly string[]) => names.map((name) => `## ${name}\n`).join("\n");
  if (level === "premise")
    return [{ path: PREMISE_PATH, content: `${JSON.stringify(blankPremise(title), null, 2)}\n` }];
  if (level === "treatment")
    return [{ path: TREATMENT_PATH, content: `# ${title}\n\n${sections(["Act 1", "Act 2", "Act 3"])}` }];
  if (level === "prose") return [{ path: chapterPath("prose", 1), content: "# Chapter 1\n\n" }];
  return [
    { path: FOUNDATION_PATH, content: `# Foundation\n\n${sections(foundationParts)}` },
    { path: chapterPath("chapters", 1), content: `# Chapter 1: \n\n${sections(beatParts)}` },
  ];
}

/** A part without a number as it is begun: front and back matter have no title of their own. */
export function blankPart(part: BookPart): FileBlock {
  const title = titleOfPart(part);
  return { path: partPath("prose", part), content: title === "" ? "" : `# ${title}\n\n` };
}

/** What a part without a number is called; "" where it needs no title. */
function titleOfPart(part: BookPart): string {
  return part === "prologue" ? "Prologue" : part === "epilogue" ? "Epilogue" : "";
}

function blankPremise(title: string) {
  return {
    ...{ title, logline: "", premise: "", genre: "", themes: [""], tone: "", setting: "" },
    protagonist: { name: "", want: "", need: "", flaw: "" },
    ...{ antagonist: "", stakes: "", hook: "" },
  };
}
