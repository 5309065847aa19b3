// A database file: statements prepared once, one transaction at a time, a busy database waited for without blocking the event
// loop, tables that have a version, and what SQLite's errors mean to a person.

import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from "node:sqlite";
import { LoopwrightError } from "../../errors.ts";

const BUSY_LIMIT_MS = 30_000;

/** The tables of a database, and their version: a database of another version is refused. */
export interface Schema {
  version: number;
  tables: string;
}

/** A SQLite file that several processes write to, for packages that keep something of their own. */
export class SqliteConnection {
  readonly #path: string;
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  private constructor(path: string, db: DatabaseSync) {
    this.#path = path;
    this.#db = db;
  }

  /** Opens a file, and makes it and its tables where there are none; for a look alone also where it cannot be written. */
  static async open(path: string, schema: Schema, { isLook = false } = {}): Promise<SqliteConnection> {
    let db: DatabaseSync | undefined;
    try {
      mkdirSync(dirname(path), { recursive: true });
      db = new (sqlite().DatabaseSync)(path, { timeout: 0 });
      const connection = new SqliteConnection(path, db);
      await connection.#patiently(() => prepareTables(connection.#db, path, schema));
      return connection;
    } catch (error) {
      db?.close();
      const fault = journalError(error, path) as { code?: string };
      if (!isLook || !["JOURNAL_READ_ONLY", "DISK_FULL"].includes(fault.code ?? "")) throw fault;
      return new SqliteConnection(path, openReadOnly(path, schema));
    }
  }

  static inMemory(schema: Schema): SqliteConnection {
    const db = new (sqlite().DatabaseSync)(":memory:");
    prepareTables(db, ":memory:", schema);
    return new SqliteConnection(":memory:", db);
  }

  prepare(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known) return known;
    const statement = this.#db.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  get(sql: string, ...values: SQLInputValue[]): Record<string, SQLOutputValue> | undefined {
    return this.read(() => this.prepare(sql).get(...values));
  }

  all(sql: string, ...values: SQLInputValue[]): Record<string, SQLOutputValue>[] {
    return this.read(() => this.prepare(sql).all(...values));
  }

  /** How many rows it has changed. Part of a transaction. */
  run(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.prepare(sql).run(...values).changes);
  }

  read<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw journalError(error, this.#path);
    }
  }

  /** One transaction. The work is synchronous, so that nothing else of this process comes between. */
  write<T>(work: () => T): Promise<T> {
    return this.#patiently(() => {
      this.prepare("BEGIN IMMEDIATE").run();
      try {
        const result = work();
        this.prepare("COMMIT").run();
        return result;
      } catch (error) {
        if (this.#db.isTransaction) this.#db.exec("ROLLBACK");
        throw error;
      }
    });
  }

  /** Gives the space of what was deleted back to the disk. */
  compact(): Promise<void> {
    return this.#patiently(() => this.#db.exec("VACUUM; PRAGMA wal_checkpoint(TRUNCATE)"));
  }

  close(): void {
    if (this.#db.isOpen) this.#db.close();
  }

  /** Tries again while another process is writing. */
  async #patiently<T>(work: () => T): Promise<T> {
    const until = performance.now() + BUSY_LIMIT_MS;
    for (let round = 1; ; round++) {
      try {
        return work();
      } catch (error) {
        if (!isBusy(error) || performance.now() > until) throw journalError(error, this.#path);
      }
      await new Promise((resolve) => setTimeout(resolve, 1 + Math.random() * Math.min(round, 8)));
    }
  }
}

/** Loaded when a database is first opened, so that help stays quick. */
export function sqlite(): typeof import("node:sqlite") {
  return process.getBuiltinModule("node:sqlite");
}

/** A database that cannot be written: on a read-only mount, on a full disk, or in a folder of somebody else's. In WAL mode
 * SQLite wants files beside it; where it cannot have them, a copy is looked at. */
