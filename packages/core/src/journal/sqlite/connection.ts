// A connection to a database file: statements prepared once, one transaction at a time, and a busy database waited for without
// blocking the event loop.

import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { isBusy, journalError, migrate, type Schema } from "./schema.ts";

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

  /** Opens a file, makes it where there is none, and brings it to a schema. */
  static async open(path: string, schema: Schema): Promise<SqliteConnection> {
    let db: DatabaseSync | undefined;
    try {
      const sqlite = await import("node:sqlite");
      mkdirSync(dirname(path), { recursive: true });
      db = new sqlite.DatabaseSync(path, { timeout: 0 });
      const connection = new SqliteConnection(path, db);
      await connection.#patiently(() => migrate(connection.#db, path, schema));
      return connection;
    } catch (error) {
      db?.close();
      throw journalError(error, path);
    }
  }

  /** Opens a file for looking alone: where it cannot be written, it is read as it is. */
  static async openToLook(path: string, schema: Schema): Promise<SqliteConnection> {
    try {
      return await SqliteConnection.open(path, schema);
    } catch (error) {
      if (!["JOURNAL_READ_ONLY", "DISK_FULL"].includes((error as { code?: string }).code ?? "")) throw error;
      const sqlite = await import("node:sqlite");
      const { openReadOnly } = await import("./read-only.ts");
      try {
        return new SqliteConnection(path, openReadOnly(sqlite, path, schema));
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
