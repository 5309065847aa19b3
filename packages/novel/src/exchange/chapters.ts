// A manuscript in pieces → its chapters. Nothing is lost: what stands before the first chapter, the titles of parts,
// and the definitions that a file keeps at its end all go where they belong.

import type { BookChapter } from "./book.ts";
import { beginsWithTitle, chapterLevel, type Heading, partOfTitle } from "./chapter-level.ts";
import { withPlainHeadings } from "./plain-headings.ts";

/** A top-level piece of a manuscript. */
export interface Piece {
  markdown: string;
  heading?: Omit<Heading, "hasText">;
  /** The label that this piece defines (`^1`, or that of a link): it belongs to the chapters that use it. */
  defines?: string;
}

export interface Chapters {
  /** The book's title, where the first heading is that. */
  title?: string;
  chapters: BookChapter[];
  notes: string[];
}

const FRONT = "Front matter";

interface Draft {
  title: string;
  pieces: Piece[];
}

/** The chapters of a manuscript. `level` is that of its chapters' headings where the file says it. */
export function splitChapters(marked: readonly Piece[], known: { title?: string; level?: number } = {}): Chapters {
  const notes: string[] = [];
  const isMarked = marked.some(({ heading }) => heading);
  const pieces = isMarked ? marked : withPlainHeadings(marked);
  const headings = headingsOf(pieces);
  const isTitled = beginsWithTitle(headings) && (known.level === undefined || headings[0]!.depth < known.level);
  const first = pieces.find(({ heading }) => heading);
  const title = isTitled ? headings[0]!.text : undefined;
  const level = known.level ?? chapterLevel(isTitled ? headings.slice(1) : headings);
  const drafts = draft(isTitled ? pieces.filter((piece) => piece !== first) : pieces, level, notes);
  if (drafts.length === 0)
    return { ...(title && { title }), chapters: [], notes: [...notes, "There is no text in it."] };
  if (level === undefined) {
    drafts[0]!.title = known.title || "Chapter 1";
    notes.push(
      "There are no headings in it, so the whole text is one chapter: to have several, put `# ` before each title, and import it again.",
    );
  } else if (drafts[0]!.title === FRONT) {
    notes.push("The text before the first chapter became the front matter, which has no number.");
  }
  if (!isMarked && level !== undefined)
    notes.push("No headings are marked in it: lines that read as titles of chapters were taken for them.");
  return { ...(title && { title }), chapters: withParts(settleDefinitions(drafts)), notes };
}

/** Front matter, a prologue before the chapters and an epilogue after them are no chapters. */
function withParts(chapters: readonly BookChapter[]): BookChapter[] {
  const isPlain = ({ title }: BookChapter) => title !== FRONT && partOfTitle(title) === undefined;
  const [first, last] = [chapters.findIndex(isPlain), chapters.findLastIndex(isPlain)];
  return chapters.map((chapter, at) => {
    if (chapter.title === FRONT && at === 0 && chapters.length > 1)
      return { ...chapter, title: "", part: "front-matter" };
    const part = partOfTitle(chapter.title);
    const isThere = (part === "prologue" && at < first) || (part === "epilogue" && at > last);
    return isThere ? { ...chapter, part } : chapter;
  });
}

function headingsOf(pieces: readonly Piece[]): Heading[] {
  const headings: Heading[] = [];
  for (const { heading, markdown, defines } of pieces) {
    const last = headings.at(-1);
    if (heading) headings.push({ ...heading, hasText: false });
    else if (last && !defines && markdown.trim() !== "") last.hasText = true;
  }
  return headings;
}

function draft(pieces: readonly Piece[], level: number | undefined, notes: string[]): Draft[] {
  const drafts: Draft[] = [];
  let parts: string[] = [];
  let isOpen = false;
  const open = (title: string) => {
    drafts.push({ title, pieces: [] });
    parts = [];
    isOpen = true;
  };
  for (const piece of pieces) {
    const { heading, markdown } = piece;
    if (heading && level !== undefined && heading.depth <= level) {
      if (heading.depth === level) {
        if (parts.length > 0)
          notes.push(`"${parts.join(": ")}" stands in the title of the chapter that it begins with.`);
        open([...parts, heading.text].join(": "));
      } else {
        parts.push(heading.text);
        isOpen = false;
      }
      continue;
    }
    if (!isOpen) {
      if (markdown.trim() === "") continue;
      open(parts.join(": ") || FRONT);
    }
    drafts.at(-1)!.pieces.push(piece);
  }
  if (parts.length > 0) open(parts.join(": "));
  return drafts;
}

/** Footnotes and link addresses move to the chapters that use them; one that none uses stays where it is. */
function settleDefinitions(drafts: readonly Draft[]): BookChapter[] {
  const definitions = drafts.flatMap(({ pieces }) => pieces.filter(({ defines }) => defines !== undefined));
  const used = drafts.map(({ pieces }) => labelsIn(pieces));
  return drafts.map(({ title, pieces }, index) => {
    const isUsed = (label: string) => used[index]!.has(label.toLowerCase());
    const own = pieces.filter(
      ({ defines }) =>
        defines === undefined || isUsed(defines) || !used.some((labels) => labels.has(defines.toLowerCase())),
    );
    const kept = new Set(own.flatMap(({ defines }) => (defines === undefined ? [] : [defines.toLowerCase()])));
    const foreign: string[] = [];
    for (const { defines, markdown } of definitions) {
      if (!isUsed(defines!) || kept.has(defines!.toLowerCase())) continue;
      kept.add(defines!.toLowerCase());
      foreign.push(markdown.trimEnd());
    }
    const text = own
      .map(({ markdown }) => markdown)
      .join("")
      .replace(/^(?:[ \t]*\n)+/, "")
      .trimEnd();
    return { title, markdown: [text, ...foreign].filter((part) => part !== "").join("\n\n") };
  });
}

function labelsIn(pieces: readonly Piece[]): Set<string> {
  const labels = new Set<string>();
  for (const { markdown, defines } of pieces) {
    if (defines !== undefined) continue;
    for (const [, label] of markdown.matchAll(/\[([^\][]{1,200})\]/g)) labels.add(label!.toLowerCase());
  }
  return labels;
}
