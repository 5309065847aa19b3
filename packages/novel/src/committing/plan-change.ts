// What an iteration's commit holds, worked out from the project as it is now.

import { plannedFiles } from "../level/plan.ts";
import { changeBetween, iterationChange, type Manuscript, type Step } from "../manuscript/index.ts";
import { baseOf, chosenAttempt, type NovelState, type NovelTask } from "../task.ts";
import type { FileBlock, HistoryEntry } from "../types.ts";

/** What of an iteration's run the change is worked out from. */
export interface Stepped {
  task: NovelTask;
  state: NovelState;
  files: readonly FileBlock[];
  entry: HistoryEntry;
  /** Versions of the files above, as the writer was told them. */
  seen: Readonly<Record<string, string>>;
}

/** The change of an iteration; a level that did not exist before gets no history entry: nothing was iterated. */
export async function planChange(manuscript: Manuscript, { task, state, files, entry, seen }: Stepped) {
  const { target, kind } = task;
  const previous = await manuscript.read(target);
  const content = changeBetween(previous, files);
  const figures = { files: content.write.length, removed: content.remove.length };
  const step: Step = {
    level: target,
    files,
    kind: kind === "derive" || kind === "split" ? "import" : kind === "ask" ? "iterate" : kind,
    isCulled: state.is_culled,
    // Of a level that is made anew, what was there before is as it was.
    looked: baseOf(state).is_first
      ? content.write.map(({ path }) => path)
      : filesLookedAt(
          state,
          task,
          files,
          content.write.map(({ path }) => path),
        ),
    seen,
    isFromBelow: kind === "derive" || task.follows?.direction === "up",
  };
  const isUnchanged = content.write.length + content.remove.length === 0;
  const isIterated = (!baseOf(state).is_first || kind === "edit") && !(task.follows && isUnchanged);
  const { culled, iterations, ...change } = await iterationChange(manuscript, {
    ...step,
    ...(isIterated && { entry }),
  });
  return { change, ...figures, history: iterations, culled };
}

/** The files whose writer was told what is above; undefined for all of the level. */
function filesLookedAt(
  state: NovelState,
  task: NovelTask,
  files: readonly FileBlock[],
  changed: readonly string[],
): readonly string[] | undefined {
  const { file, passage } = task;
  // Whoever writes a passage anew leaves the rest of its file as it is.
  if (file !== undefined) return passage === undefined ? [file] : [];
  const { number, on, part_of } = chosenAttempt(state);
  if (task.target === "prose" && state.plan) {
    // Neither a file that a judge wants written too, and nobody wrote, nor one that was put back.
    const planned = plannedFiles(state) ?? [];
    const own = state.attempts.filter((attempt) => attempt.number <= number && attempt.on === on);
    const wrote = new Set(own.flatMap(({ wrote: paths = [] }) => paths));
    return [...wrote].filter(
      (path) => !part_of?.left.includes(path) && (planned.includes(path) || changed.includes(path)),
    );
  }
  return part_of && files.map(({ path }) => path).filter((path) => !part_of.left.includes(path));
}
