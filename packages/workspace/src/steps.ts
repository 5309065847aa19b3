// The end of a run on a folder of code: where its result is, in words, and what to type to have it or to be rid of it.

import type { Json, NextStep, RunRecord } from "@loopwright/core";
import type { Applied } from "./checkout/checkout.ts";
import { keptSettings } from "./kept-settings.ts";

type Ended = Pick<RunRecord, "run" | "loop" | "config" | "state" | "ended" | "lastNotes">;

/** What to type about a run on a folder of code: its result is in the user's files where it is done, unless it was to be a branch
 * or a patch, and can be brought there where it is not. What has changed nothing can be neither brought nor taken back. */
export function workspaceSteps({ run, loop, config, state, ended, lastNotes }: Ended): NextStep[] {
  if (!ended) return [];
  const { branch: wanted, patch } = settingsOf(config, loop);
  const branch = branchOf(lastNotes?.change) ?? wanted;
  const apply = (does: string) => ({ command: `loopwright apply ${run}`, does });
  const undo = (does: string) => ({ command: `loopwright undo ${run}`, does });
  const isChanged = countOf(lastNotes?.change) !== 0;
  if (ended.outcome !== "done") {
    const isBetter = isChanged && Boolean(state.best);
    return isBetter ? [apply("brings the best state so far into your files, which are as they were")] : [];
  }
  if (patch ? !isChanged : state.applied === 0) return [];
  if (patch)
    return [apply("brings the change into your files, which are as they were"), undo("takes it out again, then")];
  if (branch === undefined) return [undo("takes what was applied out of your files again")];
  return [
    { command: `git merge ${quoted(branch)}`, does: "brings the branch into the one that you stand on" },
    undo("deletes the branch again"),
  ];
}

function settingsOf(config: Json, loop: string): { branch?: string; patch?: boolean } {
  try {
    return keptSettings(config, loop) ?? {};
  } catch {
    return {};
  }
}

/** How many files a run has changed, where it says so. */
function countOf(change: Json | undefined): number | undefined {
  const { count } = (change ?? {}) as { count?: unknown };
  return typeof count === "number" ? count : undefined;
}

/** The branch that was made, whose name may have got a number. */
function branchOf(change: Json | undefined): string | undefined {
  const { branch } = (change ?? {}) as { branch?: unknown };
  return typeof branch === "string" ? branch : undefined;
}

/** A name as a shell takes it. */
function quoted(name: string): string {
  return /^[\w./@-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`;
}

/** The note of what was applied. */
export function appliedWords({ written, deleted = [], conflicts, folder, branch, isPatch }: Applied): string {
  if (isPatch) return "nothing was applied: the change is a patch in the run's folder";
  if (branch !== undefined) {
    const left = conflicts.length > 0 ? `; left out, in a submodule or behind a link: ${conflicts.join(", ")}` : "";
    return `committed to the branch ${branch}: ${written.join(", ") || "nothing"}${left}`;
  }
  const left = conflicts.length > 0 ? `; left as you have them: ${conflicts.join(", ")}` : "";
  const where = folder === undefined ? "your files" : `the program in ${folder}`;
  const named = written.map((path) => (deleted.includes(path) ? `${path} (deleted)` : path));
  return `applied to ${where}: ${named.join(", ") || "nothing, they are so already"}${left}`;
}
