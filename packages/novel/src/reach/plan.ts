// What an attempt writes: of the files that the feedback reaches, those that are not yet as they should be. Pure.

import { chapterPath, comparePaths } from "../manuscript/files/layout.ts";
import { currentAttempt } from "../saved.ts";
import { isPersonsOwn, type NovelState, type NovelTask } from "../task.ts";

/** How often a judge's word opens the question anew. */
export const MOST_REOPENED = 2;

/** The files that the attempt under way writes, in order; undefined where the level is written whole. */
export function planOf(state: NovelState, { target }: Pick<NovelTask, "target">): string[] | undefined {
  const reached = reachedFiles(state, target);
  const last = currentAttempt(state);
  // A plan that is written whole may have other chapters than before: no part of it can be told apart.
  if (!last || (target === "chapters" && !reached)) return reached;
  const whole = reached ?? [];
  // A judge who says which files are wanting leaves the others as they are; those that were added since were never written.
  const { revise = [], verdict } = last.judgment ?? {};
  const again = verdict === "approved" ? [] : revise;
  const added = last.wrote ? whole.filter((path) => !known(state).has(path)) : [];
  const wanted = new Set([...again, ...added]);
  const plan = whole.filter((path) => wanted.has(path));
  return plan.length > 0 ? plan : reached;
}

/** The files that this iteration may write; undefined for all. What is below was made from these alone. */
export function reachedFiles({ reach, base }: NovelState, target: NovelTask["target"]): string[] | undefined {
  if (reach && !reach.is_all) return reach.files;
  if (target !== "prose" || !base) return undefined;
  return [...chapterPaths(base.chapters), ...(base.parts ?? [])].sort(comparePaths);
}

/** Whether contradictions in files that were not touched still open the question of what is written. */
export function mayReopen({ reach }: Pick<NovelState, "reach">, task: NovelTask): boolean {
  return reach !== undefined && !reach.is_all && reach.reopened < MOST_REOPENED && !isPersonsOwn(task);
}

function known({ attempts, base }: NovelState): Set<string> {
  const own = attempts.filter(({ files, on }) => files && (on === undefined || on === base?.commit));
  return new Set(own.flatMap(({ wrote }) => wrote ?? []));
}

function chapterPaths(count: number): string[] {
  return Array.from({ length: count }, (_, at) => chapterPath("prose", at + 1));
}
