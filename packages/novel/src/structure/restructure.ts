// A new order of chapters as one change: files under their new numbers, with their titles, records and kept passages, and an
// entry in the history of each level, so that what earlier entries call chapter 7 can still be understood.

import { measureChange } from "../diff/index.ts";
import { chapterNumber, chapterPath, KEPT_FILE } from "../manuscript/files/layout.ts";
import type { StalenessFile } from "../manuscript/files/schemas.ts";
import { hashOf } from "../manuscript/files/versions.ts";
import { completeRecord, toFile } from "../manuscript/history/staleness.ts";
import { changeBetween, changeProjectFile, historyChange, type Manuscript } from "../manuscript/index.ts";
import type { Change, FileBlock, HistoryEntry } from "../types.ts";
import { renumbered, type Slot } from "./slots.ts";

const chaptered = ["chapters", "prose"] as const;

export interface Restructured {
  change: Change;
  /** The levels that it changes. */
  levels: (typeof chaptered)[number][];
}

/** The change that puts the chapters into another order; `words` are what the history says of it. */
export async function restructure(
  manuscript: Manuscript,
  slots: readonly Slot[],
  { words, iteration_id, at }: { words: string; iteration_id: string; at: Date },
): Promise<Restructured> {
  const write: FileBlock[] = [];
  const remove: string[] = [];
  const levels: Restructured["levels"] = [];
  for (const level of chaptered) {
    if (!manuscript.has(level)) continue;
    const before = await manuscript.read(level);
    const after = [...before.filter(({ path }) => chapterNumber(path) === undefined), ...filesOf(slots, level)];
    const change = changeBetween(before, after);
    if (change.write.length + change.remove.length === 0) continue;
    const entry = entryOf(words, iteration_id, at, before, after);
    levels.push(level);
    write.push(...change.write, historyChange(level, await manuscript.history(level), entry));
    remove.push(...change.remove);
  }
  write.push(toFile({ ...manuscript.staleness, ...moveRecords(manuscript, slots) }));
  const kept = moveKept(manuscript, slots);
  if (kept) write.push(kept);
  const { chapters } = manuscript.project;
  const count = Math.max(manuscript.count("chapters"), manuscript.count("prose"));
  if (chapters === count && slots.length !== count)
    write.push(await changeProjectFile(manuscript.folder, { chapters: slots.length }));
  return { change: { write, remove }, levels };
}

function filesOf(slots: readonly Slot[], level: (typeof chaptered)[number]): FileBlock[] {
  return slots.flatMap((slot, index) => {
    const text = level === "chapters" ? slot.plan : slot.prose;
    const path = chapterPath(level, index + 1);
    return text === undefined ? [] : [{ path, content: renumbered(text, slot, index + 1) }];
  });
}

/** Each file keeps what it was made from, under the new names; where its source only moved along, it still agrees with it. */
function moveRecords(manuscript: Manuscript, slots: readonly Slot[]): Pick<StalenessFile, "generated_from" | "files"> {
  const { generated_from, files: old } = completeRecord(manuscript);
  const now = new Map(chaptered.flatMap((level) => filesOf(slots, level)).map(({ path, content }) => [path, content]));
  const files = Object.fromEntries(Object.entries(old).filter(([path]) => chapterNumber(path) === undefined));
  for (const level of chaptered) {
    for (const [index, { from }] of slots.entries()) {
      const path = chapterPath(level, index + 1);
      const records = from.map((number) => old[chapterPath(level, number)]).filter((record) => record !== undefined);
      if (now.has(path) && records.length > 0) files[path] = joinRecords(records, manuscript, index + 1, now);
    }
  }
  return { generated_from, files };
}

/** One record of those of the chapters that a chapter was made of: it is stale where one of them was. */
function joinRecords(
  records: readonly Readonly<Record<string, string>>[],
  manuscript: Pick<Manuscript, "hash">,
  number: number,
  now: ReadonlyMap<string, string>,
): Record<string, string> {
  const joined: Record<string, string> = {};
  for (const record of records) {
    for (const [source, version] of Object.entries(record)) {
      const path = chapterNumber(source) === undefined ? source : chapterPath("chapters", number);
      const isStale = manuscript.hash(source) !== version;
      const text = now.get(path);
      const fresh = text === undefined ? version : hashOf(text);
      if (isStale || joined[path] === undefined) joined[path] = isStale ? version : fresh;
    }
  }
  return joined;
}

/** Passages that wait for their chapter go where it went; those of a chapter that is gone, to the one before. */
function moveKept({ setAside }: Pick<Manuscript, "setAside">, slots: readonly Slot[]): FileBlock | undefined {
  const passages = setAside.map(({ path, passage }) => {
    const number = chapterNumber(path);
    if (number === undefined) return { path, passage };
    const found = slots.findIndex(({ from }) => from.includes(number));
    const level = path.startsWith("chapters/") ? "prose" : "chapters";
    return { path: chapterPath(level, found >= 0 ? found + 1 : Math.max(1, number - 1)), passage };
  });
  if (JSON.stringify(passages) === JSON.stringify(setAside)) return undefined;
  return { path: KEPT_FILE, content: `${JSON.stringify({ passages }, null, 2)}\n` };
}

function entryOf(
  feedback: string,
  iteration_id: string,
  at: Date,
  before: readonly FileBlock[],
  after: readonly FileBlock[],
): HistoryEntry {
  const { files_changed, lines_added, lines_removed } = measureChange(before, after);
  return {
    iteration_id,
    timestamp: at.toISOString(),
    feedback,
    judge_attempts: 0,
    judge_verdict: "none",
    judge_reasoning: "",
    semantic_summary: "From here on chapters have the numbers that they have after this step.",
    files_changed,
    lines_changed: lines_added + lines_removed,
    accepted_by: "user",
    kind: "edit",
  };
}
