// An iteration that was left: by a closed laptop, a Ctrl-C, a dead network, a kill.

import { isFinal, type Outcome, type Project } from "@loopwright/core";
import type { NovelState, NovelTask } from "../task.ts";
import type { Session } from "./session.ts";

export interface Unfinished {
  run: string;
  /** How it stands: its outcome, `waiting` at a gate, or `open`: cut off. */
  status: string;
  at: number;
  /** Whether another process is at it. */
  isHeld: boolean;
}

/** The iteration of a project that can go on; the newest where there are several. */
export async function findUnfinished(project: Project): Promise<Unfinished | undefined> {
  const runs = await project.list();
  const found = runs.findLast((listed) => {
    if ("fault" in listed || listed.loop !== "novel" || listed.parent !== undefined) return false;
    return listed.status === "waiting" || listed.status === "open" || !isFinal(listed.status as Outcome);
  });
  if (!found || "fault" in found) return undecided(project, runs.at(-1));
  const { run, status, at, isHeld } = found;
  return { run, status, at, isHeld };
}

/** A run that another was to take over from, where that one never began. */
async function undecided(
  project: Project,
  last: Awaited<ReturnType<Project["list"]>>[number] | undefined,
): Promise<Unfinished | undefined> {
  if (!last || "fault" in last || last.status !== "superseded" || last.loop !== "novel") return undefined;
  const chain = await project.chain(last.run);
  const { run, status, at, isHeld } = last;
  return chain.at(-1)!.run === run ? { run, status, at, isHeld } : undefined;
}

/** Says what the author wanted next, along with a yes, where nothing was begun since then but steps of a cascade. */
export async function tellNotBegun({ novel: { project }, voice }: Session): Promise<void> {
  for (const listed of (await project.list()).toReversed()) {
    if ("fault" in listed || listed.loop !== "novel" || listed.parent !== undefined) continue;
    const record = await project.state(listed.run);
    const { cascade, is_question, target } = record.input as unknown as NovelTask;
    if (cascade || is_question) continue;
    const { next } = record.state as Partial<NovelState>;
    if (listed.status === "done" && next !== undefined)
      voice.note(`You wanted to go on with "${next}", which was not begun. To begin: /iterate ${target}, then type it`);
    return;
  }
}
