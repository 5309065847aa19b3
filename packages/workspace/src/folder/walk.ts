// What stands in a workspace: every entry by its path, links not followed, what is not the project's own left out.

import { chmodSync, lstatSync, readdirSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { LoopwrightError } from "@loopwright/core";

export type EntryKind = "file" | "link" | "folder" | "other";

export interface Entry {
  /** From the workspace's folder, with `/`. */
  path: string;
  kind: EntryKind;
  isExecutable: boolean;
  size: number;
  /** Changes whenever the entry's content may have changed, and cannot be set by a program. */
  stamp: string;
  changedMs: number;
  /** The path as bytes, for a name that is no text. */
  raw: Buffer;
}

/** Names that are no part of a project's own files: git directories, caches, installed packages, our own state. */
export const IGNORED_NAMES: readonly string[] = [
  ".git",
  ".loopwright",
  "node_modules",
  ".venv",
  "__pycache__",
  ".pytest_cache",
  ".mypy_cache",
  ".ruff_cache",
  ".tox",
  ".nox",
];

const MAX_ENTRIES = 100_000;
const ENTRIES_PER_TURN = 2_000;

/** Whether a path lies in something that is left out of snapshots, lists and writes. */
export function isIgnored(path: string, also: readonly string[] = []): boolean {
  const parts = path.toLowerCase().split("/");
  return parts.some((part) => IGNORED_NAMES.includes(part)) || also.some((one) => isWithin(path, one));
}

/** Whether a path is another one, or lies in it. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

/** Every entry below a folder, parents before what they hold; `also` names further paths to leave out. A folder of the user's
 * is only looked at: what cannot be read there is left out. */
export async function walk(root: string, also: readonly string[] = [], owner: Owner = "us"): Promise<Entry[]> {
  const entries: Entry[] = [];
  const rootBytes = Buffer.from(root);
  const waiting: { path: string; raw: Buffer }[] = [{ path: "", raw: rootBytes }];
  for (let folder = waiting.pop(); folder; folder = waiting.pop()) {
    for (const name of namesIn(folder.raw, owner)) {
      const raw = Buffer.concat([folder.raw, Buffer.from("/"), name]);
      const path = folder.path === "" ? name.toString() : `${folder.path}/${name.toString()}`;
      if (isIgnored(name.toString()) || also.includes(path)) continue;
      const entry = entryAt(path, raw, name);
      if (!entry) continue;
      entries.push(entry);
      if (entry.kind === "folder") waiting.push({ path, raw });
      if (entries.length > MAX_ENTRIES) throw tooLarge(root);
      if (entries.length % ENTRIES_PER_TURN === 0) await setImmediate();
    }
  }
  return entries;
}

/** Whose a folder is: in one of ours a locked folder is opened, as whoever restores must take things out of it. */
export type Owner = "us" | "user";

function namesIn(folder: Buffer, owner: Owner): Buffer[] {
  const { mode } = lstatSync(folder);
  if (owner === "us" && (mode & 0o700) !== 0o700) chmodSync(folder, (mode & 0o777) | 0o700);
  try {
    return readdirSync(folder, { encoding: "buffer" });
  } catch (error) {
    if (owner === "user" && (error as NodeJS.ErrnoException).code === "EACCES") return [];
    throw error;
  }
}

function entryAt(path: string, raw: Buffer, name: Buffer): Entry | undefined {
  const found = lstatSync(raw, { bigint: true, throwIfNoEntry: false });
  if (!found) return undefined;
  const isText = Buffer.from(name.toString()).equals(name);
  const kind = found.isDirectory() ? "folder" : found.isSymbolicLink() ? "link" : found.isFile() ? "file" : "other";
  return {
    path,
    kind: isText ? kind : "other",
    isExecutable: (found.mode & 0o100n) !== 0n,
    size: Number(found.size),
    stamp: `${found.ino}:${found.ctimeNs}:${found.size}:${found.mode}`,
    changedMs: Number(found.ctimeMs),
    raw,
  };
}

function tooLarge(root: string): LoopwrightError {
  return new LoopwrightError(
    "WORKSPACE_TOO_LARGE",
    `${root} holds more than ${MAX_ENTRIES} files: give the run a smaller folder, or leave folders out of it`,
  );
}
