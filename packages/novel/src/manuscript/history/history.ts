// A level's history: newest first in its file, oldest first for everyone who reads it. A file that does not parse stops
// with its path and line, and is never reset.

import { join } from "node:path";
import type { FileBlock, HistoryEntry, Level } from "../../types.ts";
import { readText } from "../files/files.ts";
import { parseJsonFile } from "../files/json-file.ts";
import { historyPath } from "../files/layout.ts";
import { HistoryFile } from "../files/schemas.ts";

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
