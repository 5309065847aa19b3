// Texts as people read them: their words, their headings, and short forms of them.

import type { FileBlock } from "../types.ts";

/** Scripts that put no space between words: each sign counts. */
const UNSPACED =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}";
const UNSPACED_WORD = new RegExp(`[${UNSPACED}]|[^${UNSPACED}\\p{P}\\p{S}]+`, "gu");
const HAS_UNSPACED = new RegExp(`[${UNSPACED}]`, "u");

/** How many words a text has, its comments aside: what `wc -w` counts, wherever words are parted by spaces. */
export function countWords(text: string): number {
  const words = withoutComments(text).match(/\S+/g) ?? [];
  if (!HAS_UNSPACED.test(text)) return words.length;
  return words.reduce((sum, word) => sum + (HAS_UNSPACED.test(word) ? word.match(UNSPACED_WORD)!.length : 1), 0);
}

/** A text with spaces in place of its comments, every line where it was. One that is never closed is text. */
export function withoutComments(text: string): string {
  let plain = "";
  let from = 0;
  for (let open = text.indexOf("<!--"); open >= 0; open = text.indexOf("<!--", from)) {
    const close = text.indexOf("-->", open + 4);
    if (close < 0) break;
    plain += text.slice(from, open) + text.slice(open, close + 3).replace(/[^\n]/g, " ");
    from = close + 3;
  }
  return plain + text.slice(from);
}

/** A number of things in words: `1 chapter`, `12 chapters`. */
export function countOf(count: number, thing: string): string {
  return `${count.toLocaleString("en")} ${thing}${count === 1 ? "" : thing.endsWith("s") ? "es" : "s"}`;
}

/** A text on one line, cut to a length between words. */
export function shorten(text: string, longest: number): string {
  const line = text.replace(/\s+/g, " ").trim();
  if (line.length <= longest) return line;
  const cut = line.slice(0, longest).replace(/[\ud800-\udbff]$/, "");
  const space = cut.lastIndexOf(" ");
  return `${space > longest / 2 ? cut.slice(0, space) : cut}…`;
}

/** Both ends of a text on one line, cut between words. */
export function shortenInside(text: string, longest: number): string {
  const line = text.replace(/\s+/g, " ").trim();
  if (line.length <= longest) return line;
  const end = line.slice(-Math.floor(longest / 2));
  return `${shorten(line, Math.ceil(longest / 2))} ${end.slice(end.indexOf(" ") + 1)}`;
}

/** A text with line feeds alone, and without a byte order mark. */
export function plainLines(text: string): string {
  return text.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
}

/** A file with line feeds alone. */
export function plain({ path, content }: FileBlock): FileBlock {
  return { path, content: plainLines(content) };
}

// The headings of a Markdown text, and what stands under each. Lines inside fenced code are none, and
// neither is `#` alone, with which writers part scenes.

export interface Section {
  /** 1 to 6. */
  depth: number;
  title: string;
  /** Counted from 1. */
  line: number;
  /** What stands between this heading and the next one of any depth. */
  body: string;
}

const HEADING = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/** The sections of a text in order; what stands before the first heading belongs to none. */
export function sectionsOf(text: string): Section[] {
  const sections: Section[] = [];
  let body: string[] = [];
  let fence: string | undefined;
  const close = () => {
    const last = sections.at(-1);
    if (last) last.body = body.join("\n").trim();
    body = [];
  };
  text.split("\n").forEach((line, index) => {
    const mark = FENCE.exec(line)?.[1];
    if (mark && (fence === undefined || (mark[0] === fence[0] && mark.length >= fence.length))) {
      fence = fence === undefined ? mark : undefined;
    }
    const found = fence === undefined && !mark && line.includes("#") ? HEADING.exec(line) : null;
    const title = plainTitle(found?.[2] ?? "");
    if (!found || title === "") {
      body.push(line);
      return;
    }
    close();
    sections.push({ depth: found[1]!.length, title, line: index + 1, body: "" });
  });
  close();
  return sections;
}

/** The title of a text: its first heading of depth 1, or undefined. */
export function titleOf(text: string): string | undefined {
  return sectionsOf(text).find(({ depth }) => depth === 1)?.title;
}

/** Whether a section, or anything nested in it, says something. */
export function saysSomething(sections: readonly Section[], at: number): boolean {
  const { depth } = sections[at]!;
  for (let next = at; next < sections.length; next++) {
    if (next > at && sections[next]!.depth <= depth) return false;
    if (hasWords(sections[next]!.body)) return true;
  }
  return false;
}

/** Whether a text has a letter or a digit outside comments. */
export function hasWords(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(withoutComments(text));
}

/** A heading's words without emphasis, closing signs and colon. */
function plainTitle(text: string): string {
  return text.trim().replace(/\s#+$/, "").replace(/[*_`]/g, "").trim();
}
