// What changed above a level since its files were made, in words for whoever writes or judges them.

import { renderLineChange } from "../diff/line-change.ts";
import { levelOf, nameOf } from "../manuscript/files/layout.ts";
import { hashOf } from "../manuscript/files/versions.ts";
import type { Manuscript } from "../manuscript/index.ts";
import type { Level } from "../types.ts";

/** Finds the text that a source had when a path was made. */
export type FindText = (path: string, source: string) => Promise<string | undefined>;

/** What a level is told: each change by the file that changed, and which of them each file of the level was not made with. */
export interface ChangesAbove {
  texts: Record<string, string>;
  files: Record<string, string[]>;
}

/** The changes above a level that its files were not made with. */
export async function changesAbove(manuscript: Manuscript, level: Level, find: FindText): Promise<ChangesAbove> {
  const stale = manuscript.stale().find((each) => each.level === level)?.files ?? [];
  const changes: ChangesAbove = { texts: {}, files: {} };
  for (const { path, because } of stale) {
    changes.files[path] = because;
    for (const source of because) {
      changes.texts[source] ??= await describe(manuscript, path, source, find);
    }
  }
  return changes;
}

/** The version that a file was made from; for what reaches it through others, the one that those were made from. */
function versionUsed({ staleness, hash }: Manuscript, path: string, source: string) {
  const { analysis: _, ...files } = staleness.files;
  const own = files[path]?.[source];
  return (
    own ?? Object.values(files).find((from) => from[source] !== undefined && from[source] !== hash(source))?.[source]
  );
}

async function describe(manuscript: Manuscript, path: string, source: string, find: FindText): Promise<string> {
  const level = levelOf(source);
  const name =
    level === "chapters" && nameOf(source).startsWith("chapter") ? `the plan of ${nameOf(source)}` : nameOf(source);
  const now = manuscript.text(source);
  if (now === undefined) return `${name} (${source}) is gone.`;
  const before = await find(path, source);
  const isUsed = before !== undefined && hashOf(before) === versionUsed(manuscript, path, source);
  const change = isUsed ? renderLineChange(before, now) : "";
  return change === "" ? `${name} (${source}) has changed.` : `${name} (${source}) has changed:\n${change}`;
}

/** What is told to whoever writes some files, or the whole level where none are named. */
export function notesFor({ texts, files }: ChangesAbove, path?: string): string[] {
  const sources = path === undefined ? Object.keys(texts) : (files[path] ?? []);
  return sources.map((source) => texts[source]!);
}
