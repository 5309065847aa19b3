// What stands in a workspace: every entry by its path, links not followed, what is not the project's own left out.

import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { isCode, listFolder, takeTurns } from "@loopwright/sandbox";
import { Measure } from "./limits.ts";

export interface Entry {
  /** From the workspace's folder, with `/`. */
  path: string;
  kind: "file" | "link" | "folder" | "other";
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

/** Every entry below a folder, parents before what they hold; `also` names further paths to leave out, and so is what has a
 * name that is no text. A folder of the user's is only looked at: what cannot be read there is left out. */
export async function walk(root: string, also: readonly string[] = [], owner: Owner = "us"): Promise<Entry[]> {
  const entries: Entry[] = [];
  const measure = new Measure();
  const leftOut = new Set(also);
  const turn = takeTurns();
  await inside("");
  return entries;

  async function inside(above: string): Promise<void> {
    const folders: string[] = [];
    for (const name of namesIn(join(root, above), owner)) {
      await turn();
      const path = above === "" ? name : `${above}/${name}`;
      if (isIgnored(name) || leftOut.has(path)) continue;
      const entry = entryAt(root, path);
      if (!entry) continue;
      measure.add(path, entry.kind, entry.size);
      entries.push(entry);
      if (entry.kind === "folder") folders.push(path);
    }
    for (const path of folders) await inside(path);
  }
}

function namesIn(folder: string, owner: Owner): string[] {
  if (owner === "us") return listFolder(folder).map(({ name }) => name);
  try {
    return readdirSync(folder);
  } catch (error) {
    if (isCode(error, "EACCES", "ENOENT", "ENOTDIR")) return [];
    throw error;
  }
}

function entryAt(root: string, path: string): Entry | undefined {
  const found = lstatSync(join(root, path), { bigint: true, throwIfNoEntry: false });
  if (!found) return undefined;
  const { mode, size, ino, ctimeNs, ctimeMs } = found;
  const isPlain = found.isFile() ? "file" : "other";
  return {
    ...{ path, size: Number(size), changedMs: Number(ctimeMs) },
    kind: found.isDirectory() ? "folder" : found.isSymbolicLink() ? "link" : isPlain,
    isExecutable: (mode & 0o100n) !== 0n,
    isLocked: (mode & 0o600n) !== 0o600n,
    stamp: `${ino}:${ctimeNs}:${size}:${mode}`,
  };
}
