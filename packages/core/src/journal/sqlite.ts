// The journal on node:sqlite: one file per project, WAL, every commit on disk before it counts.

import zlib from "node:zlib";
import type {
  BlobState,
  Commit,
  Journal,
  KeptFold,
  KeptSummary,
  Lease,
  Message,
  Outbox,
  ProcessId,
  ReleaseOptions,
  Row,
  Signal,
  SignalBody,
} from "../ports.ts";
import { runNotFound } from "../record/load.ts";
import { held, isSame, type LeaseRow, lifeOf, lost, waitUntilFree } from "./leases.ts";
import { findBlob, isFileReleased, packBlobs, putBlobs, regainFiles, releaseContents } from "./sqlite/blobs.ts";
import { type Schema, SqliteConnection } from "./sqlite/connection.ts";

/** An event's id is its run's number times this, plus its sequence number: one index, and a run's rows lie together. */
export const ROW_SPAN = 2 ** 32;

/** The tables of the journal. */
export const journalSchema: Schema = {
  version: 6,
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

interface SqliteOptions {
  /** Milliseconds after which a holder elsewhere counts as dead. */
  silence?: number;
  isLook?: boolean;
}

/** The journal of a project: one SQLite file, many processes. */
export class SqliteJournal implements Journal {
  readonly #db: SqliteConnection;
  readonly #silence: number | undefined;
  readonly #numbers = new Map<string, number>();
  readonly outbox: SqliteOutbox;

  private constructor(db: SqliteConnection, { silence }: SqliteOptions) {
    this.#db = db;
    this.outbox = new SqliteOutbox(db);
    this.#silence = silence;
  }

  /** Opens the journal of a project, and makes it where there is none; for a look alone also where it cannot be written. */
  static async open(path: string, { isLook = false, ...options }: SqliteOptions = {}): Promise<SqliteJournal> {
    return new SqliteJournal(await SqliteConnection.open(path, journalSchema, { isLook }), options);
  }

  /** A journal in memory, for what need not outlive its process. */
  static inMemory(options: SqliteOptions = {}): SqliteJournal {
    return new SqliteJournal(SqliteConnection.inMemory(journalSchema), options);
  }

  create(run: string, holder: ProcessId, commit: Commit): Promise<Lease | false> {
    return this.#store(commit, () => {
      const row = this.#db
        .prepare("INSERT INTO runs (name) VALUES (?) ON CONFLICT DO NOTHING RETURNING number")
        .get(run);
      if (!row) return false;
      const sql = "INSERT INTO leases (run, token, holder, beat, active) VALUES (?, 1, ?, 0, 0)";
      this.#db.prepare(sql).run(row.number as number, JSON.stringify(holder));
      const lease = { run, token: 1, active: 0 };
      this.#insert(row.number as number, lease, commit);
      return lease;
    });
  }

  append(lease: Lease, commit: Commit): Promise<Signal[]> {
    return this.#store(commit, () => {
      const number = this.#number(lease.run);
      if (number === undefined) throw lost(lease.run);
      this.#insert(number, lease, commit);
      return this.#signals(number);
    });
  }

  /** One transaction, with the commit's blobs. */
  async #store<T>({ blobs }: Commit, work: () => T): Promise<T> {
    const packed = packBlobs(blobs);
    return this.#db.write(() => {
      const done = work();
      if (done !== false) putBlobs(this.#db, packed);
      return done;
    });
  }

  /** Writes rows under their lease: where its token is no longer the run's, none is written (L4). */
  #insert(number: number, lease: Lease, { rows, files = [], taken = [], messages = [], fold }: Commit): void {
    const sql = "INSERT INTO events (id, body, link) SELECT ?, ?, ? FROM leases WHERE run = ? AND token = ?";
    const insert = this.#db.prepare(sql);
    for (const { seq, body, link } of rows) {
      const { changes } = insert.run(number * ROW_SPAN + seq, body, Buffer.from(link, "hex"), number, lease.token);
      if (Number(changes) === 0) throw lost(lease.run);
    }
    regainFiles(this.#db, files);
    for (const id of taken) this.#db.prepare("UPDATE signals SET taken = 1 WHERE run = ? AND id = ?").run(number, id);
    this.outbox.put(messages);
    if (fold) this.#keep(number, fold);
  }

  #keep(number: number, { seq, link, body, summary }: KeptFold): void {
    const sql = "INSERT OR REPLACE INTO folds (run, seq, link, body, summary) VALUES (?, ?, ?, ?, ?)";
    this.#db.prepare(sql).run(number, seq, Buffer.from(link, "hex"), packFold(body), summary);
  }

  async read(run: string, after = 0): Promise<Row[]> {
    const number = this.#number(run);
    if (number === undefined) return [];
    return this.#db.read(() => {
      const rows = this.#db.prepare("SELECT id, body, link FROM events WHERE id > ? AND id < ? ORDER BY id");
      return rows.all(number * ROW_SPAN + after, (number + 1) * ROW_SPAN).map(rowOf);
    });
  }

  async fold(run: string): Promise<KeptFold | undefined> {
    return this.#db.read(() => {
      const row = this.#db
        .prepare("SELECT seq, link, body, summary FROM folds WHERE run = ?")
        .get(this.#number(run) ?? null);
      if (!row) return undefined;
      const { seq, link, body, summary } = row;
      return { seq: seq as number, link: hex(link), body: unpackFold(body), summary: String(summary) };
    });
  }

  async dropFold(run: string): Promise<void> {
    await this.#db.write(() => this.#db.prepare("DELETE FROM folds WHERE run = ?").run(this.#number(run) ?? null));
  }

  async runs(prefix = ""): Promise<string[]> {
    return this.#db.read(() => {
      const rows = this.#db
        .prepare("SELECT name FROM runs WHERE substr(name, 1, length(?1)) = ?1 ORDER BY number")
        .all(prefix);
      return rows.map((row) => row.name as string);
    });
  }

  async summaries(): Promise<KeptSummary[]> {
    return this.#db.read(() => {
      const last = `SELECT max(id) FROM events WHERE id > number * ${ROW_SPAN} AND id < (number + 1) * ${ROW_SPAN}`;
      const rows = this.#db.prepare(
        `SELECT name, holder, summary, folds.link IS (SELECT link FROM events WHERE id = (${last})) AS current
         FROM runs LEFT JOIN folds ON folds.run = number LEFT JOIN leases ON leases.run = number ORDER BY number`,
      );
      return rows.all().map(({ name, holder, summary, current }) => ({
        run: name as string,
        summary: current && summary !== null ? (summary as string) : undefined,
        holder: holder === null ? undefined : (JSON.parse(holder as string) as ProcessId),
      }));
    });
  }

  async blob(digest: string): Promise<BlobState> {
    return this.#db.read(() => findBlob(this.#db, digest));
  }

  async tokens(): Promise<number> {
    return this.#db.read(() => this.#tokens());
  }

  #tokens(): number {
    return this.#db.prepare("SELECT coalesce(sum(token), 0) AS tokens FROM leases").get()!.tokens as number;
  }

  release(
    blobs: readonly string[],
    files: readonly string[] = [],
    { tokens, drop }: ReleaseOptions = {},
  ): Promise<boolean> {
    return this.#db.write(() => {
      if (tokens !== undefined && tokens !== this.#tokens()) return false;
      releaseContents(this.#db, blobs, files);
      drop?.();
      return true;
    });
  }

  async compact(): Promise<void> {
    await this.#db.compact();
  }

  async isFileReleased(digest: string): Promise<boolean> {
    return this.#db.read(() => isFileReleased(this.#db, digest));
  }

  async acquire(run: string, holder: ProcessId, { take = false } = {}): Promise<Lease> {
    const free = take ? undefined : await waitUntilFree(run, holder, async () => this.#lease(run), this.#silence);
    return this.#db.write(() => {
      const now = this.#lease(run);
      if (!now) throw runNotFound(run);
      if (!take && now.holder && !isSame(now, free)) throw held(run, now.holder);
      const sql = "UPDATE leases SET token = token + 1, holder = ?, beat = 0 WHERE run = ? RETURNING token, active";
      const row = this.#db.prepare(sql).get(JSON.stringify(holder), this.#number(run) ?? null)!;
      return { run, token: row.token as number, active: row.active as number };
    });
  }

  async beat(lease: Lease, active: number): Promise<void> {
    await this.#db.write(() => {
      this.#db.prepare("UPDATE leases SET beat = beat + 1, active = ? WHERE run = ?").run(active, this.#owned(lease));
    });
  }

  async yield(lease: Lease, active: number, fold?: KeptFold): Promise<void> {
    await this.#db.write(() => {
      const number = this.#owned(lease);
      if (fold) this.#keep(number, fold);
      this.#db
        .prepare("UPDATE leases SET token = token + 1, holder = NULL, active = ? WHERE run = ?")
        .run(active, number);
    });
  }

  async holder(run: string, self: ProcessId): Promise<{ holder: ProcessId; alive: boolean } | undefined> {
    const holder = this.#lease(run)?.holder;
    return holder && { holder, alive: lifeOf(holder, self) !== "dead" };
  }

  signal(run: string, { id, at, body }: Signal): Promise<boolean> {
    return this.#db.write(() => {
      const number = this.#number(run);
      if (number === undefined) throw runNotFound(run);
      const sql = "INSERT OR IGNORE INTO signals (run, id, at, body, taken) VALUES (?, ?, ?, ?, 0)";
      return Number(this.#db.prepare(sql).run(number, id, at, JSON.stringify(body)).changes) > 0;
    });
  }

  async signals(run: string): Promise<Signal[]> {
    return this.#db.read(() => this.#signals(this.#number(run) ?? null));
  }

  #signals(number: number | null): Signal[] {
    const sql = "SELECT id, at, body FROM signals WHERE run = ? AND taken = 0 ORDER BY rowid";
    const rows = this.#db.prepare(sql).all(number) as { id: string; at: number; body: string }[];
    return rows.map(({ id, at, body }) => ({ id, at, body: JSON.parse(body) as SignalBody }));
  }

  async close(): Promise<void> {
    this.#db.close();
  }

  /** The lease's run number; throws if the lease is no longer the run's. */
  #owned(lease: Lease): number {
    const number = this.#number(lease.run);
    const row = this.#db.prepare("SELECT token FROM leases WHERE run = ?").get(number ?? null);
    if (number === undefined || row?.token !== lease.token) throw lost(lease.run);
    return number;
  }

  #lease(run: string): LeaseRow | undefined {
    const number = this.#number(run) ?? null;
    return this.#db.read(() => {
      const row = this.#db.prepare("SELECT token, holder, beat, active FROM leases WHERE run = ?").get(number);
      if (!row) return undefined;
      const holder = row.holder === null ? undefined : (JSON.parse(row.holder as string) as ProcessId);
      return { token: row.token as number, holder, beat: row.beat as number, active: row.active as number };
    });
  }

  #number(run: string): number | undefined {
    const known = this.#numbers.get(run);
    if (known !== undefined) return known;
    return this.#db.read(() => {
      const number = this.#db.prepare("SELECT number FROM runs WHERE name = ?").get(run)?.number as number | undefined;
      if (number !== undefined) this.#numbers.set(run, number);
      return number;
    });
  }
}

