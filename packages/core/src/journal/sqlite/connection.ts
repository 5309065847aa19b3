// A connection to a database file: statements prepared once, one transaction at a time, and a busy database waited for without
// blocking the event loop.

import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { isBusy, journalError, prepareTables, refuseOther, type Schema } from "./schema.ts";

const BUSY_LIMIT_MS = 30_000;

/** A SQLite file that several processes write to, for packages that keep something of their own. */
export class SqliteConnection {
  readonly #path: string;
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  private constructor(path: string, db: DatabaseSync) {
    this.#path = path;
    this.#db = db;
  }

  /** Opens a file, and makes it and its tables where there are none. */
  static async open(path: string, schema: Schema): Promise<SqliteConnection> {
    let db: DatabaseSync | undefined;
    try {
      mkdirSync(dirname(path), { recursive: true });
      db = new (sqlite().DatabaseSync)(path, { timeout: 0 });
      const connection = new SqliteConnection(path, db);
      await connection.#patiently(() => prepareTables(connection.#db, path, schema));
      return connection;
    } catch (error) {
      db?.close();
      throw journalError(error, path);
    }
  }

  /** A database in memory. */
  static inMemory(schema: Schema): SqliteConnection {
    const db = new (sqlite().DatabaseSync)(":memory:");
    prepareTables(db, ":memory:", schema);
    return new SqliteConnection(":memory:", db);
  }

  /** Opens a file for looking alone: where it cannot be written, it is read as it is. */
  static async openToLook(path: string, schema: Schema): Promise<SqliteConnection> {
    try {
      return await SqliteConnection.open(path, schema);
    } catch (error) {
      if (!["JOURNAL_READ_ONLY", "DISK_FULL"].includes((error as { code?: string }).code ?? "")) throw error;
      try {
        return new SqliteConnection(path, openReadOnly(path, schema));
      } catch (cause) {
        throw journalError(cause, path);
      }
    }
  }

  prepare(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known) return known;
    const statement = this.#db.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
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
function sqlite(): typeof import("node:sqlite") {
  return process.getBuiltinModule("node:sqlite");
}

/** A database that cannot be written: on a read-only mount, on a full disk, or in a folder of somebody else's. In WAL mode
 * SQLite wants files beside it. Where there is no log, it is read as a file that nobody changes; else it may be from a copy. */
function openReadOnly(path: string, schema: Schema): DatabaseSync {
  const hasLog = (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
  const still = new URL(`${pathToFileURL(path).href}?immutable=1`);
  const db = new (sqlite().DatabaseSync)(hasLog ? path : still, { readOnly: true, timeout: 1000 });
  try {
    refuseOther(db, path, schema);
    return db;
  } catch (error) {
    db.close();
    if (!hasLog) throw error;
    return openCopy(path, schema);
  }
}

function openCopy(path: string, schema: Schema): DatabaseSync {
  // Temporary files often lie on the same disk, which may be full.
  const folder = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "loopwright-look-"));
  try {
    const copy = join(folder, "journal.db");
    for (const end of ["", "-wal"]) copyFileSync(path + end, copy + end);
    const db = new (sqlite().DatabaseSync)(copy);
    refuseOther(db, path, schema);
    db.exec("PRAGMA journal_mode = DELETE; PRAGMA query_only = ON");
    return db;
  } finally {
    // What is open can be read on.
    rmSync(folder, { recursive: true, force: true });
  }
}
