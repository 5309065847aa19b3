// Chapters merged: one plan of all their plans, and their prose one after the other with a scene break between.

import { UsageError } from "@loopwright/core";
import { END_KEEP, keepMarksOpen } from "../manuscript/kept.ts";
import { mergePlans } from "./plans.ts";
import { type Slot, slotAt } from "./slots.ts";
import { bodyOf, retitle } from "./titles.ts";

/** The chapters with some that stand side by side made one, under the first one's title or another. */
export function mergeChapters(slots: readonly Slot[], numbers: readonly number[], title?: string): Slot[] {
  const sorted = [...new Set(numbers)].sort((a, b) => a - b);
  const [first = 0, second] = sorted;
  if (second === undefined)
    throw new UsageError("USAGE", "Name the chapters to merge, such as /merge 3 4 or /merge 3-5");
  for (const number of sorted) slotAt(slots, number);
  if (sorted.at(-1)! - first !== sorted.length - 1)
    throw new UsageError(
      "CHAPTERS_APART",
      `Chapters ${sorted.join(" and ")} do not stand side by side: /move ${sorted.at(-1)} ${first + 1} brings them together`,
    );
  const parts = sorted.map((number) => slotAt(slots, number));
  const merged: Slot = {
    from: parts.flatMap(({ from }) => from),
    plan: joined(
      parts.map(({ plan }) => plan),
      mergePlans,
      title,
    ),
    prose: joined(
      parts.map(({ prose }) => prose),
      mergeProse,
      title,
    ),
  };
  return [...slots.slice(0, first - 1), merged, ...slots.slice(first - 1 + sorted.length)];
}

function joined(
  texts: readonly (string | undefined)[],
  join: (first: string, second: string) => string,
  title: string | undefined,
): string | undefined {
  const there = texts.filter((text) => text !== undefined);
  const text = there.length === 0 ? undefined : there.reduce(join);
  return text === undefined || title === undefined ? text : retitle(text, title);
}

/** A kept passage that was never closed ends with its chapter. */
function mergeProse(first: string, second: string): string {
  const end = keepMarksOpen(first) ? `\n${END_KEEP}` : "";
  return `${first.trimEnd()}${end}\n\n***\n\n${bodyOf(second)}\n`;
}
