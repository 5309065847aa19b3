// A lock between processes: SQLite's own lock on a file, which the system gives back when its holder dies.

import { accessSync, constants, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";
import { InfrastructureError } from "../errors.ts";
import { sqlite } from "./sqlite/connection.ts";

/** Does something while no other process, and nothing else in this one, does it under the same lock. */
export async function whileLocked<T>(lock: string, act: () => Promise<T>, longestWait = 30_000): Promise<T> {
  const start = performance.now();
  for (let wait = 2; ; wait = Math.min(wait * 2, 100)) {
    using held = takeLock(lock);
    if (held) return await act().finally(() => rmSync(lock, { force: true }));
    if (performance.now() - start > longestWait) {
      const message = `another process has been holding ${lock} for ${longestWait / 1000} seconds; see which it is, then resume the run`;
      throw new InfrastructureError("CASSETTE_LOCKED", message);
    }
    await pause(wait * (0.5 + Math.random()));
  }
}

/** The lock, where it is free. The file must be the same before and after: whoever held it takes it away. */
function takeLock(lock: string): DatabaseSync | undefined {
  // Says why a folder cannot be written to, which SQLite does not.
  accessSync(dirname(lock), constants.W_OK);
  const before = statSync(lock, { throwIfNoEntry: false })?.ino;
  const db = new (sqlite().DatabaseSync)(lock, { timeout: 0 });
  try {
    db.exec("BEGIN EXCLUSIVE");
    if (before !== undefined && statSync(lock, { throwIfNoEntry: false })?.ino === before) return db;
    db.close();
    return undefined;
  } catch (error) {
    db.close();
    // It is held, or was taken away as it was opened, which SQLite calls an I/O error.
    if ((error as { errcode?: number }).errcode !== undefined) return undefined;
    throw error;
  }
}
