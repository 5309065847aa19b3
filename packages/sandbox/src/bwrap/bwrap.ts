// The sandbox with bubblewrap: namespaces, a read-only system, the workspace as the only writable folder.
//
// Whoever runs it, a job is uid 1000 in a user namespace of its own, with no capabilities, and its files belong to the
// user as before. Its processes die with bwrap, bwrap with this process, and a job has ended only when all are dead.
// One job at a time has a workspace: what is protected is settled when it starts.

import { type ChildProcess, spawn } from "node:child_process";
import { openSync } from "node:fs";
import type { Readable, Writable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { InfrastructureError } from "@loopwright/core";
import { inputOf, type JobProcess, killProcess, Output, runJob } from "../job.ts";
import { findGroups, makeGroup, type ProcessGroup } from "../limits/cgroup.ts";
import { kernelLimits, limitsToScript } from "../limits/limits.ts";
import { statOf } from "../proc.ts";
import type { Sandbox, SandboxJob, SandboxOutcome } from "../types.ts";
import { bwrapArguments, descriptors, etcFiles, findSystem, type Surroundings } from "./arguments.ts";
import { coverDescriptors, inheritedDescriptors, makeDevices } from "./host.ts";

export class BwrapSandbox implements Sandbox {
  readonly kind = "bwrap";
  /** Whether the kernel counts a job's processes apart from the user's others. */
  countsProcesses = true;
  readonly #program: string;
  readonly #readOnly: readonly string[];
  readonly #surroundings: Surroundings;
  readonly #inherited = inheritedDescriptors();
  readonly #nothing = openSync("/dev/null", "r");
  readonly #groups = findGroups();

  private constructor(program: string, readOnly: readonly string[], surroundings: Surroundings) {
    this.#program = program;
    this.#readOnly = readOnly;
    this.#surroundings = surroundings;
  }

  /** Gets ready what all jobs share. Relative paths are the workspace's, absolute ones are folders of the machine. */
  static async open(program: string, readOnly: readonly string[]): Promise<BwrapSandbox> {
    const system = await findSystem(readOnly.filter((path) => path.startsWith("/")));
    const paths = readOnly.filter((path) => !path.startsWith("/"));
    return new BwrapSandbox(program, paths, { system, devices: makeDevices() });
  }

  run(job: SandboxJob): Promise<SandboxOutcome> {
    return runJob(job, this.#readOnly, (workspace, protection) => {
      const args = bwrapArguments(job, workspace, protection, this.#surroundings);
      const group = makeGroup(this.#groups, kernelLimits(job.limits));
      return { ...followBwrap(this.#start(job, args, group)), group };
    });
  }

  #start(job: SandboxJob, args: readonly string[], group: ProcessGroup): ChildProcess {
    const script = limitsToScript(job.limits, { countsProcesses: this.countsProcesses });
    // Arguments and environment of bwrap itself can be read from inside: they hold nothing but the command.
    const command = ["--args", String(descriptors.arguments), "--", "/bin/sh", "-c", script, "sh", ...job.command];
    const own = ["pipe", "pipe", "pipe", "pipe", "pipe"] as const;
    const stdio = coverDescriptors([inputOf(job), "pipe", "pipe", ...own], this.#inherited, this.#nothing);
    const child = spawn(this.#program, command, { stdio, env: {}, cwd: "/" });
    // It starts nothing before it has read its arguments.
    if (child.pid !== undefined) group.add(child.pid);
    for (const [name, text] of Object.entries({ ...etcFiles, arguments: `${args.join("\0")}\0` })) {
      const pipe = child.stdio[descriptors[name as keyof typeof descriptors]] as Writable | null;
      pipe?.on("error", () => {});
      pipe?.end(text);
    }
    return child;
  }
}

const DEATH_LIMIT_MS = 10_000;
const START_LIMIT_MS = 2_000;
const OWN_OUTPUT_CHARS = 2_000;
/** Which field of a process's state says when it began. */
const START = 19;

/** The first process inside: with it the kernel kills every other one of its namespace. */
interface Init {
  pid: number;
  startTime: string | undefined;
}

/** Follows a bwrap that was just started. */
export function followBwrap(child: ChildProcess): JobProcess {
  let init: Init | undefined;
  let code: number | null = null;
  let hasEnded = false;
  let isDoomed = false;
  const own = new Output(OWN_OUTPUT_CHARS);
  child.stderr!.on("data", (chunk: Uint8Array) => own.write(chunk));

  const kill = () => {
    isDoomed = true;
    // Before the first process inside is known, killing bwrap might leave it without a parent to die with.
    if (!init) return void setTimeout(() => child.kill("SIGKILL"), START_LIMIT_MS).unref();
    if (isAlive(init)) killProcess(init.pid);
    child.kill("SIGKILL");
  };

  let text = "";
  const status = child.stdio[descriptors.status] as Readable | null;
  status?.on("data", (chunk: Uint8Array) => {
    text += Buffer.from(chunk).toString("latin1");
    const pid = Number(text.match(/"child-pid": (\d+)/)?.[1] ?? 0);
    if (!init && pid > 0) init = { pid, startTime: statOf(pid)[START] };
    const exit = text.match(/"exit-code": (\d+)/)?.[1];
    if (exit !== undefined) [code, hasEnded] = [Number(exit), true];
    if (isDoomed) kill();
  });

  const closed = new Promise<void>((resolve, reject) => {
    child.once("error", (cause) =>
      reject(new InfrastructureError("SANDBOX_FAILED", `the sandbox did not start: ${cause.message}`, { cause })),
    );
    child.once("close", () => resolve());
  });
  const gone = async () => {
    const exited = new Promise((resolve) => child.once("exit", resolve));
    await Promise.race([exited, closed]);
    await untilDead(init);
    await closed;
    if (!hasEnded && !isDoomed)
      throw new InfrastructureError("SANDBOX_FAILED", `the sandbox did not start: ${own.end().trim()}`);
    return code;
  };
  return { child, root: () => init?.pid, kill, gone };
}

async function untilDead(init: Init | undefined): Promise<void> {
  const until = performance.now() + DEATH_LIMIT_MS;
  while (init && isAlive(init)) {
    if (performance.now() > until)
      throw new InfrastructureError("SANDBOX_FAILED", `the job's process ${init.pid} does not die`);
    killProcess(init.pid);
    await wait(1);
  }
}

/** Whether it is still that process. A namespace's first process is a zombie only when all others are gone. */
function isAlive({ pid, startTime }: Init): boolean {
  const stat = statOf(pid);
  return stat[START] === startTime && startTime !== undefined && stat[0] !== "Z" && stat[0] !== "X";
}
