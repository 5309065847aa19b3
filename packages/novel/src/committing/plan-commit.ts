// The commit of an iteration: worked out first and recorded, then made of the record.

import { type Artifact, type EffectContext, UsageError } from "@loopwright/core";
import { joinTexts, measureChange } from "../diff/lines.ts";
import { plannedFiles, withFiles } from "../level/plan.ts";
import { type Downstream, type Manuscript, openManuscript } from "../manuscript/files/open.ts";
import { changeBetween, iterationChange } from "../manuscript/history/history.ts";
import type { Step } from "../manuscript/history/staleness.ts";
import { commitSubject } from "../repository/log.ts";
import { openRepository } from "../repository/repository.ts";
import type { IterationCommit } from "../repository/types.ts";
import { saveText } from "../saved.ts";
import { baseOf, chosenAttempt, type NovelState, type NovelTask } from "../task.ts";
import { type FileBlock, type HistoryEntry, levels } from "../types.ts";
import { feedbackOf } from "../writing/rounds.ts";

/** What is to be committed, as it is recorded. */
interface CommitPlan {
  change: Artifact;
  /** The commit that it was worked out on. */
  on: string;
  files: number;
  removed: number;
  history: number;
  culled: Downstream[];
  /** Files that hold what a person changed in them meanwhile as well. */
  joined: string[];
}

/** A plan; or the files that a person edited meanwhile where the iteration changes them too; or why there can be no commit. */
export type Planned =
  | { refused: string; edited?: undefined }
  | { refused?: undefined; edited: string[] }
  | { refused?: undefined; edited?: undefined; plan: CommitPlan };

/** What a commit is worked out from. */
export interface Accepted extends Stepped {
  /** The level as it was when the iteration began. */
  before: readonly FileBlock[];
}

/** Commits hand edits on their own, and works out what the iteration's commit holds. */
export function planCommit(
  folder: string,
  { before, ...stepped }: Accepted,
  effect: Pick<EffectContext, "save">,
): Promise<Planned> {
  return orRefusal(async () => {
    const repository = await openRepository(folder);
    await repository.commitHandEdits();
    const manuscript = await openManuscript(folder);
    const now = await manuscript.read(stepped.task.target);
    const { files, joined, edited } = joinEdited(before, now, stepped.files);
    if (edited.length > 0) return { edited };
    const { change, ...figures } = await planChange(manuscript, { ...stepped, files });
    const saved = await saveText(effect, "change.json", change);
    return { plan: { ...figures, change: saved, on: (await repository.head()) ?? "", joined } };
  });
}

/** The commit; or, where a hook or the repository's state refuses it, why. Nothing is changed then. */
export type Committed = { refused: string } | { refused?: undefined; sha: string };

/** Makes the commit, or finds it where it was made already. */
export function makeCommit(folder: string, commit: IterationCommit): Promise<Committed> {
  return orRefusal(async () => ({ sha: (await (await openRepository(folder)).commitIteration(commit)).sha }));
}

/**
 * A level as it is now with what was accepted on top of what it was before. A file that the iteration left alone stays as a
 * person edited it; one that both changed is joined, or named among `edited` where they meet.
 */
function joinEdited(
  before: readonly FileBlock[],
  now: readonly FileBlock[],
  accepted: readonly FileBlock[],
): { files: FileBlock[]; joined: string[]; edited: string[] } {
  const { write, remove } = changeBetween(before, accepted);
  const files = withFiles(
    now.filter(({ path }) => !remove.includes(path)),
    write,
  );
  const onTop = changeBetween(now, files);
  const [old, current] = [before, now].map((each) => new Map(each.map(({ path, content }) => [path, content])));
  const joined: FileBlock[] = [];
  const edited: string[] = [];
  for (const path of [...onTop.write.map(({ path }) => path), ...onTop.remove]) {
    const [base, theirs] = [old!.get(path), current!.get(path)];
    if (base === theirs) continue;
    const mine = files.find((file) => file.path === path)?.content;
    const isText = base !== undefined && theirs !== undefined && mine !== undefined && path.endsWith(".md");
    const content = isText ? joinTexts(base, mine, theirs) : undefined;
    if (content === undefined) edited.push(path);
    else joined.push({ path, content });
  }
  return { files: withFiles(files, joined), joined: joined.map(({ path }) => path), edited };
}

/** What was done; where the project or its repository is not as it must be, the words that say so. */
export async function orRefusal<Done>(act: () => Promise<Done>): Promise<Done | { refused: string }> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof UsageError) return { refused: error.message };
    throw error;
  }
}

/** What of an iteration's run the change is worked out from. */
interface Stepped {
  task: NovelTask;
  state: NovelState;
  files: readonly FileBlock[];
  entry: HistoryEntry;
  /** Versions of the files above, as the writer was told them. */
  seen: Readonly<Record<string, string>>;
}

/** The change of an iteration; a level that did not exist before gets no history entry: nothing was iterated. */
async function planChange(manuscript: Manuscript, { task, state, files, entry, seen }: Stepped) {
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
