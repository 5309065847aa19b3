// The tables of a database, their version, and what SQLite's errors mean to a person.

import { readFileSync, statfsSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import zlib from "node:zlib";
import { LoopwrightError } from "../../errors.ts";

/** An event's id is its run's number times this, plus its sequence number: one index, and a run's rows lie together. */
export const ROW_SPAN = 2 ** 32;

/** The tables of a database, and their version: a database of another version is refused. */
export interface Schema {
  version: number;
  tables: string;
}

/** The tables of the journal. */
export const journalSchema: Schema = {
  version: 5,
  tables: `
   CREATE TABLE runs (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
   CREATE TABLE events (id INTEGER PRIMARY KEY, body TEXT NOT NULL, link BLOB NOT NULL);
   CREATE TABLE blobs (id INTEGER PRIMARY KEY, digest BLOB NOT NULL UNIQUE, bytes BLOB);
   CREATE TABLE released_files (digest BLOB PRIMARY KEY) WITHOUT ROWID;
   CREATE TABLE leases (run INTEGER PRIMARY KEY, token INTEGER NOT NULL, holder TEXT, beat INTEGER NOT NULL, active INTEGER NOT NULL);
   CREATE TABLE signals (run INTEGER NOT NULL, id TEXT NOT NULL, at INTEGER NOT NULL, body TEXT NOT NULL, taken INTEGER NOT NULL, UNIQUE (run, id));
   CREATE TABLE folds (run INTEGER PRIMARY KEY, seq INTEGER NOT NULL, link BLOB NOT NULL, body BLOB NOT NULL, summary TEXT NOT NULL);
   CREATE TABLE outbox (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, run TEXT NOT NULL, at INTEGER NOT NULL, way TEXT NOT NULL, body TEXT NOT NULL,
     tries INTEGER NOT NULL, due INTEGER NOT NULL);`,
};

/** Makes the tables of a new database; refuses one of another version. */
export function prepareTables(db: DatabaseSync, path: string, schema: Schema): void {
  refuseOther(db, path, schema);
  db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -16000");
  if (versionOf(db) === schema.version) return;
  db.exec("BEGIN IMMEDIATE");
  try {
    refuseOther(db, path, schema);
    if (versionOf(db) === 0) {
      db.exec(`${schema.tables} CREATE TABLE made_by (version TEXT NOT NULL)`);
      db.prepare("INSERT INTO made_by VALUES (?)").run(ownVersion());
    }
    db.exec(`PRAGMA user_version = ${schema.version}; COMMIT`);
  } catch (error) {
    if (db.isTransaction) db.exec("ROLLBACK");
    throw error;
  }
}

/** Refuses a database of another version, and says which program made it. */
export function refuseOther(db: DatabaseSync, path: string, schema: Schema): void {
  const version = versionOf(db);
  if (version === schema.version || version === 0) return;
  const by = makerOf(db) ?? "a version of Loopwright before 0.2.0";
  const message = `${path} was made by ${by} (tables ${version}), and this is Loopwright ${ownVersion()} (tables ${schema.version}). Use the version that made it, or move it away to begin anew.`;
  throw new LoopwrightError("JOURNAL_VERSION", message);
}

function makerOf(db: DatabaseSync): string | undefined {
  const isNamed = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'made_by'").get();
  return isNamed && `Loopwright ${String(db.prepare("SELECT version FROM made_by").get()?.version)}`;
}

function ownVersion(): string {
  return JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8")).version;
}

function versionOf(db: DatabaseSync): number {
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
  // SQLite also says "cannot open" or "I/O error" where there is no room left.
  if (cause.code === "ENOSPC" || code === 13 || ((isRefused || code === 10) && isDiskFull(path)))
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
  if (isBusy(error))
    return new LoopwrightError(
      "JOURNAL_BUSY",
      `${path} was busy for 30 s; see which process holds it, then try again`,
      { cause },
    );
  if (code === 1 || code === 11 || code === 26)
    return new LoopwrightError(
      "JOURNAL_DAMAGED",
      `${path} is damaged (${cause.message}). It was left as it is: copy it aside before anything else, then restore a backup.`,
      { cause },
    );
  return code === undefined ? error : new LoopwrightError("JOURNAL_FAULT", `${path}: ${cause.message}`, { cause });
}

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
