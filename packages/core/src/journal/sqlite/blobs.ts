// The blobs of the journal on SQLite, and what was released of them and of the store's files.
//
// A blob is compressed with zstd and written once, however many runs name it. Whether it is there is asked in the transaction
// that names it: another process may have released it a moment ago.

import zlib from "node:zlib";
import type { BlobState, Commit } from "../../ports.ts";
import { fileReleased, valueReleased } from "../../record/chain.ts";
import type { SqliteConnection } from "./connection.ts";
import { compress } from "./schema.ts";

/** A blob that is to be stored; its bytes where it was not there when it was looked for. */
interface PackedBlob {
  digest: Uint8Array;
  text: string;
  bytes: Uint8Array | undefined;
}

export class SqliteBlobs {
  readonly #db: SqliteConnection;

  constructor(db: SqliteConnection) {
    this.#db = db;
  }

  /** Compresses what will be stored, before the transaction, so that no other writer waits for that. */
  pack(blobs: Commit["blobs"]): PackedBlob[] {
    return [...blobs].map(([name, text]) => {
      const digest = Buffer.from(name, "hex");
      return { digest, text, bytes: this.#seemsHere(digest) ? undefined : compress(text) };
    });
  }

  /** A first look: where it fails, the transaction will tell. */
  #seemsHere(digest: Uint8Array): boolean {
    try {
      return this.#isHere(digest);
    } catch {
      return false;
    }
  }

  #isHere(digest: Uint8Array): boolean {
    return this.#db.prepare("SELECT 1 FROM blobs WHERE digest = ? AND bytes IS NOT NULL").get(digest) !== undefined;
  }

  /** Stores blobs, in a transaction. */
  put(blobs: readonly PackedBlob[]): void {
    const sql = `INSERT INTO blobs (digest, bytes) VALUES (?, ?)
      ON CONFLICT (digest) DO UPDATE SET bytes = excluded.bytes WHERE bytes IS NULL`;
    for (const { digest, text, bytes } of blobs)
      if (bytes || !this.#isHere(digest)) this.#db.prepare(sql).run(digest, bytes ?? compress(text));
  }

  /** Throws where something of this was released. */
  require({ blobs, files }: NonNullable<Commit["needs"]>): void {
    const released = this.#db.prepare("SELECT 1 FROM blobs WHERE digest = ? AND bytes IS NULL");
    for (const digest of blobs) if (released.get(Buffer.from(digest, "hex"))) throw valueReleased(digest);
    for (const digest of files) if (this.isFileReleased(digest)) throw fileReleased(digest);
  }

  find(digest: string): BlobState {
    const row = this.#db.prepare("SELECT bytes FROM blobs WHERE digest = ?").get(Buffer.from(digest, "hex"));
    if (!row) return { state: "missing" };
    if (row.bytes === null) return { state: "released" };
    const text = expand(row.bytes);
    return text === undefined ? { state: "unreadable" } : { state: "here", text };
  }

  /** Gives blobs up, and remembers that they and these files were. */
  release(blobs: readonly string[], files: readonly string[]): void {
    const sql = "INSERT INTO blobs (digest, bytes) VALUES (?, NULL) ON CONFLICT (digest) DO UPDATE SET bytes = NULL";
    for (const digest of blobs) this.#db.prepare(sql).run(Buffer.from(digest, "hex"));
    const forget = this.#db.prepare("INSERT OR IGNORE INTO released_files (digest) VALUES (?)");
    for (const digest of files) forget.run(Buffer.from(digest, "hex"));
  }

  isFileReleased(digest: string): boolean {
    const row = this.#db.prepare("SELECT 1 FROM released_files WHERE digest = ?").get(Buffer.from(digest, "hex"));
    return row !== undefined;
  }

  /** Files that are there again. */
  regain(files: readonly string[]): void {
    for (const digest of files)
      this.#db.prepare("DELETE FROM released_files WHERE digest = ?").run(Buffer.from(digest, "hex"));
  }
}

/** The text of compressed bytes; undefined where they are damaged. */
export function expand(bytes: unknown): string | undefined {
  try {
    return zlib.zstdDecompressSync(bytes as Uint8Array).toString();
  } catch {
    return undefined;
  }
}
