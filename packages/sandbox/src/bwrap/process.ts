// A running bwrap: what it reports of itself, how all of it is killed, and when nothing of it is left.

import type { ChildProcess } from "node:child_process";
import type { Readable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { InfrastructureError } from "@loopwright/core";
import { type JobProcess, killProcess, Output } from "../job.ts";
import { statOf } from "../proc.ts";
import { descriptors } from "./arguments.ts";

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
