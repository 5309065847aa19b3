// Chapters moved and dropped.

import { UsageError } from "@loopwright/core";
import { END_KEEP, KEEP, keptPassages } from "../manuscript/kept.ts";
import { type Slot, slotAt } from "./slots.ts";

/** The chapters with one of them at another place. */
export function moveChapter(slots: readonly Slot[], number: number, to: number): Slot[] {
  const slot = slotAt(slots, number);
  slotAt(slots, to);
  if (number === to) throw new UsageError("USAGE", `Chapter ${number} is where it is: name another place`);
  const others = slots.filter((each) => each !== slot);
  return [...others.slice(0, to - 1), slot, ...others.slice(to - 1)];
}

/** The chapters without one of them; its kept passages go to the end of the chapter before it, or are dropped with it. */
export function dropChapter(slots: readonly Slot[], number: number, keeps: boolean): Slot[] {
  const slot = slotAt(slots, number);
  const kept = keeps ? keptOfSlot(slot) : { plan: [], prose: [] };
  const beside = number > 1 ? number - 2 : 1;
  return slots
    .map((each, index) =>
      index === beside ? { ...each, plan: append(each.plan, kept.plan), prose: append(each.prose, kept.prose) } : each,
    )
    .filter((_, index) => index !== number - 1);
}

/** The kept passages of a chapter, in its plan and in its prose. */
export function keptOfSlot({ plan = "", prose = "" }: Slot): { plan: string[]; prose: string[] } {
  return { plan: keptPassages(plan), prose: keptPassages(prose) };
}

function append(text: string | undefined, passages: readonly string[]): string | undefined {
  if (text === undefined || passages.length === 0) return text;
  return `${[text.trimEnd(), ...passages.map((passage) => `${KEEP}${passage}${END_KEEP}`)].join("\n\n")}\n`;
}
