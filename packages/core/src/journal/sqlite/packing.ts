// How the journal on SQLite packs texts.

import zlib from "node:zlib";

/** A blob's text by Brotli's quickest: the journal is written far more often than it is read, and zstd's context costs twice
 * as much for a short text. Neither has a checksum here: a blob is known by its digest. */
export function pack(text: string): Uint8Array {
  // A buffer of the text's own size: the default one costs more than compressing a short text does.
  const chunkSize = Math.max(1024, text.length);
  const params = { [zlib.constants.BROTLI_PARAM_QUALITY]: 0, [zlib.constants.BROTLI_PARAM_LGWIN]: 16 };
  return zlib.brotliCompressSync(text, { chunkSize, params });
}

/** The text of a blob; undefined where it is damaged. */
export function expand(bytes: unknown): string | undefined {
  try {
    return zlib.brotliDecompressSync(bytes as Uint8Array).toString();
  } catch {
    return undefined;
  }
}

/** A fold has no digest by which a changed byte would be seen, so its frame has a checksum. */
export function packFold(text: string): Uint8Array {
  return zlib.zstdCompressSync(text, { params: { [zlib.constants.ZSTD_c_checksumFlag]: 1 } });
}

/** The text of a fold; empty where it is damaged. */
export function unpackFold(bytes: unknown): string {
  try {
    return zlib.zstdDecompressSync(bytes as Uint8Array).toString();
  } catch {
    return "";
  }
}
