// The headings of a Markdown text, and what stands under each. Lines inside fenced code are none, and
// neither is `#` alone, with which writers part scenes.

import { withoutComments } from "./words.ts";

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
