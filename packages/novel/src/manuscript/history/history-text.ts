// Previous iterations as text for a prompt, oldest first. Past 50 the older ones are condensed by rule, so that the same
// history always gives the same text; the files keep all of it.

import type { HistoryEntry } from "../../types.ts";
import { countOf, shorten } from "../words.ts";

/** Up to so many are told in full. */
export const FULL_HISTORY = 50;
/** Past that: the newest in full, those before them a line each, and the rest as figures. */
const NEWEST = 30;
const LINES = 100;

/** The history of a level as text, "" where there is none; `before` is how many older ones are left out. */
export function historyText(entries: readonly HistoryEntry[], before = 0): string {
  if (entries.length <= FULL_HISTORY)
    return entries.map((entry, index) => fullEntry(entry, before + index + 1)).join("\n");
  const full = entries.length - NEWEST;
  const lines = Math.max(0, full - LINES);
  return [
    ...(lines > 0 ? [figuresOf(entries.slice(0, lines))] : []),
    ...entries.slice(lines, full).map((entry, index) => lineOf(entry, lines + index + 1)),
    ...entries.slice(full).map((entry, index) => fullEntry(entry, full + index + 1)),
  ].join("\n");
}

function fullEntry(entry: HistoryEntry, number: number): string {
  const overruled = entry.accepted_by === "user" && entry.judge_verdict === "needs_revision";
  return [
    `${number}. Feedback: ${indent(entry.feedback)}`,
    ...(entry.semantic_summary.trim() === "" ? [] : [`   Changed: ${indent(entry.semantic_summary)}`]),
    ...(overruled ? ["   The author took it although the judge had not approved."] : []),
  ].join("\n");
}

function lineOf({ feedback, semantic_summary }: HistoryEntry, number: number): string {
  const changed = shorten(semantic_summary.split(/(?<=[.!?])\s/, 1)[0] ?? "", 120);
  return `${number}. ${shorten(feedback, 120)}${changed === "" ? "" : ` → ${changed}`}`;
}

/** The oldest as figures: how many, and from when to when. */
function figuresOf(entries: readonly HistoryEntry[]): string {
  const [first, last] = [entries[0]!, entries.at(-1)!].map(({ timestamp }) => timestamp.slice(0, 10));
  return `The first ${countOf(entries.length, "iteration")} (${first} to ${last}) are left out here.`;
}

function indent(text: string): string {
  return text.trim().replace(/\r?\n/g, "\n   ");
}
