// The level as it stands while an attempt is written: as it was, with what the last attempt that can be read made of it.

import { plannedFiles } from "../level/plan.ts";
import { comparePaths } from "../manuscript/index.ts";
import { currentAttempt, loadAttempt, loadBefore } from "../saved.ts";
import type { NovelContext, NovelState } from "../task.ts";
import type { FileBlock } from "../types.ts";

export interface Standing {
  /** As it was when the iteration began. */
  before: FileBlock[];
  /** As the last attempt has it; as it was where there is none. */
  now: FileBlock[];
  hasAttempt: boolean;
}

/** Loads both versions. A file that is no longer planned is as it was, whatever an attempt made of it. */
export async function loadStanding(ctx: NovelContext, state: NovelState): Promise<Standing> {
  const last = currentAttempt(state);
  const [before, attempt] = await Promise.all([loadBefore(ctx, state), last && loadAttempt(ctx, last)]);
  if (!attempt) return { before, now: before, hasAttempt: false };
  const planned = ctx.input.target === "prose" ? plannedFiles(state) : undefined;
  const put = planned ? before.filter(({ path }) => !planned.includes(path)) : [];
  return { before, now: withFiles(attempt, put), hasAttempt: true };
}

/** Files with some of them replaced by others of the same path; what is new comes in the order of its chapters. */
export function withFiles(files: readonly FileBlock[], replaced: readonly FileBlock[]): FileBlock[] {
  const byPath = new Map([...files, ...replaced].map((file) => [file.path, file]));
  return [...byPath.values()].sort((a, b) => comparePaths(a.path, b.path));
}
