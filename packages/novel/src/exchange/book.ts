// A book as exports take it, and what of it must be made sound first: titles, language, direction, date.

import { UsageError } from "@loopwright/core";

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
export interface SoundBook {
  title: string;
  author?: string | undefined;
  language?: string | undefined;
  isRightToLeft: boolean;
  date: Date;
  chapters: BookChapter[];
}

const SOME_DAY = new Date("2000-01-01T00:00:00Z");
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones that no XML file may hold
const NOT_IN_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** The book with every gap filled; UsageError for a language that is none. */
export function soundBook({ title, author, language, date, chapters }: Book): SoundBook {
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
