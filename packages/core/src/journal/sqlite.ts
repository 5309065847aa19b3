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
  ReleaseOptions,
  Row,
  Signal,
  SignalBody,
} from "../ports.ts";
import type { ProcessId } from "../record/events.ts";
import { sha256 } from "../record/json.ts";
import { runNotFound } from "../record/load.ts";
import { held, isSame, type LeaseRow, lifeOf, lost, waitUntilFree } from "./leases.ts";
import { type Schema, SqliteConnection } from "./sqlite/connection.ts";

/** An event's id is its run's number times this, plus its sequence number: one index, and a run's rows lie together. */
export const ROW_SPAN = 2 ** 32;

/** The tables of the journal. */
export const journalSchema: Schema = {
  version: 7,
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

const TOKENS = "SELECT coalesce(sum(token), 0) AS tokens FROM leases";

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
      const row = this.#db.get("INSERT INTO runs (name) VALUES (?) ON CONFLICT DO NOTHING RETURNING number", run);
      if (!row) return false;
      const sql = "INSERT INTO leases (run, token, holder, beat, active) VALUES (?, 1, ?, 0, 0)";
      this.#db.run(sql, row.number!, JSON.stringify(holder));
      this.#insert(row.number as number, commit);
      return { run, token: 1, active: 0 };
    });
  }

  append(lease: Lease, commit: Commit): Promise<Signal[]> {
    return this.#store(commit, () => {
      const number = this.#owned(lease);
      this.#insert(number, commit);
      return this.#signals(number);
    });
  }

  /** One transaction, with the commit's blobs. Whether one is there is asked in it, for another process may have released it
   * a moment ago; they are packed before it, so that no other writer waits for that. */
  async #store<T>({ blobs }: Commit, work: () => T): Promise<T> {
    const packed = [...blobs].map(([digest, text]) => [bytesOf(digest), pack(text)] as const);
    return this.#db.write(() => {
      const done = work();
      const sql = `INSERT INTO blobs (digest, bytes) VALUES (?, ?)
        ON CONFLICT (digest) DO UPDATE SET bytes = excluded.bytes WHERE bytes IS NULL`;
      if (done !== false) for (const blob of packed) this.#db.run(sql, ...blob);
      return done;
    });
  }

  #insert(number: number, { rows, files = [], taken = [], messages = [], fold }: Commit): void {
    const sql = "INSERT INTO events (id, body, link) VALUES (?, ?, ?)";
    for (const { seq, body, link } of rows) this.#db.run(sql, number * ROW_SPAN + seq, body, bytesOf(link));
    for (const digest of files) this.#db.run("DELETE FROM released_files WHERE digest = ?", bytesOf(digest));
    for (const id of taken) this.#db.run("UPDATE signals SET taken = 1 WHERE run = ? AND id = ?", number, id);
    this.outbox.put(messages);
    if (fold) this.#keep(number, fold);
  }

  #keep(number: number, { seq, link, body, summary }: KeptFold): void {
    const sql = "INSERT OR REPLACE INTO folds (run, seq, link, body, summary) VALUES (?, ?, ?, ?, ?)";
    this.#db.run(sql, number, seq, bytesOf(link), packFold(body), summary);
  }

  async read(run: string, after = 0): Promise<Row[]> {
    const number = this.#number(run);
    if (number === undefined) return [];
    const sql = "SELECT id, body, link FROM events WHERE id > ? AND id < ? ORDER BY id";
    return this.#db.all(sql, number * ROW_SPAN + after, (number + 1) * ROW_SPAN).map(rowOf);
  }

  async fold(run: string): Promise<KeptFold | undefined> {
    const row = this.#db.get("SELECT seq, link, body, summary FROM folds WHERE run = ?", this.#number(run) ?? null);
    if (!row) return undefined;
    const { seq, link, body, summary } = row;
    return { seq: seq as number, link: hex(link), body: unpackFold(body), summary: String(summary) };
  }

  async runs(prefix = ""): Promise<string[]> {
    const sql = "SELECT name FROM runs WHERE substr(name, 1, length(?1)) = ?1 ORDER BY number";
    return this.#db.all(sql, prefix).map(({ name }) => name as string);
  }

  async summaries(): Promise<KeptSummary[]> {
    const last = `SELECT max(id) FROM events WHERE id > number * ${ROW_SPAN} AND id < (number + 1) * ${ROW_SPAN}`;
    const sql = `SELECT name, holder, summary, folds.link IS (SELECT link FROM events WHERE id = (${last})) AS current
      FROM runs LEFT JOIN folds ON folds.run = number LEFT JOIN leases ON leases.run = number ORDER BY number`;
    return this.#db.all(sql).map(({ name, holder, summary, current }) => ({
      run: name as string,
      summary: current && summary !== null ? (summary as string) : undefined,
      holder: holderOf(holder),
    }));
  }

  async blob(digest: string): Promise<BlobState> {
    const row = this.#db.get("SELECT bytes FROM blobs WHERE digest = ?", bytesOf(digest));
    if (!row) return { state: "missing" };
    if (row.bytes === null) return { state: "released" };
    const text = expand(row.bytes);
    if (text === undefined) return { state: "unreadable" };
    return sha256(text) === digest ? { state: "here", text } : { state: "changed" };
  }

  async tokens(): Promise<number> {
    return this.#db.get(TOKENS)!.tokens as number;
  }

  release(blobs: readonly string[], files: readonly string[] = [], { tokens, drop }: ReleaseOptions = {}) {
    return this.#db.write(() => {
      if (tokens !== undefined && tokens !== this.#db.get(TOKENS)!.tokens) return false;
      const sql = "INSERT INTO blobs (digest, bytes) VALUES (?, NULL) ON CONFLICT (digest) DO UPDATE SET bytes = NULL";
      for (const digest of blobs) this.#db.run(sql, bytesOf(digest));
      for (const digest of files) this.#db.run("INSERT OR IGNORE INTO released_files VALUES (?)", bytesOf(digest));
      drop?.();
      return true;
    });
  }

  async compact(): Promise<void> {
    await this.#db.compact();
  }

  async isFileReleased(digest: string): Promise<boolean> {
    return this.#db.get("SELECT 1 FROM released_files WHERE digest = ?", bytesOf(digest)) !== undefined;
  }

  async acquire(run: string, holder: ProcessId, { take = false } = {}): Promise<Lease> {
    const free = take ? undefined : await waitUntilFree(run, holder, async () => this.#lease(run), this.#silence);
    return this.#db.write(() => {
      const now = this.#lease(run);
      if (!now) throw runNotFound(run);
      if (!take && now.holder && !isSame(now, free)) throw held(run, now.holder);
      const sql = "UPDATE leases SET token = token + 1, holder = ?, beat = 0 WHERE run = ? RETURNING token, active";
      const row = this.#db.get(sql, JSON.stringify(holder), this.#number(run) ?? null)!;
      return { run, token: row.token as number, active: row.active as number };
    });
  }

  async beat(lease: Lease, active: number): Promise<void> {
    await this.#db.write(() => {
      this.#db.run("UPDATE leases SET beat = beat + 1, active = ? WHERE run = ?", active, this.#owned(lease));
    });
  }

  async yield(lease: Lease, active: number, fold?: KeptFold): Promise<void> {
    await this.#db.write(() => {
      const number = this.#owned(lease);
      if (fold) this.#keep(number, fold);
      const sql = "UPDATE leases SET token = token + 1, holder = NULL, active = ? WHERE run = ?";
      this.#db.run(sql, active, number);
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
      return this.#db.run(sql, number, id, at, JSON.stringify(body)) > 0;
    });
  }

  async signals(run: string): Promise<Signal[]> {
    return this.#signals(this.#number(run) ?? null);
  }

  #signals(number: number | null): Signal[] {
    const sql = "SELECT id, at, body FROM signals WHERE run = ? AND taken = 0 ORDER BY rowid";
    const rows = this.#db.all(sql, number) as { id: string; at: number; body: string }[];
    return rows.map(({ id, at, body }) => ({ id, at, body: JSON.parse(body) as SignalBody }));
  }

  async close(): Promise<void> {
    this.#db.close();
  }

  /** The lease's run number; throws if the lease is no longer the run's (L4). */
  #owned(lease: Lease): number {
    const number = this.#number(lease.run);
    const row = this.#db.get("SELECT token FROM leases WHERE run = ?", number ?? null);
    if (number === undefined || row?.token !== lease.token) throw lost(lease.run);
    return number;
  }

  #lease(run: string): LeaseRow | undefined {
    const sql = "SELECT token, holder, beat, active FROM leases WHERE run = ?";
    const row = this.#db.get(sql, this.#number(run) ?? null);
    return row && ({ ...row, holder: holderOf(row.holder) } as LeaseRow);
  }

  #number(run: string): number | undefined {
    const known = this.#numbers.get(run);
    if (known !== undefined) return known;
    const number = this.#db.get("SELECT number FROM runs WHERE name = ?", run)?.number as number | undefined;
    if (number !== undefined) this.#numbers.set(run, number);
    return number;
  }
}

