// Zip archives: written so that the same files give the same bytes, and read so that no archive can take more memory
// than it is allowed. The libraries at hand unpack without a bound, or believe what an archive says of itself.

import { crc32, inflateRawSync } from "node:zlib";
import { strToU8, type Zippable, zipSync } from "fflate";

/** A file of an archive. A stored one is not compressed. */
export interface ArchiveFile {
  name: string;
  content: string | Uint8Array;
  isStored?: boolean;
}

// Zip dates are local times: this one has the same digits everywhere.
const ALWAYS = new Date(2000, 0, 1, 12);

/** An archive with its files in the order given. */
export function packFiles(files: readonly ArchiveFile[]): Uint8Array {
  const entries: Zippable = {};
  for (const { name, content, isStored } of files) {
    const bytes = typeof content === "string" ? strToU8(content) : content;
    entries[name] = [bytes, { level: isStored ? 0 : 6, mtime: ALWAYS }];
  }
  return zipSync(entries);
}

export interface UnpackBounds {
  /** All wanted files together, unpacked. */
  bytes: number;
  entries: number;
  wants: (name: string) => boolean;
}

/** Why an archive is not unpacked. */
export class ArchiveFault extends Error {
  readonly isTooLarge: boolean;

  constructor(message: string, isTooLarge = false) {
    super(message);
    this.isTooLarge = isTooLarge;
  }
}

/** The wanted files of an archive by name. Throws an ArchiveFault for one that is damaged or larger than allowed. */
export function unpackFiles(archive: Uint8Array, { bytes, entries, wants }: UnpackBounds): Map<string, Uint8Array> {
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
  try {
    return unpack();
  } catch (error) {
    if (error instanceof RangeError) throw new ArchiveFault("it is cut off or damaged");
    throw error;
  }

  function unpack(): Map<string, Uint8Array> {
    const end = findEnd(view);
    const count = view.getUint16(end + 10, true);
    if (count > entries) throw new ArchiveFault(`it holds ${count} files`, true);
    const files = new Map<string, Uint8Array>();
    let left = bytes;
    let at = view.getUint32(end + 16, true);
    for (let index = 0; index < count; index++) {
      if (view.getUint32(at, true) !== 0x02014b50) throw new ArchiveFault("its list of files is damaged");
      const nameLength = view.getUint16(at + 28, true);
      const name = new TextDecoder().decode(archive.subarray(at + 46, at + 46 + nameLength));
      if (wants(name)) {
        const content = unpackEntry(at, name, left);
        left -= content.length;
        files.set(name, content);
      }
      at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    }
    return files;
  }

  function unpackEntry(at: number, name: string, limit: number): Uint8Array {
    const [method, packed, local] = [
      view.getUint16(at + 10, true),
      view.getUint32(at + 20, true),
      view.getUint32(at + 42, true),
    ];
    if (view.getUint16(at + 8, true) & 1) throw new ArchiveFault("it is protected by a password");
    if (view.getUint32(local, true) !== 0x04034b50) throw new ArchiveFault("its list of files is damaged");
    const from = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
    if (from + packed > archive.length) throw new ArchiveFault("it is cut off");
    const content = inflate(archive.subarray(from, from + packed), method, limit);
    if (content.length > limit) throw tooLarge();
    if (crc32(content) !== view.getUint32(at + 16, true))
      throw new ArchiveFault(`${JSON.stringify(name)} in it is damaged`);
    return content;
  }

  function inflate(packed: Uint8Array, method: number, limit: number): Uint8Array {
    if (method === 0) return packed;
    if (method !== 8) throw new ArchiveFault("it is packed in a way that is not known");
    try {
      return inflateRawSync(packed, { maxOutputLength: Math.max(1, limit) });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") throw tooLarge();
      throw new ArchiveFault("a file in it is damaged");
    }
  }

  function tooLarge(): ArchiveFault {
    return new ArchiveFault(`it unpacks to more than ${Math.round(bytes / 1_000_000)} MB`, true);
  }
}

/** Where the record at an archive's end begins; a comment may follow it. */
function findEnd(view: DataView): number {
  for (let at = view.byteLength - 22; at >= 0 && at >= view.byteLength - 65_557; at--) {
    if (view.getUint32(at, true) === 0x06054b50) return at;
  }
  throw new ArchiveFault("it is cut off or is no archive");
}