function rowOf(row: Record<string, unknown>): Row {
  return { seq: (row.id as number) % ROW_SPAN, body: String(row.body), link: hex(row.link) };
}

function hex(bytes: unknown): string {
  return bytes instanceof Uint8Array ? Buffer.from(bytes).toString("hex") : String(bytes);
}

/** A fold has no digest by which a changed byte would be seen, so its frame has a checksum. */
function packFold(text: string): Uint8Array {
  return zlib.zstdCompressSync(text, { params: { [zlib.constants.ZSTD_c_checksumFlag]: 1 } });
}

function unpackFold(bytes: unknown): string {
  try {
    return zlib.zstdDecompressSync(bytes as Uint8Array).toString();
  } catch {
    return "";
  }
}

/** The outbox of the journal. */
class SqliteOutbox implements Outbox {
  readonly #db: SqliteConnection;

  constructor(db: SqliteConnection) {
    this.#db = db;
  }

  put(messages: readonly Omit<Message, "tries">[]): void {
    const sql = "INSERT INTO outbox (id, run, at, way, body, tries, due) VALUES (?, ?, ?, ?, ?, 0, 0)";
    for (const { id, run, at, to, body } of messages) this.#db.prepare(sql).run(id, run, at, to, body);
  }

  async isEmpty(): Promise<boolean> {
    return this.#db.read(() => this.#db.prepare("SELECT 1 FROM outbox LIMIT 1").get() === undefined);
  }

  async claim(ways: readonly string[], now: number, until: number): Promise<Message | undefined> {
    const named = JSON.stringify(ways);
    return this.#db.write(() => {
      const sql = `UPDATE outbox SET tries = tries + 1, due = ?1 WHERE number = (SELECT min(number) FROM outbox
        WHERE due <= ?2 AND way IN (SELECT value FROM json_each(?3))) RETURNING id, run, at, way AS "to", body, tries`;
      return this.#db.prepare(sql).get(until, now, named) as Message | undefined;
    });
  }

  async postpone(id: string, due: number): Promise<void> {
    await this.#db.write(() => this.#db.prepare("UPDATE outbox SET due = ? WHERE id = ?").run(due, id));
  }

  async remove(id: string): Promise<void> {
    await this.#db.write(() => this.#db.prepare("DELETE FROM outbox WHERE id = ?").run(id));
  }
}
