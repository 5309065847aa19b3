// A new order of chapters as one change: files under their new numbers, with their titles, records and kept passages, and an
// entry in the history of each level, so that what earlier entries call chapter 7 can still be understood.

import { isDeepStrictEqual } from "node:util";
import { measureChange } from "../diff/index.ts";
import { chapterNumber, chapterPath, KEPT_FILE } from "../manuscript/files/layout.ts";
import type { StalenessFile } from "../manuscript/files/schemas.ts";
import { hashOf } from "../manuscript/files/versions.ts";
import { completeRecord, toFile } from "../manuscript/history/staleness.ts";
import { changeBetween, changeProjectFile, historyChange, type Manuscript } from "../manuscript/index.ts";
import { goalOf } from "../style/word-goals.ts";
import type { Change, FileBlock, HistoryEntry } from "../types.ts";
import { RESTRUCTURED } from "./restructured.ts";
import { renumbered, type Slot } from "./slots.ts";

const chaptered = ["chapters", "prose"] as const;

export interface Restructured {
  change: Change;
  /** The levels that it changes. */
  levels: (typeof chaptered)[number][];
  /** The number of chapters in project.yaml before, where it is another now. */
  wanted?: number;
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
  const isCounted = chapters === count && slots.length !== count;
  const goals = movedGoals(manuscript.project, slots);
  if (isCounted || goals)
    write.push(
      await changeProjectFile(manuscript.folder, {
        ...(isCounted && { chapters: slots.length }),
        ...(goals && { word_goals: goals }),
      }),
    );
  return { change: { write, remove }, levels, ...(isCounted && { wanted: count }) };
}

function filesOf(slots: readonly Slot[], level: (typeof chaptered)[number]): FileBlock[] {
  return slots.flatMap((slot, index) => {
    const text = level === "chapters" ? slot.plan : slot.prose;
    const path = chapterPath(level, index + 1);
    return text === undefined ? [] : [{ path, content: renumbered(text, slot, index + 1) }];
  });
}

/** The goals of single chapters under their new numbers: of several that are one now the sum, of one that is two now half each;
 * undefined where they stay as they are. */
function movedGoals(project: Manuscript["project"], slots: readonly Slot[]): Record<string, number> | undefined {
  const halves = (number: number) => slots.filter(({ from }) => from.includes(number)).length;
  const goals: Record<string, number> = {};
  for (const [index, { from }] of slots.entries()) {
    const own = from.map((number) => (goalOf(project, number) ?? Number.NaN) / halves(number));
    const sum = Math.round(own.reduce((total, goal) => total + goal, 0));
    if (!Number.isNaN(sum) && from.length > 0 && sum !== project.chapter_words) goals[index + 1] = sum;
  }
  return isDeepStrictEqual(goals, project.word_goals ?? {}) ? undefined : goals;
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
    semantic_summary: RESTRUCTURED,
    files_changed,
    lines_changed: lines_added + lines_removed,
    accepted_by: "user",
    kind: "edit",
  };
}
