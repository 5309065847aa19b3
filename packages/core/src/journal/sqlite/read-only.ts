// A database that cannot be written: on a read-only mount, on a full disk, or in a folder of somebody else's.
//
// In WAL mode SQLite wants files beside the database. Where nobody has it open there is no log, and it can be read as a file
// that nobody changes. Where a log was left by a process that died, or the tables are older than this program, it is read
// from a copy; that is read-only too, so that nothing is written where it would be lost.

import { copyFileSync, existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { journalError, migrate, type Schema, versionOf } from "./schema.ts";

const MEMORY = "/dev/shm";

type Sqlite = typeof import("node:sqlite");

/** Opens a database file that cannot be written, to read it. */
export function openReadOnly(sqlite: Sqlite, path: string, schema: Schema): DatabaseSync {
  const size = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  const still = new URL(`${pathToFileURL(path).href}?immutable=1`);
  const there = openAs(sqlite, size > 0 ? path : still, schema);
  if (there) return there;
  try {
    return openCopy(sqlite, path, schema, tmpdir());
  } catch (error) {
    // Temporary files often lie on the same disk; where that is full, there is memory.
    const { code } = journalError(error, join(tmpdir(), "copy")) as { code?: string };
    if (code !== "DISK_FULL" || !existsSync(MEMORY)) throw error;
    return openCopy(sqlite, path, schema, MEMORY);
  }
}

/** The database as it is; undefined where it cannot be read so, or its tables are another version's. */
function openAs(sqlite: Sqlite, path: string | URL, schema: Schema): DatabaseSync | undefined {
  const db = new sqlite.DatabaseSync(path, { readOnly: true, timeout: 1000 });
  try {
    if (versionOf(db) === schema.length) return db;
  } catch {
    // A log that cannot be read in place.
  }
  db.close();
  return undefined;
}

function openCopy(sqlite: Sqlite, path: string, schema: Schema, where: string): DatabaseSync {
  const folder = mkdtempSync(join(where, "loopwright-look-"));
  try {
    const copy = join(folder, "journal.db");
    copyFileSync(path, copy);
    if (statSync(`${path}-wal`, { throwIfNoEntry: false })) copyFileSync(`${path}-wal`, `${copy}-wal`);
    const db = new sqlite.DatabaseSync(copy);
    migrate(db, path, schema);
    db.exec("PRAGMA journal_mode = DELETE; PRAGMA query_only = ON");
    return db;
  } finally {
    // What is open can be read on.
    rmSync(folder, { recursive: true, force: true });
  }
}
