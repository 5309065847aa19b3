// Files of a folder that may have come from elsewhere: a pipe there would be waited for without end, a device read without
// end, and a link followed to what is none of the folder's.

import { accessSync, constants, existsSync, readFileSync, realpathSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";
import { InfrastructureError, LoopwrightError } from "./errors.ts";
import { sqlite } from "./journal/sqlite/connection.ts";

/** The text of a plain file for people. Throws as Node does, and where it is something else or larger than 4 MiB. */
export function readPlainFile(path: string): string {
  // Looked at before it is opened: opening a device can do something.
  const found = statSync(path);
  if (!found.isFile()) {
    const message = `${path} is no plain file but a folder, a pipe or a device, and is not read`;
    throw new LoopwrightError("FILE_NOT_PLAIN", message);
  }
  if (found.size > 2 ** 22) throw new LoopwrightError("FILE_TOO_LARGE", `${path} is too large to be read`);
  return readFileSync(path, "utf8");
}

/** Whether a path of a folder leads out of it by a link. */
export function leadsOut(folder: string, path: string): boolean {
  const inside = relative(real(folder), real(path));
  return inside === ".." || inside.startsWith(`..${sep}`);
}

function real(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  return dirname(path) === path ? path : join(real(dirname(path)), basename(path));
}

// A lock between processes: SQLite's own lock on a file, which the system gives back when its holder dies.

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
