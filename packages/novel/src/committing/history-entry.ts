// What is written down of an iteration: its entry in the level's history, and its commit's subject. Pure.

import { measureChange } from "../diff/index.ts";
import { commitSubject } from "../repository/log.ts";
import { baseOf, chosenAttempt, type NovelState, type NovelTask } from "../task.ts";
import { type FileBlock, type HistoryEntry, levels } from "../types.ts";
import { feedbackOf } from "../writing/rounds.ts";

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