function openReadOnly(path: string, schema: Schema): DatabaseSync {
  const { DatabaseSync } = sqlite();
  try {
    const db = new DatabaseSync(path, { readOnly: true, timeout: 1000 });
    refuseOther(db, path, schema);
    return db;
  } catch {
    // Temporary files often lie on the same disk, which may be full.
    const folder = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "loopwright-look-"));
    try {
      const copy = join(folder, "copy.db");
      for (const end of ["", "-wal"]) if (existsSync(path + end)) copyFileSync(path + end, copy + end);
      const db = new DatabaseSync(copy);
      refuseOther(db, path, schema);
      db.exec("PRAGMA journal_mode = DELETE; PRAGMA query_only = ON");
      return db;
    } catch (error) {
      throw journalError(error, path);
    } finally {
      // What is open can be read on.
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

/** Makes the tables of a new database; refuses one of another version. */
function prepareTables(db: DatabaseSync, path: string, schema: Schema): void {
  refuseOther(db, path, schema);
  db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -16000");
  if (versionOf(db) === schema.version) return;
  // Whoever fails in it closes the database, and with it this.
  db.exec("BEGIN IMMEDIATE");
  refuseOther(db, path, schema);
  if (versionOf(db) === 0) {
    db.exec(`${schema.tables} CREATE TABLE made_by (version TEXT NOT NULL)`);
    db.prepare("INSERT INTO made_by VALUES (?)").run(ownVersion());
  }
  db.exec(`PRAGMA user_version = ${schema.version}; COMMIT`);
}

/** Refuses a database of another version, and says which program made it. */
function refuseOther(db: DatabaseSync, path: string, schema: Schema): void {
  const version = versionOf(db);
  if (version === schema.version || version === 0) return;
  const by = db.prepare("SELECT version FROM made_by").get()?.version;
  const message = `${path} was made by Loopwright ${by} (tables ${version}), and this is Loopwright ${ownVersion()} (tables ${schema.version}). Use the version that made it, or move it away to begin anew.`;
  throw new LoopwrightError("JOURNAL_VERSION", message);
}

function ownVersion(): string {
  return JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8")).version;
}

function versionOf(db: DatabaseSync): number {
  return db.prepare("PRAGMA user_version").get()!.user_version as number;
}

/** Whether another process is writing just now. */
function isBusy(error: unknown): boolean {
  const code = codeOf(error);
  return code === 5 || code === 6;
}

/** SQLite's error, or the file system's, as one of ours: what happened, to which file, and what to do. */
export function journalError(error: unknown, path: string): unknown {
  if (error instanceof LoopwrightError) return error;
  const cause = error as NodeJS.ErrnoException;
  const code = codeOf(error);
  const isRefused = ["EACCES", "EROFS", "EPERM"].includes(cause.code ?? "") || code === 8 || code === 14;
  const ours = (name: string, message: string) => new LoopwrightError(name, message, { cause });
  // SQLite also says "cannot open" or "I/O error" where there is no room left.
  if (cause.code === "ENOSPC" || code === 13 || ((isRefused || code === 10) && isDiskFull(path))) {
    const what = `the disk is full, so ${path} could not be written; what was stored before is safe`;
    return ours("DISK_FULL", `${what}. Free some space, then resume.`);
  }
  if (isRefused)
    return ours("JOURNAL_READ_ONLY", `${path} cannot be written; check the folder's permissions and who owns it`);
  if (isBusy(error))
    return ours("JOURNAL_BUSY", `${path} was busy for 30 s; see which process holds it, then try again`);
  if (code === 1 || code === 11 || code === 26) {
    const what = `${path} is damaged (${cause.message}). It was left as it is`;
    return ours("JOURNAL_DAMAGED", `${what}: copy it aside before anything else, then restore a backup.`);
  }
  return code === undefined ? error : ours("JOURNAL_FAULT", `${path}: ${cause.message}`);
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
