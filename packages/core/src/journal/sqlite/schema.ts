// The tables of a database, their version, and what SQLite's errors mean to a person.

import { statfsSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import zlib from "node:zlib";
import { LoopwrightError } from "../../errors.ts";

/** An event's id is its run's number times this, plus its sequence number: one index, and a run's rows lie together. */
export const ROW_SPAN = 2 ** 32;

/** The tables of a database: each step brings them from its index to the next version. Steps are only ever added. */
export type Schema = readonly string[];

/** The tables of the journal. */
export const journalSchema: Schema = [
  `CREATE TABLE runs (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
   CREATE TABLE events (id INTEGER PRIMARY KEY, body TEXT NOT NULL, link BLOB NOT NULL);
   CREATE TABLE blobs (id INTEGER PRIMARY KEY, digest BLOB NOT NULL UNIQUE, bytes BLOB);
   CREATE TABLE released_files (digest BLOB PRIMARY KEY) WITHOUT ROWID;
   CREATE TABLE leases (run INTEGER PRIMARY KEY, token INTEGER NOT NULL, holder TEXT, beat INTEGER NOT NULL, active INTEGER NOT NULL);
   CREATE TABLE signals (run INTEGER NOT NULL, id TEXT NOT NULL, at INTEGER NOT NULL, body TEXT NOT NULL, taken INTEGER NOT NULL, UNIQUE (run, id));
   CREATE TABLE folds (run INTEGER PRIMARY KEY, seq INTEGER NOT NULL, link BLOB NOT NULL, body BLOB NOT NULL);`,
  "ALTER TABLE folds ADD COLUMN summary TEXT;",
  "-- The chain covers the run: an older program would take it for damaged. The tables are the same.",
  `CREATE TABLE outbox (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, run TEXT NOT NULL, at INTEGER NOT NULL, way TEXT NOT NULL, body TEXT NOT NULL,
     seal TEXT NOT NULL, state TEXT NOT NULL, tries INTEGER NOT NULL, due INTEGER NOT NULL, error TEXT, holder TEXT, held_until INTEGER NOT NULL);
   CREATE INDEX waiting ON outbox (number) WHERE state = 'waiting';`,
];

/** Brings a database to the current schema; refuses one that a newer program has made. */
export function migrate(db: DatabaseSync, path: string, schema: Schema): void {
  refuseNewer(db, path, schema);
  db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -16000");
  if (versionOf(db) === schema.length) return;
  db.exec("BEGIN IMMEDIATE");
  try {
    refuseNewer(db, path, schema);
    for (const step of schema.slice(versionOf(db))) db.exec(step);
    db.exec(`PRAGMA user_version = ${schema.length}; COMMIT`);
  } catch (error) {
    if (db.isTransaction) db.exec("ROLLBACK");
    throw error;
  }
}

function refuseNewer(db: DatabaseSync, path: string, schema: Schema): void {
  const version = versionOf(db);
  if (version <= schema.length) return;
  const message = `${path} was made by a newer Loopwright (schema ${version}; this one knows ${schema.length}). Update Loopwright to open it.`;
  throw new LoopwrightError("JOURNAL_NEWER", message);
}

/** The version of a database's tables. */
export function versionOf(db: DatabaseSync): number {
  return db.prepare("PRAGMA user_version").get()!.user_version as number;
}

/** zstd at level 1: the journal is written far more often than it is read. */
export function compress(text: string): Uint8Array {
  // A buffer of the text's own size: the default one costs more than compressing a short text does.
  const chunkSize = Math.max(1024, text.length);
  const params = { [zlib.constants.ZSTD_c_compressionLevel]: 1, [zlib.constants.ZSTD_c_checksumFlag]: 1 };
  return zlib.zstdCompressSync(text, { chunkSize, params });
}

/** Whether another process is writing just now. */
export function isBusy(error: unknown): boolean {
  const code = codeOf(error);
  return code === 5 || code === 6;
}

/** SQLite's error, or the file system's, as one of ours: what happened, to which file, and what to do. */
export function journalError(error: unknown, path: string): unknown {
  if (error instanceof LoopwrightError) return error;
  const cause = error as NodeJS.ErrnoException;
  const code = codeOf(error);
  const isRefused = ["EACCES", "EROFS", "EPERM"].includes(cause.code ?? "") || code === 8 || code === 14;
  const isFull = cause.code === "ENOSPC" || code === 13 || ((isRefused || code === 10) && isDiskFull(path));
  if (isFull)
    return new LoopwrightError(
      "DISK_FULL",
      `the disk is full, so ${path} could not be written; what was stored before is safe. Free some space, then resume.`,
      { cause },
    );
  if (isRefused)
    return new LoopwrightError(
      "JOURNAL_READ_ONLY",
      `${path} cannot be written; check the folder's permissions and who owns it`,
      { cause },
    );
  if (code === 5 || code === 6)
    return new LoopwrightError(
      "JOURNAL_BUSY",
      `${path} was busy for 30 s; see which process holds it, then try again`,
      { cause },
    );
  if (code === 1 || code === 11 || code === 26) {
    const message = `${path} is damaged (${cause.message}). It was left as it is: copy it aside before anything else, then restore a backup.`;
    return new LoopwrightError("JOURNAL_DAMAGED", message, { cause });
  }
  return code === undefined ? error : new LoopwrightError("JOURNAL_FAULT", `${path}: ${cause.message}`, { cause });
}

/** Whether there is no room left where a file lies; SQLite says "cannot open" or "I/O error" then. */
function isDiskFull(path: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(dirname(path));
    return bavail * bsize < 64 * 1024;
  } catch {
    return false;
  }
}

function codeOf(error: unknown): number | undefined {
  const code = (error as { errcode?: number }).errcode;
  return code === undefined ? undefined : code & 0xff;
}
