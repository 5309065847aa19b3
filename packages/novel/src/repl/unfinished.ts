// An iteration that was left: by a closed laptop, a Ctrl-C, a dead network, a kill.

import { isFinal, type Outcome, type Project } from "@loopwright/core";

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