function rowOf(row: Record<string, unknown>): Row {
  return { seq: (row.id as number) % ROW_SPAN, body: String(row.body), link: hex(row.link) };
}

function hex(bytes: unknown): string {
  return bytes instanceof Uint8Array ? Buffer.from(bytes).toString("hex") : String(bytes);
}

function bytesOf(hex: string): Uint8Array {
  return Buffer.from(hex, "hex");
}

function holderOf(text: unknown): ProcessId | undefined {
  return text === null ? undefined : (JSON.parse(text as string) as ProcessId);
}

/** A blob's text by Brotli's quickest: the journal is written far more often than it is read, and zstd's context costs twice
 * as much for a short text. Neither has a checksum here: a blob is known by its digest. */
function pack(text: string): Uint8Array {
  // A buffer of the text's own size: the default one costs more than compressing a short text does.
  const chunkSize = Math.max(1024, text.length);
  const params = { [zlib.constants.BROTLI_PARAM_QUALITY]: 0, [zlib.constants.BROTLI_PARAM_LGWIN]: 16 };
  return zlib.brotliCompressSync(text, { chunkSize, params });
}

/** The text of a blob; undefined where it is damaged. */
function expand(bytes: unknown): string | undefined {
  try {
    return zlib.brotliDecompressSync(bytes as Uint8Array).toString();
  } catch {
    return undefined;
  }
}

