// One job's processes from start to end: its output read within bounds, its limits watched, and all of it gone afterwards.

import type { ChildProcess } from "node:child_process";
import type { ProcessGroup } from "./limits/cgroup.ts";
import { codeToStop, type StopKind, stopWords } from "./limits/limits.ts";
import { watchJob } from "./limits/watch.ts";
import { Output } from "./output.ts";
import type { JobChannel, SandboxJob, SandboxOutcome } from "./types.ts";

/** A job that is talked with lives long, and looking at it costs: it is looked at less often. */
const TALKING_INTERVAL_MS = 100;

/** A job's processes, however they were started. */
export interface JobProcess {
  child: ChildProcess;
  /** The process that all others descend from, once it is known. */
  root(): number | undefined;
  /** Kills everything at once. */
  kill(): void;
  /** Settles when no process of the job is left, with the program's exit code. */
  gone(): Promise<number | null>;
}

/** Waits for a job's end, or brings it about; rejects with the signal's reason where it was aborted. */
export async function superviseJob(
  { child, root, kill, gone }: JobProcess,
  job: SandboxJob,
  group?: Pick<ProcessGroup, "isOutOfMemory">,
): Promise<SandboxOutcome> {
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
export function inputOf({ stdin, channel }: SandboxJob): "ignore" | "pipe" {
  return stdin === undefined && channel === undefined ? "ignore" : "pipe";
}

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
export function refuseCommand(command: readonly string[]): SandboxOutcome | undefined {
  const why = command.some((word) => word.includes("\0"))
    ? "a command cannot have a NUL character in it"
    : command.some((word) => Buffer.byteLength(word) > WORD_BYTES)
      ? `a word of the command is longer than ${WORD_BYTES} bytes`
      : undefined;
  return why === undefined ? undefined : { code: NOT_RUN, output: `not run: ${why}\n`, ms: 0 };
}
