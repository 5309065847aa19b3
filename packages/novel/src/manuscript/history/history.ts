// A level's history: newest first in its file, oldest first for everyone who reads it. A file that does not parse stops
// with its path and line, and is never reset.

import { join } from "node:path";
import type { FileBlock, HistoryEntry, Level } from "../../types.ts";
import { parseJsonFile, readText } from "../files/files.ts";
import { historyPath } from "../files/layout.ts";
import { HistoryFile } from "../files/schemas.ts";
import { countOf, shorten } from "../words.ts";

/** The iterations of a level, oldest first, each with its commit where it is known. */
export async function readHistory(
  folder: string,
  level: Level,
  shas: ReadonlyMap<string, string> = new Map(),
): Promise<HistoryEntry[]> {
  const path = historyPath(level);
  const text = await readText(folder, path);
  return text === undefined ? [] : parseHistory(text, join(folder, path), shas);
}

/** The iterations that a history file's text holds, oldest first. `path` is what people are told. */
export function parseHistory(
  text: string,
  path: string,
  shas: ReadonlyMap<string, string> = new Map(),
): HistoryEntry[] {
  const { iterations } = parseJsonFile(text, path, HistoryFile);
  return iterations.reverse().map((entry, index) => {
    const iteration_id = entry.iteration_id ?? entry.commit_sha ?? `${entry.timestamp}#${index + 1}`;
    const commit_sha = shas.get(iteration_id) ?? entry.commit_sha;
    return { ...entry, iteration_id, ...(commit_sha !== undefined && { commit_sha }) } as HistoryEntry;
  });
}

/** The new text of a level's history file: the entry is put before all others. Doing it again changes nothing. */
export function historyChange(level: Level, entries: readonly HistoryEntry[], entry: HistoryEntry): FileBlock {
  const others = entries.filter(({ iteration_id }) => iteration_id !== entry.iteration_id);
  const iterations = [...others, entry].reverse().map(withoutSha);
  return { path: historyPath(level), content: `${JSON.stringify({ iterations }, null, 2)}\n` };
}

/** A commit cannot hold its own hash: readers find it by the iteration's id. */
function withoutSha({ commit_sha: _, ...entry }: HistoryEntry): HistoryEntry {
  return entry;
}

/** Up to so many are told in full. */
const FULL_HISTORY = 50;
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
