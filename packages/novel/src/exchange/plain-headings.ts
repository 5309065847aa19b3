// Chapter titles of a text in which no heading is marked: lines of their own that call themselves chapters, or count 1, 2, 3. Pure.

import { countedTitle, readChapterTitle } from "../manuscript/language/chapter-title.ts";
import { wordToNumber } from "../manuscript/numbers.ts";
import { isAboveChapters, partOfTitle } from "./chapter-level.ts";
import type { Piece } from "./chapters.ts";

/** Longer lines are sentences. */
const LONGEST = 80;

interface Found {
  at: number;
  depth: number;
  text: string;
  /** What a title is known by. */
  key: string;
}

type Read = (lines: readonly string[]) => Omit<Found, "at"> | undefined;

/** The same pieces, with the titles among them as headings where there are any. */
export function withPlainHeadings(pieces: readonly Piece[]): readonly Piece[] {
  const titles = titlesIn(pieces, titled);
  const found = titles.some(({ depth }) => depth === 2) ? titles : inOrder(titlesIn(pieces, bare));
  const headings = new Map(found.map(({ at, depth, text }) => [at, { depth, text }]));
  return pieces.map((piece, at) => {
    const heading = headings.get(at);
    return heading ? { ...piece, heading } : piece;
  });
}

/** Titles that text follows. One right after another, which stands there again later, is a line of a table of contents. */
function titlesIn(pieces: readonly Piece[], read: Read): Found[] {
  const found = pieces.flatMap(({ markdown, defines }, at) => {
    const lines = markdown
      .trim()
      .split("\n")
      .map((line) => line.trim());
    const isTitle = defines === undefined && lines.length <= 2 && lines.every((line) => line.length <= LONGEST);
    const title = isTitle ? read(lines) : undefined;
    return title ? [{ at, ...title }] : [];
  });
  const hasText = (index: number) => {
    const [from, to] = [found[index]?.at ?? -1, found[index + 1]?.at];
    return pieces.slice(from + 1, to).some(({ markdown }) => markdown.trim() !== "");
  };
  return found.filter(({ key, depth }, index) => {
    if (depth === 1) return found[index + 1]?.depth === 2;
    const isListed = found[index - 1]?.depth === 2 && !hasText(index - 1);
    return hasText(index) && !(isListed && found.slice(index + 1).some((later) => later.key === key));
  });
}

/** `CHAPTER IV`, `Chapter 4. The Mill`, or a number with the title's words on the next line. */
function titled([first = "", second]: readonly string[]): ReturnType<Read> {
  if (second === undefined && isAboveChapters(first)) return { depth: 1, text: first, key: first };
  const number = countedTitle(first);
  const part = second === undefined ? partOfTitle(first) : undefined;
  if (number === undefined) return part && { depth: 2, text: first, key: part };
  const { rest } = readChapterTitle(first)!;
  if (second === undefined) return { depth: 2, text: first, key: String(number) };
  return /\p{L}/u.test(rest)
    ? undefined
    : { depth: 2, text: `${first.replace(/[.:]$/, "")}: ${second}`, key: String(number) };
}

/** `4`, `IV.` */
function bare([first = "", second]: readonly string[]): ReturnType<Read> {
  const number =
    second === undefined && /^(?:\d{1,3}|[IVXLC]+)\\?\.?$/.test(first)
      ? wordToNumber(first.replace(/\\?\.$/, ""))
      : undefined;
  return number === undefined ? undefined : { depth: 2, text: first, key: String(number) };
}

/** Bare numbers are titles where they count from one, and there are several. */
function inOrder(found: readonly Found[]): readonly Found[] {
  return found.length > 1 && found.every(({ key }, at) => key === String(at + 1)) ? found : [];
}
