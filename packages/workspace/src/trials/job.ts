// The job that a warm worker is: its program, its private copy of the workspace, and the limits of a long life.

import type { SandboxJob } from "@loopwright/sandbox";
import { seenAt, type TestRun } from "../runners/run.ts";
import type { RunnerRun } from "../runners/types.ts";
import { type Copies, runOn } from "./copies.ts";
import type { WorkerProgram } from "./programs.ts";

/** What all workers of a workspace share. */
export interface WorkerPlace extends TestRun {
  copies: Copies;
  program: WorkerProgram;
}

const [GUARDS, PRISTINE, TEMPORARY] = ["/loopwright/guards", "/loopwright/pristine", "/loopwright/temporary"];
/** Enough for a Node with a thread and for a program's own; a fork bomb is sooner at its end. */
const MOST_PROCESSES = 96;
const MOST_DISK_BYTES = 2 ** 28;
const FOREVER_MS = 7 * 86_400_000;

/** A worker's job on a fresh copy; its first answer carries `hello`. */
export async function workerJob(
  place: WorkerPlace,
  index: number,
  hello: string,
): Promise<Omit<SandboxJob, "signal" | "channel">> {
  const { sandbox, copies, program, limits } = place;
  const folder = await copies.take(`copy-${index}`);
  const guards = copies.programs(`programs-${index}`, program.programs);
  const own = copies.folder(`temporary-${index}`);
  const isBare = sandbox.kind === "none";
  const test = runOn(place, copies, folder);
  const run: RunnerRun = {
    files: test.files,
    workspace: seenAt(sandbox, place.inside, folder),
    guards: seenAt(sandbox, GUARDS, guards),
    reports: "",
    canaries: [],
    isolated: !isBare,
    folder,
    configuration: [...Object.keys(test.configuration), ...test.packageFolders],
    loadsPlugins: test.loadsPlugins,
  };
  const facts = {
    hello,
    workspace: run.workspace,
    pristine: seenAt(sandbox, PRISTINE, copies.pristine),
    temporary: isBare ? [own] : ["/tmp", "/dev/shm"],
    left: copies.left,
    isolated: !isBare,
  };
  return {
    command: program.command(run, facts),
    workspace: folder,
    inside: place.inside,
    readOnly: test.readOnly,
    mounts: { ...test.mounts, [GUARDS]: guards, [PRISTINE]: copies.pristine },
    writable: isBare ? { [TEMPORARY]: own } : {},
    env: { ...program.env, ...(isBare ? { TMPDIR: own, HOME: own } : {}) },
    limits: {
      ...limits,
      wallMs: FOREVER_MS,
      cpuMs: FOREVER_MS,
      processes: Math.min(limits.processes, MOST_PROCESSES),
      diskBytes: Math.min(limits.diskBytes ?? MOST_DISK_BYTES, MOST_DISK_BYTES),
    },
  };
}
