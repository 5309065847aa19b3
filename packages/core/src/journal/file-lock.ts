// A lock between processes, as a file that names its holder. A dead process's lock is taken away; a live one's is waited for.

import { randomUUID } from "node:crypto";
import { link, readFile, rename, rm, writeFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { InfrastructureError } from "../errors.ts";
import type { ProcessId } from "../ports.ts";
import { lifeOf, thisProcess } from "./leases.ts";

/** Milliseconds; what is done under the lock takes a few of them. */
const LONGEST_WAIT = 30_000;

/** Does something while no other process, and nothing else in this one, does it under the same lock. */
export async function whileLocked<Result>(
  lock: string,
  act: () => Promise<Result>,
  longestWait = LONGEST_WAIT,
): Promise<Result> {
  const self = thisProcess();
  const draft = `${lock}.${self.opening}`;
  await writeFile(draft, JSON.stringify(self), { flag: "wx" });
  try {
    await takeLock(lock, draft, self, longestWait);
    return await act().finally(() => rm(lock, { force: true }));
  } finally {
    await rm(draft, { force: true });
  }
}

/** A lock appears with its holder already in it, for it is a link to a file that was written before. */
async function takeLock(lock: string, draft: string, self: ProcessId, longestWait: number): Promise<void> {
  const start = performance.now();
  for (let wait = 2; ; wait = Math.min(wait * 2, 100)) {
    try {
      return await link(draft, lock);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    if (await isLeftBehind(lock, self)) await breakLock(lock, self);
    else if (performance.now() - start > longestWait)
      throw new InfrastructureError(
        "CASSETTE_LOCKED",
        `another process has been holding ${lock} for ${longestWait / 1000} seconds; delete it if there is none, then resume the run`,
      );
    else await pause(wait * (0.5 + Math.random()));
  }
}

/** Whether the process that holds a lock is dead. */
async function isLeftBehind(lock: string, self: ProcessId): Promise<boolean> {
  try {
    return lifeOf(JSON.parse(await readFile(lock, "utf8")) as ProcessId, self) === "dead";
  } catch {
    return false;
  }
}

/** Takes a dead process's lock away; one that another process took in the meantime is put back. */
async function breakLock(lock: string, self: ProcessId): Promise<void> {
  const aside = `${lock}.${randomUUID()}`;
  try {
    await rename(lock, aside);
  } catch {
    return;
  }
  if (!(await isLeftBehind(aside, self))) await link(aside, lock).catch(() => {});
  await rm(aside, { force: true });
}
