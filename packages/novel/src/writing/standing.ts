// The level as it stands while an attempt is written: as it was, with what the last attempt that can be read made of it.

import { comparePaths } from "../manuscript/files/layout.ts";
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

/** Loads both versions. */
export async function loadStanding(ctx: NovelContext, state: NovelState): Promise<Standing> {
  const last = currentAttempt(state);
  const [before, attempt] = await Promise.all([loadBefore(ctx, state), last && loadAttempt(ctx, last)]);
  return { before, now: attempt ?? before, hasAttempt: attempt !== undefined };
}

/** Files with some of them replaced by others of the same path; what is new comes in the order of its chapters. */
export function withFiles(files: readonly FileBlock[], replaced: readonly FileBlock[]): FileBlock[] {
  const byPath = new Map([...files, ...replaced].map((file) => [file.path, file]));
  return [...byPath.values()].sort((a, b) => comparePaths(a.path, b.path));
}
