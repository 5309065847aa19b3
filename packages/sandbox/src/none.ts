// No sandbox, because the user said so: limits, a clean environment and a clean end, and no isolation at all.

import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { constants } from "node:os";
import { jobEnvironment, WORKSPACE } from "./bwrap/arguments.ts";
import { inputOf, type JobProcess, killProcess, runJob } from "./job.ts";
import { limitsToScript } from "./limits/limits.ts";
import { namesIn, readText } from "./proc.ts";
import type { Sandbox, SandboxJob, SandboxOutcome } from "./types.ts";

/** Marks a job's processes, so that those which left its process group are found too; the Blender worker reads it as well. */
const MARK = "LOOPWRIGHT_JOB";
const KILL_ROUNDS = 100;

/** Runs jobs as the user, on the machine as it is. Paths inside are turned into the machine's, and back in the output. */
export class BareSandbox implements Sandbox {
  readonly kind = "none";
  readonly #readOnly: readonly string[];

  constructor(readOnly: readonly string[] = []) {
    this.#readOnly = readOnly.filter((path) => !path.startsWith("/"));
  }

  async run(job: SandboxJob): Promise<SandboxOutcome> {
    let toInside = (text: string) => text;
    const outcome = await runJob(job, this.#readOnly, (workspace) => {
      const places = Object.entries({ ...job.mounts, ...job.writable, [job.inside ?? WORKSPACE]: workspace });
      // Paths as they are inside, turned into those of this machine, and those of this machine into what a model has seen.
      const toOutside = replacer(places);
      toInside = replacer(places.map(([inside, folder]) => [folder, inside]));
      const mark = randomUUID();
      const env = Object.entries(jobEnvironment(job, process.env.PATH ?? "/usr/bin:/bin"));
      const script = limitsToScript(job.limits, { countsProcesses: false });
      const child = spawn("/bin/sh", ["-c", script, "sh", ...job.command.map(toOutside)], {
        cwd: workspace,
        detached: true,
        env: { ...Object.fromEntries(env.map(([name, value]) => [name, toOutside(value)])), [MARK]: mark },
        stdio: [inputOf(job), "pipe", "ignore"],
      });
      return followGroup(child, mark);
    });
    return { ...outcome, output: toInside(outcome.output) };
  }
}

function followGroup(child: ChildProcess, mark: string): JobProcess {
  const kill = () => {
    if (child.pid === undefined) return;
    killProcess(-child.pid);
    // A process may fork while it is being looked for.
    for (let round = 0, found = marked(mark); found.length > 0 && round < KILL_ROUNDS; round++, found = marked(mark))
      for (const pid of found) killProcess(pid);
  };
  const gone = () =>
    new Promise<number | null>((resolve, reject) => {
      let code: number | null = null;
      child.once("error", reject);
      child.once("exit", (exit, signal) => {
        code = signal ? 128 + constants.signals[signal] : exit;
        kill();
      });
      child.once("close", () => resolve(code));
    });
  return { child, root: () => child.pid, kill, gone };
}

/** The processes that carry a job's mark; none where there is no /proc to look in. */
function marked(mark: string): number[] {
  const pids = namesIn("/proc").filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => readText(`/proc/${pid}/environ`).includes(`${MARK}=${mark}`)).map(Number);
}

/** Makes what puts other paths in the place of some, the longest first. */
function replacer(pairs: readonly (readonly [string, string])[]): (text: string) => string {
  const known = new Map(pairs);
  const longestFirst = [...known.keys()].sort((a, b) => b.length - a.length);
  const paths = longestFirst.map((path) => path.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join("|");
  const pattern = new RegExp(`(?<![\\w./-])(?:${paths})(?![\\w.-])`, "g");
  return (text) => text.replace(pattern, (path) => known.get(path)!);
}
