// The one way in which the host looks into a folder that a job can write: a folder that we hold open, and names in it.
//
//   O1  Each name is one step from a folder that is open already (`/proc/self/fd/N/name`): whatever a program exchanges
//       meanwhile, no link is followed and no other folder is reached.
//   O2  Nothing that is opened can hang us: a pipe is opened without waiting, and is no file.
//   O3  What is made is made by us: creation fails where the name is taken.
//
// Without /proc (macOS, where there is no sandbox either) a folder is its path, and each step is looked at before it is
// taken: that is safe from what lies there, and not from what is exchanged at that moment.

import {
  type BigIntStats,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fstatSync,
  futimesSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  opendirSync,
  openSync,
  readlinkSync,
  readSync,
  renameSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
  writeSync,
} from "node:fs";

/** A single name in a folder: text, or bytes where it may be none. */
export type Name = string | Buffer;
/** What an entry of a folder is. */
export type EntryKind = "file" | "link" | "folder" | "other";

const DESCRIPTORS = "/proc/self/fd";
const HAS_DESCRIPTORS = process.platform === "linux" && existsSync(DESCRIPTORS);
/** Opens a name and nothing behind it; Node has no word for it. */
const O_PATH = 0o10000000;
const { O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;
const NAMES_AT_A_TIME = 256;

/** A folder that is held open, so that nobody can exchange it for a link meanwhile. */
export class OpenFolder implements Disposable {
  readonly #base: string | Buffer;
  readonly #descriptor: number | undefined;
  readonly #isOurs: boolean;

  private constructor(base: string | Buffer, isOurs: boolean, descriptor?: number) {
    this.#base = base;
    this.#isOurs = isOurs;
    this.#descriptor = descriptor;
  }

  /** Opens a folder by a path that is ours: its last part may be no link. In one that is ours to clean, folders that a
   * program has locked are unlocked. */
  static open(path: string | Buffer, { isOurs = false } = {}): OpenFolder {
    if (!HAS_DESCRIPTORS) return OpenFolder.#openPath(path, isOurs);
    const descriptor = openLocked(path, isOurs);
    if (isOurs && (fstatSync(descriptor).mode & 0o700) !== 0o700) fchmodSync(descriptor, 0o755);
    return new OpenFolder(`${DESCRIPTORS}/${descriptor}`, isOurs, descriptor);
  }

  static #openPath(path: string | Buffer, isOurs: boolean): OpenFolder {
    const found = lstatSync(path);
    if (!found.isDirectory()) throw Object.assign(new Error(`${path} is no folder`), { code: "ENOTDIR" });
    if (isOurs && (found.mode & 0o700) !== 0o700) chmodSync(path, 0o755);
    return new OpenFolder(path, isOurs);
  }

  /** The folder of a name; undefined where there is none, or something else. */
  enter(name: Name): OpenFolder | undefined {
    try {
      return OpenFolder.open(this.#at(name), { isOurs: this.#isOurs });
    } catch (error) {
      if (isCode(error, "ENOENT", "ENOTDIR", "ELOOP")) return undefined;
      throw error;
    }
  }

  /** The names in it, and what kind each is said to be. */
  *names(): Generator<{ name: Buffer; kind: EntryKind }> {
    // Node's types know neither paths nor names of bytes here.
    const options = { encoding: "buffer" as BufferEncoding, bufferSize: NAMES_AT_A_TIME };
    const folder = opendirSync(this.#base as string, options);
    try {
      for (let entry = folder.readSync(); entry; entry = folder.readSync()) {
        const name = entry.name as unknown as Buffer;
        const kind = kindOf(entry);
        // Some file systems do not say it at once.
        yield { name, kind: kind === "other" ? (this.look(name)?.kind ?? kind) : kind };
      }
    } finally {
      folder.closeSync();
    }
  }

  /** What a name is; undefined where nothing has it. */
  look(name: Name): (BigIntStats & { kind: EntryKind }) | undefined {
    const found = lstatSync(this.#at(name), { bigint: true, throwIfNoEntry: false });
    return found && Object.assign(found, { kind: kindOf(found) });
  }

  has(name: Name): boolean {
    return this.look(name) !== undefined;
  }

  /** Opens a plain file to be read; undefined where it is none, or may not be read. */
  openFile(name: Name): OpenFile | undefined {
    try {
      const descriptor = openSync(this.#at(name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
      const file = new OpenFile(descriptor);
      if (file.isPlain) return file;
      file[Symbol.dispose]();
    } catch (error) {
      if (!isCode(error, "ENOENT", "ELOOP", "ENXIO", "EACCES", "EPERM", "ENOTDIR", "EISDIR")) throw error;
    }
    return undefined;
  }

  /** Where a link leads; undefined where it is none. */
  readLink(name: Name): Buffer | undefined {
    try {
      return readlinkSync(this.#at(name), { encoding: "buffer" });
    } catch (error) {
      if (isCode(error, "EINVAL", "ENOENT")) return undefined;
      throw error;
    }
  }

  /** Makes a file that is not there yet. */
  create(name: Name, mode: number): OpenFile {
    return new OpenFile(openSync(this.#at(name), O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW, mode));
  }

  makeFolder(name: Name, mode = 0o755): void {
    mkdirSync(this.#at(name), { mode });
  }

  makeLink(name: Name, to: Uint8Array | string): void {
    symlinkSync(Buffer.from(to as string), this.#at(name));
  }

  /** Gives a name of this folder's another place, over a file or link that stands there. */
  rename(name: Name, to: Name, folder: OpenFolder = this): void {
    renameSync(this.#at(name), folder.#at(to));
  }

  removeFile(name: Name): void {
    unlinkSync(this.#at(name));
  }

  removeFolder(name: Name): void {
    rmdirSync(this.#at(name));
  }

  chmod(name: Name, mode: number): void {
    chmodUnfollowed(this.#at(name), mode);
  }

  /** Gives what root has made to whoever owns this folder. */
  chownAs(name: Name, owner: OpenFolder): void {
    if (process.getuid?.() !== 0) return;
    const { uid, gid } = owner.owner;
    if (uid !== 0 || gid !== 0) lchownSync(this.#at(name), uid, gid);
  }

  get owner(): { uid: number; gid: number } {
    return this.#descriptor === undefined ? lstatSync(this.#base) : fstatSync(this.#descriptor);
  }

  [Symbol.dispose](): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
  }

  #at(name: Name): Buffer {
    const bytes = Buffer.from(name as string);
    if (bytes.length === 0 || bytes.includes(0x2f) || bytes.equals(DOT) || bytes.equals(DOTS))
      throw new Error(`'${bytes}' is no single name`);
    return Buffer.concat([Buffer.from(this.#base as string), SLASH, bytes]);
  }
}

const [SLASH, DOT, DOTS] = ["/", ".", ".."].map((each) => Buffer.from(each)) as [Buffer, Buffer, Buffer];

/** A plain file, open. */
export class OpenFile implements Disposable {
  readonly #descriptor: number;

  constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  get isPlain(): boolean {
    return fstatSync(this.#descriptor).isFile();
  }

  get size(): number {
    return fstatSync(this.#descriptor).size;
  }

  /** The next bytes, into a buffer from its beginning; 0 at the end. */
  read(into: Uint8Array): number {
    return readSync(this.#descriptor, into, 0, into.length, null);
  }

  write(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) at += writeSync(this.#descriptor, bytes, at);
  }

  get mode(): number {
    return fstatSync(this.#descriptor).mode & 0o777;
  }

  chmod(mode: number): void {
    fchmodSync(this.#descriptor, mode);
  }

  /** Takes another file's mode and times. */
  dress(like: OpenFile): void {
    const { mode, atime, mtime } = fstatSync(like.#descriptor);
    fchmodSync(this.#descriptor, mode & 0o777);
    futimesSync(this.#descriptor, atime, mtime);
  }

  [Symbol.dispose](): void {
    closeSync(this.#descriptor);
  }
}

function openLocked(path: string | Buffer, unlocks: boolean): number {
  const open = () => openSync(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK);
  try {
    return open();
  } catch (error) {
    if (!unlocks || !isCode(error, "EACCES")) throw error;
    chmodUnfollowed(path, 0o755);
    return open();
  }
}

/** Sets the mode of a file or folder; a link has none. */
function chmodUnfollowed(path: string | Buffer, mode: number): void {
  if (!HAS_DESCRIPTORS) {
    if (!lstatSync(path).isSymbolicLink()) chmodSync(path, mode);
    return;
  }
  const descriptor = openSync(path, O_PATH | O_NOFOLLOW);
  try {
    chmodSync(`${DESCRIPTORS}/${descriptor}`, mode);
  } finally {
    closeSync(descriptor);
  }
}

interface Kinded {
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
  isFile(): boolean;
}

function kindOf(entry: Kinded): EntryKind {
  return entry.isDirectory() ? "folder" : entry.isSymbolicLink() ? "link" : entry.isFile() ? "file" : "other";
}

/** Whether an error of the file system's is one of these. */
export function isCode(error: unknown, ...codes: string[]): boolean {
  return codes.includes((error as NodeJS.ErrnoException).code ?? "");
}
