// Length: the whole against what project.yaml wants, and chapters against each other.

import type { FileBlock } from "../../types.ts";
import type { ProjectFile } from "../files/schemas.ts";
import { countWords } from "../words.ts";
import type { AnalysisFinding } from "./finding.ts";

/** How far the whole may be from what is wanted. */
const TOLERANCE = 0.15;
/** Chapters beyond these shares of the median stand out. */
const SHORT = 0.4;
const LONG = 2.5;

/** What is too short or too long. */
export function checkLengths(prose: readonly FileBlock[], { target_words, chapters }: ProjectFile): AnalysisFinding[] {
  const lengths = prose.map(({ path, content }) => ({ path, words: countWords(content) }));
  if (lengths.length === 0) return [];
  const total = lengths.reduce((sum, { words }) => sum + words, 0);
  const findings: AnalysisFinding[] = [];
  // A book that is not all written yet is measured by its share.
  const share = chapters === undefined ? 1 : Math.min(1, lengths.length / chapters);
  const wanted = (target_words ?? 0) * share;
  if (wanted > 0 && Math.abs(total - wanted) > wanted * TOLERANCE) {
    const isShort = total < wanted;
    const code = isShort ? "LENGTH_SHORT" : "LENGTH_LONG";
    const message = `The prose has ${figure(total)} words where ${figure(wanted)} are wanted${share < 1 ? " of so many chapters" : ""}.`;
    findings.push({ code, severity: "soft", priority: 2, message });
  }
  const median = lengths.map(({ words }) => words).sort((a, b) => a - b)[lengths.length >> 1]!;
  for (const { path, words } of lengths.length < 3 ? [] : lengths) {
    if (words >= median * SHORT && words <= median * LONG) continue;
    const message = `${path} has ${figure(words)} words; half of the chapters have ${figure(median)} or more.`;
    findings.push({ code: "CHAPTER_UNEVEN", severity: "soft", priority: 3, message, path });
  }
  return findings;
}

function figure(words: number): string {
  return Math.round(words).toLocaleString("en");
}
