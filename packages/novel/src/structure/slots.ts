// The chapters of a book in their order, plan and prose together: what structure commands take apart and put together.

import { UsageError } from "@loopwright/core";
import { chapterNumber, chapterPath } from "../manuscript/files/layout.ts";
import { titleOf } from "../manuscript/headings.ts";
import type { Manuscript } from "../manuscript/index.ts";
import { shiftTitle } from "./titles.ts";

/** A chapter: the numbers that it had, and its texts as far as there are any. */
export interface Slot {
  from: number[];
  plan?: string | undefined;
  prose?: string | undefined;
}

/** The chapters of a project, in order; throws where one is missing between them, for those after it would be lost. */
export function slotsOf(manuscript: Pick<Manuscript, "text" | "paths">): Slot[] {
  const slots: Slot[] = [];
  for (let number = 1; ; number++) {
    const plan = manuscript.text(chapterPath("chapters", number));
    const prose = manuscript.text(chapterPath("prose", number));
    if (plan === undefined && prose === undefined) {
      refuseGap(manuscript, number);
      return slots;
    }
    slots.push({ from: [number], plan, prose });
  }
}

function refuseGap({ paths }: Pick<Manuscript, "paths">, number: number): void {
  const after = [...paths("chapters"), ...paths("prose")].find((path) => (chapterNumber(path) ?? 0) > number);
  if (after === undefined) return;
  throw new UsageError(
    "CHAPTER_GAP",
    `There is no chapter ${number}, but ${after}. Give the files after the gap the next numbers, then try again`,
  );
}

/** The chapter of a number; throws where there is none. */
export function slotAt(slots: readonly Slot[], number: number): Slot {
  const slot = slots[number - 1];
  if (slot) return slot;
  const known = slots.length === 0 ? "There are no chapters yet" : `There are chapters 1 to ${slots.length}`;
  throw new UsageError("CHAPTER_UNKNOWN", `There is no chapter ${number}. ${known}`);
}

/** What a chapter is called. */
export function titleOfSlot({ plan, prose }: Slot): string {
  return titleOf(prose ?? "") ?? titleOf(plan ?? "") ?? "";
}

/** A chapter's text as it stands under another number. */
export function renumbered(text: string, { from }: Slot, number: number): string {
  return shiftTitle(text, number - from[0]!, from[0]!);
}
