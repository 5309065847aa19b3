// A writer's answer of several files:
//
//   ===FILE: chapter-beats/chapter-01.md===
//   …
//   ===END FILE===
//   ===UNCHANGED: chapter-beats/chapter-02.md===
//   ===CHAPTERS: 9===              where the feedback asks for another number of chapters than there was
//
// A block ends at its end mark, or where the next one begins; the last needs its end mark, or the answer was cut off.

import { fencesOf, pairFences } from "@loopwright/models";
import {
  bookPart,
  type ChapteredLevel,
  chapterPath,
  FOUNDATION_PATH,
  isContent,
  MOST_CHAPTERS,
  partPath,
} from "../files/layout.ts";
import { sectionsOf } from "../words.ts";

interface AnswerBlock {
  path: string;
  content: string;
}

interface AnswerBlocks {
  files: AnswerBlock[];
  /** Files that the writer says stay as they are. */
  unchanged: string[];
  /** How many chapters the writer says there are to be. */
  chapters?: number;
  /** What stands outside all blocks. */
  outside: string;
  /** The block that has no end. */
  truncated?: string;
}

const MARK =
  /^[ \t>*]*={3,}[ \t]*(?:(FILE|UNCHANGED|CHAPTERS)[ \t]*:[ \t]*(.*?)|(END(?:[ \t]+FILE)?))[ \t]*={3,}[ \t*]*$/i;
/** A longer line is no mark. */
const LONGEST_MARK = 500;

/** Whether an answer has blocks at all. */
export function hasBlocks(text: string): boolean {
  return text.split("\n").some((line) => markOf(line)?.[1] !== undefined);
}

/** Takes an answer apart. Line ends must be line feeds. */
export function splitBlocks(text: string): AnswerBlocks {
  const files: AnswerBlock[] = [];
  const unchanged: string[] = [];
  const outside: string[] = [];
  let chapters: number | undefined;
  let open: { path: string; lines: string[] } | undefined;
  const close = () => {
    if (open) files.push({ path: open.path, content: unwrapFence(trimLines(open.lines)) });
    open = undefined;
  };
  for (const line of text.split("\n")) {
    const mark = markOf(line);
    if (!mark) {
      (open?.lines ?? outside).push(line);
      continue;
    }
    close();
    const value = unquoted(mark[2] ?? "");
    const kind = mark[1]?.toUpperCase();
    if (kind === "FILE") open = { path: value, lines: [] };
    else if (kind === "UNCHANGED") unchanged.push(value);
    else if (kind === "CHAPTERS") chapters = Number.parseInt(value, 10);
  }
  const truncated = open?.path;
  return {
    files,
    unchanged,
    outside: outside.join("\n").trim(),
    ...(chapters !== undefined && { chapters }),
    ...(truncated !== undefined && { truncated }),
  };
}

function markOf(line: string): RegExpExecArray | null {
  return line.length <= LONGEST_MARK && line.includes("===") ? MARK.exec(line) : null;
}

/** A text that is one fenced block and nothing else, without the fence. */
export function unwrapFence(text: string): string {
  const trimmed = text.trim();
  const found = /^(`{3,}|~{3,})[ \t]*[\w+-]*[ \t]*\n/.exec(trimmed);
  if (!found) return text;
  const mark = found[1]!;
  const last = trimmed.lastIndexOf("\n");
  if (last < found[0].length - 1 || trimmed.slice(last + 1).trim() !== mark) return text;
  const inner = trimmed.slice(found[0].length, Math.max(found[0].length, last));
  // Fences inside come in pairs; where they do not, the first and the last are two blocks and no wrapping.
  const inside = inner.split("\n").filter((line) => line.trimStart().startsWith(mark.slice(0, 3))).length;
  return inside % 2 === 0 && !closesEarly(inner, mark) ? `${inner}\n` : text;
}

/** Whether the first fence inside closes the outer one, so that text between two blocks was taken for their content. */
function closesEarly(inner: string, mark: string): boolean {
  const first = inner.split("\n").find((line) => line.trimStart().startsWith(mark));
  return first !== undefined && first.trim() === mark;
}

/** A text that ends with a line feed. */
function trimLines(lines: readonly string[]): string {
  const text = lines.join("\n").trim();
  return text === "" ? "" : `${text}\n`;
}

/** Models put paths in quotes or backticks now and then. */
function unquoted(path: string): string {
  return path
    .trim()
    .replace(/^(["'`*]+)(.*?)\1$/, "$2")
    .trim();
}

/** The file of a level that a path means; undefined where it means none. */
export function fileNamed(level: ChapteredLevel, given: string): string | undefined {
  const name = given.replaceAll("\\", "/").split("/").at(-1)!.trim().toLowerCase();
  if (level === "chapters" && /^foundation(?:\.md)?$/.test(name)) return FOUNDATION_PATH;
  const part = bookPart(`${name.replace(/\.md$/, "").replace(/[ _]/g, "-")}.md`);
  if (part !== undefined) return isContent(level, partPath(level, part)) ? partPath(level, part) : undefined;
  const number = Number(/^chapter[ _-]*0*(\d{1,4})(?:\.md)?$/.exec(name)?.[1] ?? 0);
  return number >= 1 && number <= MOST_CHAPTERS ? chapterPath(level, number) : undefined;
}

/** What a model says before a text; what is longer may be text that has lost its heading. */
const LONGEST_REMARK = 400;

/** The text itself, with a line feed at its end; `previous` is what stood there before. */
export function unwrapText(answer: string, previous = ""): string {
  return `${withoutRemark(onlyBlock(answer), previous).trim()}\n`;
}

/** Where a model talks round one fenced block that holds all headings, the block is the text. */
function onlyBlock(answer: string): string {
  const pairs = pairFences(fencesOf(answer), answer.length);
  const [pair] = pairs;
  if (pairs.length !== 1 || !pair?.close) return answer;
  const inside = answer.slice(pair.open.end + 1, pair.close.start);
  const outside = `${answer.slice(0, pair.open.start)}\n${answer.slice(pair.close.end)}`;
  const isText = sectionsOf(inside).length > 0 && sectionsOf(outside).length === 0;
  return isText && inside.length > outside.length ? inside : answer;
}

/** A text begins with its title: a few words before that are not part of it, unless they were before. */
function withoutRemark(text: string, previous: string): string {
  const [first, old] = [text, previous.trimStart()].map((each) => sectionsOf(each)[0]);
  if (!first || first.depth > 1 || (old && old.line > 1)) return text;
  const lines = text.split("\n");
  const before = lines
    .slice(0, first.line - 1)
    .join("\n")
    .trim();
  const isRemark = before.length <= LONGEST_REMARK && !before.includes("<!--");
  return isRemark ? lines.slice(first.line - 1).join("\n") : text;
}
