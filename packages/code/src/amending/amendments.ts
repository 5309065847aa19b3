// Amendments: what the consultant adds to the Domain Knowledge of task.md, how much it may add, and how one is taken back.
// Pure.
//
// An addition is one line under a mark, so that it can neither begin a section nor pass for a person's words. It has at
// most 500 characters without its mark; all of them together, marks and a section made for them included, make task.md at
// most 2,000 characters longer than it was when the run started.

import { endOfKnowledge, KNOWLEDGE } from "../asking/sections.ts";
import type { Amendment } from "../task.ts";

export const ADDITION_CAP = 500;
export const GROWTH_CAP = 2_000;

/** An addition as it is written: on one line, and cut to its cap. */
export function fitAddition(addition: string): string {
  const line = addition.replace(/[\s\p{Cc}\u2028\u2029]+/gu, " ").trim();
  if (line.length <= ADDITION_CAP) return line;
  // A pair of surrogates is not cut in two.
  return line
    .slice(0, ADDITION_CAP)
    .replace(/[\ud800-\udbff]$/, "")
    .trimEnd();
}

/** An amendment's line in task.md. */
export function amendmentLine({ iteration, addition }: Pick<Amendment, "iteration" | "addition">): string {
  return `[Auto-DK iteration ${iteration}] ${addition}`;
}

/** task.md with an amendment at the end of its Domain Knowledge; the section is made at the end where it is absent. */
export function amendTask(
  text: string,
  amendment: Pick<Amendment, "iteration" | "addition">,
): { text: string; made_section: boolean } {
  return addKnowledge(text, amendmentLine(amendment));
}

/** A task with one more line of Domain Knowledge. */
export function addKnowledge(text: string, line: string): { text: string; made_section: boolean } {
  const newline = text.includes("\r\n") ? "\r\n" : "\n";
  const end = endOfKnowledge(text);
  if (end !== undefined) {
    const [before, rest] = [text.slice(0, end), text.slice(end)];
    // A section that is still empty ends with its heading's own line break.
    const added = before.endsWith("\n") ? line + newline + rest : newline + line + (rest || newline);
    return { text: before + added, made_section: false };
  }
  const gap = text === "" || text.endsWith("\n") ? "" : newline;
  return { text: `${text}${gap}${newline}## ${KNOWLEDGE}${newline}${line}${newline}`, made_section: true };
}

/** Whether an amendment stands in task.md. */
export function hasAmendment(text: string, amendment: Pick<Amendment, "iteration" | "addition">): boolean {
  return placeOf(text, amendment) !== undefined;
}

/** task.md without an amendment, and without the section that was made for it once that is empty. */
export function revertAmendment(text: string, amendment: Amendment): string {
  const place = placeOf(text, amendment);
  if (!place) return text;
  const rest = text.slice(0, place.start) + text.slice(place.end);
  return amendment.made_section ? withoutEmptySection(rest) : rest;
}

/** Whether task.md has grown past what amendments may add to it. */
export function isOverCap(text: string, originalSize: number): boolean {
  return text.length > originalSize + GROWTH_CAP;
}

/** Where an amendment's line stands, with the line break that came with it. */
function placeOf(
  text: string,
  amendment: Pick<Amendment, "iteration" | "addition">,
): { start: number; end: number } | undefined {
  const line = amendmentLine(amendment);
  for (let at = text.indexOf(line); at >= 0; at = text.indexOf(line, at + 1)) {
    const rest = text.slice(at + line.length);
    const isWhole = (at === 0 || text[at - 1] === "\n") && /^(?:\r?\n|$)/.test(rest);
    if (!isWhole) continue;
    const newline = /^\r?\n/.exec(rest)?.[0] ?? "";
    return { start: at, end: at + line.length + newline.length };
  }
  return undefined;
}

function withoutEmptySection(text: string): string {
  return text.replace(new RegExp(`\\r?\\n## ${KNOWLEDGE}\\s*$`), "");
}
