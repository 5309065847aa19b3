// No sandbox, because the user said so: limits, a clean environment and a clean end, and no isolation at all.

import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync, realpathSync } from "node:fs";
import { constants } from "node:os";
import { jobEnvironment, WORKSPACE } from "./bwrap/arguments.ts";
import { inputOf, type JobProcess, refuseCommand, superviseJob } from "./job.ts";
import { limitsToScript } from "./limits/limits.ts";
import { protectWorkspace, sweepWorkspace } from "./protect.ts";
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
    job.signal.throwIfAborted();
    const refused = refuseCommand(job.command);
    if (refused) return refused;
    const workspace = realpathSync(job.workspace);
    const protection = await protectWorkspace(workspace, [...this.#readOnly, ...job.readOnly]);
    const places = { ...job.mounts, ...job.writable, [job.inside ?? WORKSPACE]: workspace };
    const mark = randomUUID();
    const env = jobEnvironment(job, process.env.PATH ?? "/usr/bin:/bin");
    const script = limitsToScript(job.limits, { countsProcesses: false });
    const child = spawn("/bin/sh", ["-c", script, "sh", ...job.command.map((word) => toOutside(word, places))], {
      cwd: workspace,
      detached: true,
      env: { ...mapValues(env, (value) => toOutside(value, places)), [MARK]: mark },
      stdio: [inputOf(job), "pipe", "ignore"],
    });
    let removed: string[] = [];
    const supervised = superviseJob(followGroup(child, mark), { ...job, workspace });
    const outcome = await supervised.finally(async () => {
      removed = await sweepWorkspace(workspace, protection);
    });
    const output = toInside(outcome.output, places);
    return { ...outcome, output, ...(removed.length > 0 ? { removed } : {}) };
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

function killProcess(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // Gone already.
  }
}

/** The processes that carry a job's mark; none where there is no /proc to look in. */
function marked(mark: string): number[] {
  try {
    const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
    return pids.filter((pid) => readEnvironment(pid).includes(`${MARK}=${mark}`)).map(Number);
  } catch {
    return [];
  }
}

function readEnvironment(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, "latin1");
  } catch {
    return "";
  }
}

type Places = Readonly<Record<string, string>>;

/** Paths as they are inside, turned into those of this machine. */
function toOutside(text: string, places: Places): string {
  return replacePaths(text, Object.entries(places));
}

/** Paths of this machine, turned into those that a model has seen. */
function toInside(text: string, places: Places): string {
  return replacePaths(
    text,
    Object.entries(places).map(([inside, folder]) => [folder, inside]),
  );
}

function replacePaths(text: string, pairs: readonly (readonly [string, string])[]): string {
  if (pairs.length === 0) return text;
  const known = new Map(pairs);
  const longestFirst = [...known.keys()]
    .sort((a, b) => b.length - a.length)
    .map((path) => path.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  const pattern = new RegExp(`(?<![\\w./-])(?:${longestFirst.join("|")})(?![\\w.-])`, "g");
  return text.replace(pattern, (path) => known.get(path)!);
}

function mapValues(record: Record<string, string>, change: (value: string) => string): Record<string, string> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}
