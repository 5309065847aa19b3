// Placing and reading single files of a workspace, so that no link that a program has planted is ever followed.

import { randomBytes } from "node:crypto";
import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { ExecutionError } from "@loopwright/core";
import type { Owner } from "./walk.ts";

/** Puts a file in its place at once: whoever looks sees the old bytes or the new ones. */
export function placeFile(root: string, path: string, bytes: Uint8Array, isExecutable = false): void {
  const target = join(root, path);
  makeFolder(root, dirname(path));
  const temporary = temporaryBeside(target);
  const flags = constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY | constants.O_NOFOLLOW;
  const file = openSync(temporary, flags, 0o644);
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
    fchmodSync(file, modeFor(target, isExecutable));
  } finally {
    closeSync(file);
  }
  settle(root, temporary, target);
}

/** Who may read a file that is there stays as it was: what only its owner could read, others cannot read now. */
function modeFor(target: string, isExecutable: boolean): number {
  const found = lstatSync(target, { throwIfNoEntry: false });
  const shared = found?.isFile() ? found.mode & 0o066 : 0o044;
  return 0o600 | shared | (isExecutable ? 0o100 | ((shared & 0o044) >> 2) : 0);
}

/** Puts a symbolic link in its place. */
export function placeLink(root: string, path: string, to: Uint8Array): void {
  const target = join(root, path);
  makeFolder(root, dirname(path));
  const temporary = temporaryBeside(target);
  symlinkSync(Buffer.from(to), temporary);
  settle(root, temporary, target);
}

/** Removes a file or a link, and the folders that are empty then; nothing is followed. */
export function removeFile(root: string, path: string): void {
  if (blockerOf(root, path) !== undefined) return;
  rmSync(join(root, path), { force: true });
  for (let folder = dirname(path); folder !== "."; folder = dirname(folder)) {
    try {
      rmdirSync(join(root, folder));
    } catch {
      return;
    }
  }
}

/** Makes a folder and those above it; a link or a file in the way is an error, never a way through. */
export function makeFolder(root: string, path: string): void {
  let folder = root;
  for (const part of path.split("/").filter((each) => each !== "" && each !== ".")) {
    folder = join(folder, part);
    const found = lstatSync(folder, { throwIfNoEntry: false });
    if (found?.isDirectory()) continue;
    if (found) throw new ExecutionError("PATH_BLOCKED", `${path} cannot be a folder: ${part} is a file or a link`);
    mkdirSync(folder, { mode: 0o755 });
    ownAsRoot(root, folder);
  }
}

/** The bytes of a plain file, or of a link its target; undefined for anything else, or where a link leads to it. */
export function readPlain(root: string, path: string, owner: Owner = "us"): Buffer | undefined {
  if (blockerOf(root, path) !== undefined) return undefined;
  const target = join(root, path);
  const found = lstatSync(target, { throwIfNoEntry: false });
  if (found?.isSymbolicLink()) return readlinkSync(target, { encoding: "buffer" });
  if (!found?.isFile()) return undefined;
  if (owner === "us" && (found.mode & 0o400) === 0) chmodSync(target, found.mode | 0o600);
  const file = openFile(target, owner);
  if (file === undefined) return undefined;
  try {
    return fstatSync(file).isFile() ? readFileSync(file) : undefined;
  } finally {
    closeSync(file);
  }
}

/** What the user cannot read, no program of theirs could. */
function openFile(target: string, owner: Owner): number | undefined {
  try {
    return openSync(target, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (owner === "user" && (error as NodeJS.ErrnoException).code === "EACCES") return undefined;
    throw error;
  }
}

/** The first part of a path's folders that exists and is no real folder. */
export function blockerOf(root: string, path: string): string | undefined {
  const parts = path.split("/");
  for (let count = 1; count < parts.length; count++) {
    const folder = parts.slice(0, count).join("/");
    const found = lstatSync(join(root, folder), { throwIfNoEntry: false });
    if (!found) return undefined;
    if (!found.isDirectory()) return folder;
  }
  return undefined;
}

/** Renames into place. A folder in the way goes: it stands where a file belongs. */
function settle(root: string, temporary: string, target: string): void {
  ownAsRoot(root, temporary);
  try {
    if (lstatSync(target, { throwIfNoEntry: false })?.isDirectory()) rmSync(target, { recursive: true, force: true });
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

function temporaryBeside(target: string): string {
  return join(dirname(target), `.loopwright-${randomBytes(6).toString("hex")}.tmp`);
}

/** Run as root, what we make belongs to whoever owns the workspace. */
function ownAsRoot(root: string, path: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(root);
  if (uid !== 0 || gid !== 0) lchownSync(path, uid, gid);
}
