// The sandbox with bubblewrap: namespaces, a read-only system, the workspace as the only writable folder.
//
// Whoever runs it, a job is uid 1000 in a user namespace of its own, with no capabilities, and its files belong to the
// user as before. Its processes die with bwrap, bwrap with this process, and a job has ended only when all are dead.
// One job at a time has a workspace: what is protected is settled when it starts.

import { type ChildProcess, spawn } from "node:child_process";
import { openSync } from "node:fs";
import type { Writable } from "node:stream";
import { inputOf, runJob } from "../job.ts";
import { findGroups, makeGroup, type ProcessGroup } from "../limits/cgroup.ts";
import { kernelLimits, limitsToScript } from "../limits/limits.ts";
import type { Sandbox, SandboxJob, SandboxOutcome } from "../types.ts";
import { bwrapArguments, descriptors, etcFiles, type Surroundings } from "./arguments.ts";
import { coverDescriptors, inheritedDescriptors, makeDevices } from "./host.ts";
import { followBwrap } from "./process.ts";
import { findSystem } from "./system.ts";

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
