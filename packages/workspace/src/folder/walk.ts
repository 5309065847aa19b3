// What stands in a workspace: every entry by its path, links not followed, what is not the project's own left out.

import { type EntryKind, inSlices, isCode, listing, OpenFolder, type Work } from "@loopwright/sandbox";
import { Measure } from "./limits.ts";

export interface Entry {
  /** From the workspace's folder, with `/`. */
  path: string;
  kind: EntryKind;
  isExecutable: boolean;
  /** Whether not even its owner may read and write it. */
  isLocked: boolean;
  size: number;
  /** Changes whenever the entry's content may have changed, and cannot be set by a program. */
  stamp: string;
  changedMs: number;
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

/** Whether a path lies in something that is left out of snapshots, lists and writes. */
export function isIgnored(path: string, also: readonly string[] = []): boolean {
  const parts = path.toLowerCase().split("/");
  return parts.some((part) => IGNORED_NAMES.includes(part)) || also.some((one) => isWithin(path, one));
}

/** Whether a path is another one, or lies in it. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

/** Whose a folder is: in one of ours a locked folder is opened, as whoever restores must take things out of it. */
export type Owner = "us" | "user";

/** Opens a workspace's folder. */
export function openRoot(root: string, owner: Owner = "us"): OpenFolder {
  return OpenFolder.open(root, { isOurs: owner === "us" });
}

/** Every entry below a folder, parents before what they hold; `also` names further paths to leave out, and so is what has a
 * name that is no text. A folder of the user's is only looked at: what cannot be read there is left out. */
export function walk(root: string, also: readonly string[] = [], owner: Owner = "us"): Promise<Entry[]> {
  return inSlices(walking(root, also, owner));
}

function* walking(root: string, also: readonly string[], owner: Owner): Work<Entry[]> {
  const entries: Entry[] = [];
  const measure = new Measure();
  const leftOut = new Set(also);
  using top = openRoot(root, owner);
  yield* inside(top, "");
  return entries;

  function* inside(folder: OpenFolder, above: string): Work<void> {
    const folders: string[] = [];
    for (const each of yield* listing(folder)) {
      yield;
      const name = textOf(each.name);
      if (name === undefined || isIgnored(name)) continue;
      const path = above === "" ? name : `${above}/${name}`;
      if (leftOut.has(path)) continue;
      const entry = entryAt(folder, name, path);
      if (!entry) continue;
      measure.add(path, entry.kind, entry.size);
      entries.push(entry);
      if (entry.kind === "folder") folders.push(name);
    }
    for (const name of folders) {
      using inner = entered(folder, name, owner);
      if (inner) yield* inside(inner, above === "" ? name : `${above}/${name}`);
    }
  }
}

/** A name as text; undefined where its bytes are none. */
export function textOf(name: Buffer): string | undefined {
  const text = name.toString();
  return Buffer.from(text).equals(name) ? text : undefined;
}

function entered(folder: OpenFolder, name: string, owner: Owner): OpenFolder | undefined {
  try {
    return folder.enter(name);
  } catch (error) {
    if (owner === "user" && isCode(error, "EACCES")) return undefined;
    throw error;
  }
}

function entryAt(folder: OpenFolder, name: string, path: string): Entry | undefined {
  const found = folder.look(name);
  if (!found) return undefined;
  const { kind, mode, size, ino, ctimeNs, ctimeMs } = found;
  return {
    ...{ path, kind, size: Number(size), changedMs: Number(ctimeMs) },
    isExecutable: (mode & 0o100n) !== 0n,
    isLocked: (mode & 0o600n) !== 0o600n,
    stamp: `${ino}:${ctimeNs}:${size}:${mode}`,
  };
}
