// style.md: the author's rules, and a sample of the voice. What stands under a heading that names a sample is the sample,
// to the next heading of the same depth; everything else is rules.

import { plainLines, withoutComments } from "../manuscript/words.ts";

/** What style.md says. */
export interface Style {
  rules: string;
  sample: string;
}

const HEADING = /^(#{1,6})[ \t]+(.*)$/;
const SAMPLE = /\bsample\b/i;

/** Rules and sample of a style.md; both empty where there is none. */
export function readStyle(text = ""): Style {
  const rules: string[] = [];
  const sample: string[] = [];
  let depth: number | undefined;
  for (const line of withoutComments(plainLines(text)).split("\n")) {
    const [, marks, title = ""] = HEADING.exec(line) ?? [];
    if (marks !== undefined && (depth === undefined || marks.length <= depth)) {
      depth = SAMPLE.test(title) ? marks.length : undefined;
      if (depth !== undefined) continue;
    }
    (depth === undefined ? rules : sample).push(line);
  }
  return { rules: withoutEmptyTitle(textOf(rules)), sample: textOf(sample) };
}

/** Lines as a text, without the room that comments have left. */
function textOf(lines: readonly string[]): string {
  return lines
    .join("\n")
    .replace(/\n(?:[ \t]*\n)+/g, "\n\n")
    .trim();
}

/** A title with nothing under it says nothing. */
function withoutEmptyTitle(rules: string): string {
  return /[^\s#]/.test(rules.replace(/^#{1,6}[ \t].*$/gm, "")) ? rules : "";
}
