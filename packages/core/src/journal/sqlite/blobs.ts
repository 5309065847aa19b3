// The blobs of the journal on SQLite, and what was released of them and of the store's files.
//
// A blob is compressed and written once, however many runs name it. Whether it is there is asked in the transaction that names
// it: another process may have released it a moment ago.

import zlib from "node:zlib";
import type { BlobState, Commit } from "../../ports.ts";
import type { SqliteConnection } from "./connection.ts";

/** A blob that is to be stored. */
interface PackedBlob {
  digest: Uint8Array;
  bytes: Uint8Array;
}

/** Compresses what will be stored, before the transaction, so that no other writer waits for that. */
export function packBlobs(blobs: Commit["blobs"]): PackedBlob[] {
  return [...blobs].map(([name, text]) => ({ digest: Buffer.from(name, "hex"), bytes: compress(text) }));
}

export function putBlobs(db: SqliteConnection, blobs: readonly PackedBlob[]): void {
  const sql = `INSERT INTO blobs (digest, bytes) VALUES (?, ?)
    ON CONFLICT (digest) DO UPDATE SET bytes = excluded.bytes WHERE bytes IS NULL`;
  for (const { digest, bytes } of blobs) db.prepare(sql).run(digest, bytes);
}

export function findBlob(db: SqliteConnection, digest: string): BlobState {
  const row = db.prepare("SELECT bytes FROM blobs WHERE digest = ?").get(Buffer.from(digest, "hex"));
  if (!row) return { state: "missing" };
  if (row.bytes === null) return { state: "released" };
  const text = expand(row.bytes);
  return text === undefined ? { state: "unreadable" } : { state: "here", text };
}

/** Gives blobs up, and remembers that they and these files were. */
export function releaseContents(db: SqliteConnection, blobs: readonly string[], files: readonly string[]): void {
  const sql = "INSERT INTO blobs (digest, bytes) VALUES (?, NULL) ON CONFLICT (digest) DO UPDATE SET bytes = NULL";
  for (const digest of blobs) db.prepare(sql).run(Buffer.from(digest, "hex"));
  const forget = db.prepare("INSERT OR IGNORE INTO released_files (digest) VALUES (?)");
  for (const digest of files) forget.run(Buffer.from(digest, "hex"));
}

export function isFileReleased(db: SqliteConnection, digest: string): boolean {
  return db.prepare("SELECT 1 FROM released_files WHERE digest = ?").get(Buffer.from(digest, "hex")) !== undefined;
}

/** Files that are there again. */
export function regainFiles(db: SqliteConnection, files: readonly string[]): void {
  for (const digest of files) db.prepare("DELETE FROM released_files WHERE digest = ?").run(Buffer.from(digest, "hex"));
}

/** Brotli's quickest: the journal is written far more often than it is read, and zstd's context costs twice as much for a short
 * text. Neither has a checksum here: a blob is known by its digest. */
function compress(text: string): Uint8Array {
  // A buffer of the text's own size: the default one costs more than compressing a short text does.
  const chunkSize = Math.max(1024, text.length);
  const params = { [zlib.constants.BROTLI_PARAM_QUALITY]: 0, [zlib.constants.BROTLI_PARAM_LGWIN]: 16 };
  return zlib.brotliCompressSync(text, { chunkSize, params });
}

function expand(bytes: unknown): string | undefined {
  try {
    return zlib.brotliDecompressSync(bytes as Uint8Array).toString();
  } catch {
    return undefined;
  }
}
