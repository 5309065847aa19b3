// Real processes that hold runs: one that lives, and one that is a zombie.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";
import type { ProcessId } from "../../../packages/core/src/record/events.ts";

/** A process that can hold a run. */
export interface Holder {
  id: ProcessId;
  kill(): Promise<void>;
}

const program = join(import.meta.dirname, "holding-process.ts");

/** A live process that could hold a run. */
export async function startHolder(): Promise<Holder> {
  const child = spawn(process.execPath, [program], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => end(child));
  return { id: await readId(child), kill: () => end(child) };
}

/** A process that was killed and that its parent never asks about. */
export async function startZombie(): Promise<Holder> {
  const child = spawn("sh", ["-c", '"$0" "$@" & exec sleep 60', process.execPath, program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const id = await readId(child);
  process.kill(id.pid, "SIGKILL");
  while (!readFileSync(`/proc/${id.pid}/stat`, "utf8").includes(") Z ")) await new Promise(setImmediate);
  return { id, kill: () => end(child) };
}

async function readId(child: ChildProcess): Promise<ProcessId> {
  const [line] = await once(createInterface({ input: child.stdout! }), "line");
  return JSON.parse(line as string) as ProcessId;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, "exit");
  child.kill("SIGKILL");
  await closed;
}
