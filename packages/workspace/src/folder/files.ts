// Placing and reading single files of a workspace, so that no link that a program has planted is ever followed.

import { randomBytes } from "node:crypto";
import { ExecutionError } from "@loopwright/core";
import {
  atOnce,
  blockerIn,
  isCode,
  lookAt,
  makeAndEnter,
  type OpenFile,
  type OpenFolder,
  reach,
  removing,
  type Work,
} from "@loopwright/sandbox";
import { type Owner, openRoot } from "./walk.ts";

const CHUNK = 2 ** 20;

type Found = ReturnType<OpenFolder["look"]>;

/** Puts a file in its place at once: whoever looks sees the old bytes or the new ones. */
export function placeFile(root: string, path: string, bytes: Uint8Array, isExecutable = false): void {
  using top = openRoot(root);
  atOnce(placingFile(top, path, bytes, isExecutable));
}

/** The same, as work. */
export function* placingFile(top: OpenFolder, path: string, bytes: Uint8Array, isExecutable = false): Work<void> {
  yield* placing(top, path, function* (folder, temporary, found) {
    using file = folder.create(temporary, 0o644);
    for (let at = 0; at < bytes.length; at += CHUNK) {
      file.write(bytes.subarray(at, at + CHUNK));
      yield;
    }
    file.chmod(modeFor(found, isExecutable));
  });
}

/** Who may read a file that is there stays as it was: what only its owner could read, others cannot read now. */
function modeFor(found: Found, isExecutable: boolean): number {
  const shared = found?.kind === "file" ? Number(found.mode) & 0o066 : 0o044;
  return 0o600 | shared | (isExecutable ? 0o100 | ((shared & 0o044) >> 2) : 0);
}

/** Puts a symbolic link in its place. */
export function* placingLink(top: OpenFolder, path: string, to: Uint8Array): Work<void> {
  // biome-ignore lint/correctness/useYield: a link is made in one step.
  yield* placing(top, path, function* (folder, temporary) {
    folder.makeLink(temporary, to);
  });
}

/** Makes something beside its place, and renames it there. A folder in the way goes: it stands where a file belongs. */
function* placing(
  top: OpenFolder,
  path: string,
  make: (folder: OpenFolder, temporary: string, found: Found) => Work<void>,
): Work<void> {
  const slash = path.lastIndexOf("/");
  const [above, name] = [path.slice(0, Math.max(slash, 0)), path.slice(slash + 1)];
  using inner = above === "" ? undefined : openMade(top, above);
  const folder = inner ?? top;
  const temporary = `.loopwright-${randomBytes(6).toString("hex")}.tmp`;
  try {
    yield* make(folder, temporary, folder.look(name));
    folder.chownAs(temporary, top);
    if (folder.look(name)?.kind === "folder") yield* removing(folder, name);
    folder.rename(temporary, name);
  } catch (error) {
    yield* removing(folder, temporary);
    throw error;
  }
}

/** Makes a folder and those above it; a link or a file in the way is an error, never a way through. */
export function makeFolder(top: OpenFolder, path: string): void {
  openMade(top, path)[Symbol.dispose]();
}

function openMade(top: OpenFolder, path: string): OpenFolder {
  const make = (folder: OpenFolder, name: string) => makeAndEnter(folder, name, top);
  const made = reach(top, path, (folder, name) => folder.enter(name) ?? make(folder, name), make);
  if (!made) throw new ExecutionError("PATH_BLOCKED", `${path} cannot be a folder: a file or a link is in the way`);
  return made;
}

/** Removes a file or a link, and the folders that are empty then; nothing is followed. What may not be removed is an error. */
export function removeFile(top: OpenFolder, path: string): void {
  const gone = (work: () => void, ...thrown: string[]) => {
    try {
      work();
      return true;
    } catch (error) {
      if (isCode(error, ...thrown)) throw error;
      return isCode(error, "ENOENT");
    }
  };
  const removed = reach(top, path, (folder, name) => gone(() => folder.removeFile(name), "EACCES", "EROFS"));
  let [left, isGone] = [path, removed];
  while (isGone && left.includes("/")) {
    left = left.slice(0, left.lastIndexOf("/"));
    isGone = reach(top, left, (folder, name) => gone(() => folder.removeFolder(name)));
  }
}

/** Removes what a path is, with all that is in it; nothing is followed. */
export function removePath(root: string, path: string): void {
  using top = openRoot(root);
  reach(top, path, (folder, name) => atOnce(removing(folder, name)));
}

/** What a path of a workspace is; undefined where nothing is, or a link or a file is on the way. */
export function lookIn(root: string, path: string, owner: Owner = "us"): ReturnType<OpenFolder["look"]> {
  using top = openRoot(root, owner);
  return lookAt(top, path);
}

/** The bytes of a plain file, or of a link its target; undefined for anything else, or where a link leads to it. */
export function readPlain(root: string, path: string, owner: Owner = "us"): Buffer | undefined {
  using top = openRoot(root, owner);
  return readIn(top, path, owner, (file) => {
    const bytes = Buffer.allocUnsafe(file.size);
    let length = 0;
    for (let read = 1; read > 0 && length < bytes.length; length += read) read = file.read(bytes.subarray(length));
    return bytes.subarray(0, length);
  });
}

/** Reads a plain file that stands open meanwhile, or takes a link's target for its bytes. */
export function readIn<Result>(
  top: OpenFolder,
  path: string,
  owner: Owner,
  read: (file: OpenFile) => Result,
): Result | Buffer | undefined {
  return reach(top, path, (folder, name) => {
    const link = folder.readLink(name);
    if (link) return link;
    using file = openFile(folder, name, owner);
    return file && read(file);
  });
}

/** Opens a plain file; one of ours that a program has locked is unlocked. */
export function openFile(folder: OpenFolder, name: string, owner: Owner): OpenFile | undefined {
  const file = folder.openFile(name);
  const found = file || owner === "user" ? undefined : folder.look(name);
  if (found?.kind !== "file") return file;
  folder.chmod(name, (Number(found.mode) & 0o777) | 0o600);
  return folder.openFile(name);
}

/** The first part of a path's folders that exists and is no real folder. */
export function blockerOf(root: string, path: string, owner: Owner = "us"): string | undefined {
  using top = openRoot(root, owner);
  return blockerIn(top, path);
}
