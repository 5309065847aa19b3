// What changed above a level since its files were made, or below it, in words for whoever writes or judges it.

import { renderLineChange } from "../diff/lines.ts";
import { levelOf, nameOf } from "../manuscript/files/layout.ts";
import type { Manuscript } from "../manuscript/files/open.ts";
import { hashOf } from "../manuscript/files/schemas.ts";
import type { Repository } from "../repository/repository.ts";
import type { Level } from "../types.ts";

/** Finds the text that a source had when a path was made. */
type FindText = (path: string, source: string) => Promise<string | undefined>;

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

/** More would bury what matters. */
const LONGEST = 16_000;

/** The change that an iteration, or a commit, made to a level, in words and lines. */
export async function changesBelow(
  repository: Pick<Repository, "shaOf" | "changeOf">,
  level: Level,
  iteration: string,
): Promise<string[]> {
  const files = await repository.changeOf((await repository.shaOf(iteration)) ?? iteration);
  const own = files.filter(({ path }) => levelOf(path) === level);
  const share = Math.max(600, Math.floor(LONGEST / Math.max(1, own.length)));
  let left = LONGEST;
  return own.flatMap(({ path, before = "", after = "" }) => {
    const text = renderLineChange(before, after, Math.min(share, left));
    left -= text.length;
    return text === "" || left < 0 ? [] : [`${nameOf(path)} (${path}) below has changed:\n${text}`];
  });
}
