// The end of a run on a folder of code: how its result comes into the user's files, where it is, in words, and what to type to have
// it or to be rid of it.

import { isAbsolute } from "node:path";
import type { Context, Json, NextStep, RunRecord, WorkcellHandle } from "@loopwright/core";
import type { Applied, Step } from "./checkout/checkout.ts";
import type { ProjectCell, WorkspaceSettings } from "./options.ts";

/** What a run has kept of its settings. A journal may come with a folder: a path that is not whole would mean another folder wherever
 * the command is run. */
export function keptSettings(config: Json | undefined, loop: string): WorkspaceSettings | undefined {
  const kept = (config as Readonly<Record<string, unknown>> | null | undefined)?.[loop.replace(/-attempts$/, "")] as
    | WorkspaceSettings
    | undefined;
  return kept && [kept.workspace, kept.state].every((path = "") => isAbsolute(path)) ? kept : undefined;
}

type Asking = Pick<Context<unknown, unknown>, "ask" | "tell">;

/** Applies what the workcell holds; on a branch, step by step. Where the user has changed the same files, they are asked whose are to
 * stay before any file is written. */
export async function applyResult(
  ctx: Asking,
  cell: WorkcellHandle<ProjectCell>,
  steps: readonly Step[] = [],
): Promise<Applied> {
  const { conflicts, branch } = await cell.effect("look", { run: (each) => each.apply({ steps, isDry: true }) });
  const isTaken = branch === undefined && conflicts.length > 0 && (await askWhose(ctx, conflicts)) === "take";
  const over = isTaken ? conflicts : [];
  const applied = await cell.effect("apply", { input: over, run: (each) => each.apply({ steps, over }) });
  await ctx.tell("applied", { ...applied });
  return applied;
}

/** A reason to end with, and what of the result is not in the user's files because they keep their own. */
export function withLeft(reason: string, { conflicts, branch }: Pick<Applied, "conflicts" | "branch">): string {
  if (conflicts.length === 0 || branch !== undefined) return reason;
  return `${reason} in the run's own checkout; not in your files: ${conflicts.join(", ")}, which you keep as you have changed them (loopwright apply RUN --over takes the run's)`;
}

async function askWhose(ctx: Asking, conflicts: readonly string[]): Promise<"keep" | "take"> {
  const named = conflicts.length > 5 ? `${conflicts.slice(0, 5).join(", ")}, …` : conflicts.join(", ");
  const { choice } = await ctx.ask({
    name: "conflict",
    question: `You have changed ${named} since the run began. Keep yours, or take the run's?`,
    choices: ["keep", "take"],
    default: "keep",
    about: [...conflicts],
  });
  return choice;
}

type Ended = Pick<RunRecord, "run" | "loop" | "config" | "state" | "ended" | "lastNotes">;

/** What to type about a run on a folder of code: its result is in the user's files where it is done, unless it was to be a branch
 * or a patch, and can be brought there where it is not. What has changed nothing can be neither brought nor taken back. */
export function workspaceSteps({ run, loop, config, state, ended, lastNotes }: Ended): NextStep[] {
  if (!ended) return [];
  const { branch: wanted, patch } = keptSettings(config, loop) ?? {};
  // What the run says of its change; the branch that was made may have got a number.
  const { count, branch = wanted } = (lastNotes?.change ?? {}) as { count?: number; branch?: string };
  const apply = (does: string) => ({ command: `loopwright apply ${run}`, does });
  const undo = (does: string) => ({ command: `loopwright undo ${run}`, does });
  const isChanged = count !== 0;
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