/** A fold has no digest by which a changed byte would be seen, so its frame has a checksum. */
function packFold(text: string): Uint8Array {
  return zlib.zstdCompressSync(text, { params: { [zlib.constants.ZSTD_c_checksumFlag]: 1 } });
}

/** The text of a fold; empty where it is damaged. */
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
    for (const { id, run, at, to, body } of messages) this.#db.run(sql, id, run, at, to, body);
  }

  async isEmpty(): Promise<boolean> {
    return this.#db.get("SELECT 1 FROM outbox LIMIT 1") === undefined;
  }

  async claim(ways: readonly string[], now: number, until: number): Promise<Message | undefined> {
    const sql = `UPDATE outbox SET tries = tries + 1, due = ?1 WHERE number = (SELECT min(number) FROM outbox
      WHERE due <= ?2 AND way IN (SELECT value FROM json_each(?3))) RETURNING id, run, at, way AS "to", body, tries`;
    return this.#db.write(() => this.#db.get(sql, until, now, JSON.stringify(ways)) as Message | undefined);
  }

  async postpone(id: string, due: number): Promise<void> {
    await this.#db.write(() => this.#db.run("UPDATE outbox SET due = ? WHERE id = ?", due, id));
  }

  async remove(id: string): Promise<void> {
    await this.#db.write(() => this.#db.run("DELETE FROM outbox WHERE id = ?", id));
  }
}
