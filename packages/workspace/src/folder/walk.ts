// What stands in a workspace: every entry by its path, links not followed, what is not the project's own left out. What a workspace
// may hold is decided here alone: walking, snapshots and restoring go by the same limits.

import { type Dirent, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { LoopwrightError } from "@loopwright/core";
import { shownPath } from "@loopwright/git";
import { isCode, listFolder, removeAll, takeTurns } from "@loopwright/sandbox";

export interface Entry {
  /** From the workspace's folder, with `/`. */
  path: string;
  kind: "file" | "link" | "folder" | "other";
  isExecutable: boolean;
  size: number;
  /** Changes whenever the entry's content may have changed, and cannot be set by a program. */
  stamp: string;
  changedMs: number;
}

/** Files, links and folders; folders in folders; bytes of a path; bytes of all files, as they would be read: holes count. */
const MOST = { entries: 100_000, depth: 200, pathBytes: 2_000, bytes: 1_000_000_000 };

/** A workspace past one of its limits, in a sentence that a model or a person can act on. */
export class TooLarge extends LoopwrightError {}

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
  const leftOut = new Set(also);
  const turn = takeTurns();
  const folders = [""];
  let bytes = 0;
  for (const above of folders) {
    for (const name of namesIn(join(root, above), owner)) {
      await turn();
      const path = above === "" ? name : `${above}/${name}`;
      if (isIgnored(name) || leftOut.has(path)) continue;
      const entry = entryAt(root, path);
      if (!entry) continue;
      if (entry.kind === "file") bytes += entry.size;
      entries.push(entry);
      checkLimits(path, entries.length, bytes);
      if (entry.kind === "folder") folders.push(path);
    }
  }
  return entries;
}

function checkLimits(path: string, entries: number, bytes: number): void {
  const past = (what: string) => {
    const message = `the workspace holds ${what}, which is its limit (at '${shownPath(path)}')`;
    return new TooLarge("WORKSPACE_TOO_LARGE", message);
  };
  if (path.split("/").length > MOST.depth) throw past(`folders nested deeper than ${MOST.depth}`);
  if (Buffer.byteLength(path) > MOST.pathBytes) throw past(`a path longer than ${MOST.pathBytes} bytes`);
  if (entries > MOST.entries) throw past(`more than ${MOST.entries} files and folders`);
  if (bytes > MOST.bytes) throw past(`more than ${MOST.bytes / 1e6} MB in files`);
}

/** Takes things out of a folder of ours, however deep or many they are: what goes, goes whole; what is a folder may be entered. */
export async function prune(
  root: string,
  fateOf: (path: string, entry: Dirent) => "goes" | "stays" | "is entered",
): Promise<void> {
  const turn = takeTurns();
  const folders = [""];
  for (const above of folders) {
    for (const entry of listFolder(join(root, above))) {
      await turn();
      const path = join(above, entry.name);
      const fate = fateOf(path, entry);
      if (fate === "goes") await removeAll(join(root, path));
      else if (fate === "is entered" && entry.isDirectory()) folders.push(path);
    }
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
    stamp: `${ino}:${ctimeNs}:${size}:${mode}`,
  };
}
