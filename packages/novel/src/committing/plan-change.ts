// What an iteration's commit holds, worked out from the project as it is now.

import {
  changeBetween,
  cullChange,
  type Downstream,
  iterationChange,
  levelsAbove,
  type Manuscript,
  stalenessChange,
} from "../manuscript/index.ts";
import { baseOf, type NovelState, type NovelTask } from "../task.ts";
import type { Change, FileBlock, HistoryEntry } from "../types.ts";

export interface PlannedChange {
  change: Change;
  /** Content files written and removed, entries of the level's history. */
  files: number;
  removed: number;
  history: number;
  culled: Downstream[];
}

/** The change of an iteration; a level that did not exist before gets no history entry: nothing was iterated. */
export async function planChange(
  manuscript: Manuscript,
  { target, kind }: NovelTask,
  state: NovelState,
  files: readonly FileBlock[],
  entry: HistoryEntry,
): Promise<PlannedChange> {
  const seen = asSeen(manuscript, target, state);
  const previous = await manuscript.read(target);
  const content = changeBetween(previous, files);
  const figures = { files: files.length, removed: content.remove.length };
  const step = {
    level: target,
    files,
    kind: kind === "derive" ? ("import" as const) : kind,
    isCulled: state.is_culled,
  };
  if (!baseOf(state).is_first || kind === "edit") {
    const { culled, iterations, ...change } = await iterationChange(seen, { ...step, entry });
    return { change, ...figures, history: iterations, culled };
  }
  const cull = state.is_culled ? cullChange(seen, target) : { remove: [], culled: [] };
  const change = {
    write: [...content.write, stalenessChange(seen, step)],
    remove: [...content.remove, ...cull.remove],
  };
  return { change, ...figures, history: (await manuscript.history(target)).length, culled: cull.culled };
}

/** The project with the levels above in the versions that the writer was told, so that a later edit of them makes it stale. */
function asSeen(manuscript: Manuscript, target: NovelTask["target"], state: NovelState): Manuscript {
  const { versions } = baseOf(state);
  const above = levelsAbove(target);
  return { ...manuscript, version: (level) => (above.includes(level) ? versions[level] : manuscript.version(level)) };
}
