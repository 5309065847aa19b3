// Placing and reading single files of a workspace, while no program runs in it; no link is followed.

import { randomBytes } from "node:crypto";
import {
  chmodSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { ExecutionError } from "@loopwright/core";
import { isCode, lookAt, pathIn, removeAllNow } from "@loopwright/sandbox";
import type { Owner } from "./walk.ts";

type Found = ReturnType<typeof lookAt>;

/** Puts a file in its place at once: whoever looks sees the old bytes or the new ones. */
export function placeFile(root: string, path: string, bytes: Uint8Array, isExecutable = false): void {
  placing(root, path, (temporary, found) => {
    writeFileSync(temporary, bytes, { flag: "wx", mode: 0o644 });
    chmodSync(temporary, modeFor(found, isExecutable));
  });
}

/** Who may read a file that is there stays as it was: what only its owner could read, others cannot read now. */
function modeFor(found: Found, isExecutable: boolean): number {
  const shared = found?.isFile() ? found.mode & 0o066 : 0o044;
  return 0o600 | shared | (isExecutable ? 0o100 | ((shared & 0o044) >> 2) : 0);
}

/** Puts a symbolic link in its place. */
export function placeLink(root: string, path: string, to: Uint8Array): void {
  placing(root, path, (temporary) => symlinkSync(Buffer.from(to), temporary));
}

/** Makes something beside its place, and renames it there. A folder in the way goes: it stands where a file belongs. */
function placing(root: string, path: string, make: (temporary: string, found: Found) => void): void {
  makeFolder(root, dirname(path));
  const at = join(root, path);
  const temporary = join(dirname(at), `.loopwright-${randomBytes(6).toString("hex")}.tmp`);
  try {
    make(temporary, lookAt(at));
    giveTo(root, temporary);
    if (lookAt(at)?.isDirectory()) removeAllNow(at);
    renameSync(temporary, at);
  } catch (error) {
    removeAllNow(temporary);
    throw error;
  }
}

/** Makes a folder and those above it; a link or a file in the way is an error, never a way through. */
export function makeFolder(root: string, path: string): void {
  if (path === ".") return;
  makeFolder(root, dirname(path));
  const at = join(root, path);
  const found = lookAt(at);
  if (found?.isDirectory()) return;
  if (found) throw new ExecutionError("PATH_BLOCKED", `${path} cannot be a folder: a file or a link is in the way`);
  mkdirSync(at);
  giveTo(root, at);
}

/** Gives what root has made to whoever owns the workspace. */
function giveTo(root: string, path: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = lstatSync(root);
  if (uid !== 0 || gid !== 0) lchownSync(path, uid, gid);
}

/** Removes a file or a link, and the folders that are empty then. */
export function removeFile(root: string, path: string): void {
  const at = pathIn(root, path);
  if (at === undefined || lookAt(at)?.isDirectory()) return;
  rmSync(at, { force: true });
  for (let above = dirname(path); above !== "."; above = dirname(above)) {
    try {
      rmdirSync(join(root, above));
    } catch {
      return;
    }
  }
}

/** Removes what a path is, with all that is in it. */
export function removePath(root: string, path: string): void {
  const at = pathIn(root, path);
  if (at !== undefined) removeAllNow(at);
}

/** What a path of a workspace is; undefined where nothing is, or a link or a file is on the way. */
export function lookIn(root: string, path: string): Found {
  const at = pathIn(root, path);
  return at === undefined ? undefined : lookAt(at);
}

/** The bytes of a plain file, or of a link its target; undefined for anything else, or where a link leads to it. One of ours
 * that a program has locked is unlocked. */
export function readPlain(root: string, path: string, owner: Owner = "us"): Buffer | undefined {
  const found = lookIn(root, path);
  const at = join(root, path);
  if (found?.isSymbolicLink()) return readlinkSync(at, { encoding: "buffer" });
  if (!found?.isFile()) return undefined;
  const mode = found.mode & 0o777;
  if (owner === "us" && (mode & 0o600) !== 0o600) chmodSync(at, mode | 0o600);
  try {
    return readFileSync(at);
  } catch (error) {
    if (isCode(error, "ENOENT", "EACCES", "EPERM")) return undefined;
    throw error;
  }
}

/** The first part of a path's folders that exists and is no real folder. */
export function blockerOf(root: string, path: string): string | undefined {
  const above = dirname(path);
  if (above === ".") return undefined;
  const found = lookIn(root, above);
  return blockerOf(root, above) ?? (found && !found.isDirectory() ? above : undefined);
}
