// One job's processes from start to end: its output read within bounds, its limits watched, and all of it gone afterwards.

import type { ChildProcess } from "node:child_process";
import { realpathSync } from "node:fs";
import { StringDecoder } from "node:string_decoder";
import type { ProcessGroup } from "./limits/cgroup.ts";
import { codeToStop, type StopKind, stopWords } from "./limits/limits.ts";
import { watchJob } from "./limits/watch.ts";
import { type Protection, protectWorkspace, sweepWorkspace } from "./protect.ts";
import type { JobChannel, SandboxJob, SandboxOutcome } from "./types.ts";

/** A job that is talked with lives long, and looking at it costs: it is looked at less often. */
const TALKING_INTERVAL_MS = 100;

/** A job's processes, however they were started. */
export interface JobProcess {
  child: ChildProcess;
  group?: ProcessGroup;
  /** The process that all others descend from, once it is known. */
  root(): number | undefined;
  /** Kills everything at once. */
  kill(): void;
  /** Settles when no process of the job is left, with the program's exit code. */
  gone(): Promise<number | null>;
}

/** Runs a job in a workspace of which parts are read-only, however it is started; what it must not leave is removed afterwards. */
export async function runJob(
  job: SandboxJob,
  readOnly: readonly string[],
  start: (workspace: string, protection: Protection) => JobProcess,
): Promise<SandboxOutcome> {
  job.signal.throwIfAborted();
  const refused = refuseCommand(job.command);
  if (refused) return refused;
  const workspace = realpathSync(job.workspace);
  const protection = await protectWorkspace(workspace, [...readOnly, ...job.readOnly]);
  const running = start(workspace, protection);
  let removed: string[] = [];
  const outcome = await superviseJob(running, { ...job, workspace }).finally(async () => {
    running.group?.remove();
    removed = await sweepWorkspace(workspace, protection);
  });
  return removed.length > 0 ? { ...outcome, removed } : outcome;
}

/** Waits for a job's end, or brings it about; rejects with the signal's reason where it was aborted. */
async function superviseJob({ child, root, kill, gone, group }: JobProcess, job: SandboxJob): Promise<SandboxOutcome> {
  const startedAt = performance.now();
  const output = new Output(job.limits.outputChars);
  child.stdout!.on("data", (chunk: Uint8Array) => output.write(chunk));
  // A program that never reads its input breaks the pipe; that is its own affair.
  child.stdin?.on("error", () => {});
  if (job.channel) openChannel(child, job.channel);
  else child.stdin?.end(job.stdin);

  let stop: StopKind | undefined;
  const halt = (kind: StopKind) => {
    stop ??= kind;
    kill();
  };
  const wall = setTimeout(halt, job.limits.wallMs, "wall");
  const folders = [job.workspace, ...Object.values(job.writable ?? {})];
  const intervalMs = job.channel ? TALKING_INTERVAL_MS : undefined;
  const watch = watchJob({ root, folders, limits: job.limits, intervalMs, isOutOfMemory: group?.isOutOfMemory }, halt);
  job.signal.addEventListener("abort", kill, { once: true });
  if (job.signal.aborted) kill();
  try {
    const code = await gone();
    job.signal.throwIfAborted();
    if (group?.isOutOfMemory()) stop ??= "memory";
    const stopped = stop ? stopWords[stop](job.limits) : codeToStop(code, job.limits);
    const ms = performance.now() - startedAt;
    return { code: stopped ? null : code, ...(stopped ? { stopped } : {}), output: output.end(), ms };
  } finally {
    clearTimeout(wall);
    watch.close();
    job.signal.removeEventListener("abort", kill);
  }
}

/** What a job's standard input is: nothing, where it is told nothing. */
export const inputOf = ({ stdin, channel }: SandboxJob) => (stdin === undefined && !channel ? "ignore" : "pipe");

function openChannel({ stdin, stdout }: ChildProcess, channel: JobChannel): void {
  stdout!.on("data", (chunk: Uint8Array) => channel.onOutput(chunk));
  channel.onStart((text) => {
    if (stdin?.writable) stdin.write(text);
  });
}

/** The longest word that the kernel passes to a program, on machines with the smallest pages. */
const WORD_BYTES = 32 * 4096 - 1;
const NOT_RUN = 126;

/** How a command ends that no program can be started with; whoever wrote it is told as if it had run. */
function refuseCommand(command: readonly string[]): SandboxOutcome | undefined {
  const why = command.some((word) => word.includes("\0"))
    ? "a command cannot have a NUL character in it"
    : command.some((word) => Buffer.byteLength(word) > WORD_BYTES)
      ? `a word of the command is longer than ${WORD_BYTES} bytes`
      : undefined;
  return why === undefined ? undefined : { code: NOT_RUN, output: `not run: ${why}\n`, ms: 0 };
}

/** Kills a process, or a group of them by its negative number; one that is gone is gone. */
export function killProcess(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // Gone already.
  }
}

/** A program's output, kept within bounds while it is read: its beginning and its end, and a note of what lies between. However much
 * comes, no more than about twice the limit is held. */
export class Output {
  readonly #decoder = new StringDecoder("utf8");
  readonly #headLimit: number;
  readonly #tailLimit: number;
  #head = "";
  #tail: string[] = [];
  #tailLength = 0;
  #total = 0;

  constructor(limit: number) {
    this.#headLimit = Math.ceil(limit / 2);
    this.#tailLimit = Math.floor(limit / 2);
  }

  write(chunk: Uint8Array): void {
    this.#add(this.#decoder.write(chunk));
  }

  /** What was kept, once everything has come. */
  end(): string {
    this.#add(this.#decoder.end());
    const rest = this.#tail.join("");
    const tail = this.#tailLimit > 0 ? rest.slice(-this.#tailLimit) : "";
    const left = this.#total - this.#head.length - tail.length;
    const text = left > 0 ? `${this.#head}\n… ${left} characters left out …\n${tail}` : this.#head + tail;
    return text.toWellFormed();
  }

  #add(text: string): void {
    this.#total += text.length;
    const room = this.#headLimit - this.#head.length;
    if (room > 0) this.#head += text.slice(0, room);
    const rest = room > 0 ? text.slice(room) : text;
    if (rest === "") return;
    this.#tail.push(rest);
    this.#tailLength += rest.length;
    while (this.#tail.length > 1 && this.#tailLength - this.#tail[0]!.length >= this.#tailLimit)
      this.#tailLength -= this.#tail.shift()!.length;
  }
}
