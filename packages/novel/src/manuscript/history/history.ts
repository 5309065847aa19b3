// A level's history: newest first in its file, oldest first for everyone who reads it. A file that does not parse stops
// with its path and line, and is never reset.

import { join } from "node:path";
import type { Change, FileBlock, HistoryEntry, Level } from "../../types.ts";
import { parseJsonFile, readText } from "../files/files.ts";
import { bookPart, historyPath, isReport, levelsBelow } from "../files/layout.ts";
import type { Downstream, Manuscript } from "../files/open.ts";
import { HistoryFile, isSameText } from "../files/schemas.ts";
import { countOf, shorten } from "../words.ts";
import { culledStaleness, type Step, stalenessChange } from "./staleness.ts";

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

// Changes of a project: an iteration is one change, which holds the content, the surplus, the history, the staleness and
// the cull, so that one commit is all of it.

/** The change from one version of a level to another: what differs is written, what is surplus is removed. */
export function changeBetween(previous: readonly FileBlock[], files: readonly FileBlock[]): Change {
  const before = new Map(previous.map(({ path, content }) => [path, content]));
  const after = new Set(files.map(({ path }) => path));
  return {
    write: files.filter(({ path, content }) => !before.has(path) || !isSameText(before.get(path)!, content)),
    remove: previous.map(({ path }) => path).filter((path) => !after.has(path)),
  };
}

/** A change that takes what lies below along. */
export interface Cull extends Change {
  culled: Downstream[];
}

/** The files below a level that no generation would write again: parts without a number, and what people keep in analysis/. */
export function stayingBelow(manuscript: Pick<Manuscript, "paths" | "analysis">, level: Level): string[] {
  const parts = levelsBelow(level).flatMap((below) => manuscript.paths(below).filter((path) => bookPart(path)));
  return [...parts, ...manuscript.analysis.filter((path) => !isReport(path))];
}

/** All that was generated below a level goes: content, histories, the analysis. Undo restores it with the commit. */
export function cullChange(manuscript: Manuscript, level: Level): Cull {
  const stays = new Set(stayingBelow(manuscript, level));
  const below = levelsBelow(level).flatMap((each) => {
    const gone = manuscript.paths(each).filter((path) => !stays.has(path));
    return gone.length > 0 && manuscript.hasHistory(each) ? [...gone, historyPath(each)] : gone;
  });
  const remove = [...below, ...manuscript.analysis.filter((path) => !stays.has(path))];
  return {
    write: remove.length > 0 ? [culledStaleness(manuscript, level)] : [],
    remove,
    culled: manuscript.downstreamOf(level),
  };
}

/** What an iteration changes in the files. */
interface IterationChange extends Cull {
  /** How many iterations the level's history has with this one. */
  iterations: number;
}

/** The whole change of one iteration; without an entry it is none of the history. */
export async function iterationChange(
  manuscript: Manuscript,
  { entry, ...step }: Step & { entry?: HistoryEntry },
): Promise<IterationChange> {
  const [previous, entries] = await Promise.all([manuscript.read(step.level), manuscript.history(step.level)]);
  const content = changeBetween(previous, step.files);
  const cull = step.isCulled ? cullChange(manuscript, step.level) : { remove: [], culled: [] };
  const others = entries.filter(({ iteration_id }) => iteration_id !== entry?.iteration_id);
  const history = entry ? [historyChange(step.level, others, entry)] : [];
  return {
    write: [...content.write, ...history, stalenessChange(manuscript, step)],
    remove: [...content.remove, ...cull.remove],
    culled: cull.culled,
    iterations: others.length + history.length,
  };
}
