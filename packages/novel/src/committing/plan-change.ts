// What an iteration's commit holds, worked out from the project as it is now, and what is written down of it. Pure.

import { measureChange } from "../diff/index.ts";
import { plannedFiles } from "../level/plan.ts";
import { changeBetween, iterationChange, type Manuscript, type Step } from "../manuscript/index.ts";
import { commitSubject } from "../repository/log.ts";
import { baseOf, chosenAttempt, type NovelState, type NovelTask } from "../task.ts";
import { type FileBlock, type HistoryEntry, levels } from "../types.ts";
import { feedbackOf } from "../writing/rounds.ts";

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

/** The history entry of an iteration that was accepted at a time. */
export function historyEntry(
  task: NovelTask,
  state: NovelState,
  before: readonly FileBlock[],
  files: readonly FileBlock[],
  at: number,
): HistoryEntry {
  const { judgment, part_of } = chosenAttempt(state);
  const { files_changed, lines_added, lines_removed } = measureChange(before, files);
  const judge_verdict = judgment?.verdict ?? "none";
  const isPersons = task.kind === "edit" || judge_verdict === "needs_revision" || part_of !== undefined;
  return {
    iteration_id: task.iteration_id,
    timestamp: new Date(at).toISOString(),
    feedback: feedbackToText(feedbackOf(task, baseOf(state).is_first)),
    judge_attempts: state.attempts.filter((attempt) => attempt.judgment !== undefined).length,
    judge_verdict,
    judge_reasoning: judgment?.reasoning ?? "",
    ...(judgment && judgment.by.length > 0 && { judge_models: judgment.by }),
    semantic_summary: state.summary ?? "",
    files_changed,
    lines_changed: lines_added + lines_removed,
    ...(state.plan && state.plan.conditions.length > 0 && { conditions: state.plan.conditions }),
    ...(state.said && { said: state.said.map(({ text }) => text) }),
    ...(isPersons && { accepted_by: "user" as const }),
    kind: task.kind === "derive" || task.kind === "split" ? "import" : task.kind === "ask" ? "iterate" : task.kind,
  };
}

/** Items of feedback as one text: several as a list. */
export function feedbackToText(items: readonly string[]): string {
  return items.length === 1 ? items[0]! : items.map((item) => `- ${item}`).join("\n");
}

/** The subject of an iteration's commit: `[chapters] Make chapter 3 darker`. */
export function iterationSubject(task: NovelTask, isFirst: boolean): string {
  const { kind, target, feedback } = task;
  if (kind === "split") return commitSubject(target, "chapters of the imported text");
  if (kind === "derive") return commitSubject(target, `derive from ${levels[levels.indexOf(target) + 1]}`);
  if (kind === "edit") return commitSubject(target, feedback.length > 0 ? feedback.join("; ") : "edit");
  if (isFirst) return commitSubject(target, "generate");
  return commitSubject(target, feedback.length > 0 ? feedback.join("; ") : "generate anew");
}
