// Folders that programs have written, as the host looks at them once those programs are gone: with ordinary calls, and
// through no symbolic link.

import { chmodSync, type Dirent, lstatSync, readdirSync, rmSync, type Stats } from "node:fs";
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setImmediate } from "node:timers/promises";

/** Where a path of a folder lies; undefined where a link, a file or nothing is on the way. */
export function pathIn(root: string, path: string): string | undefined {
  const above = dirname(path);
  if (above === ".") return join(root, path);
  const folder = pathIn(root, above);
  return folder !== undefined && lookAt(folder)?.isDirectory() ? join(root, path) : undefined;
}

/** What lies at a path, itself and not what a link leads to; undefined where nothing does. */
export function lookAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (isCode(error, "ENOTDIR", "ENAMETOOLONG")) return undefined;
    throw error;
  }
}

/** The entries of a folder of ours; one that a program has locked is unlocked, and one that no path can reach is empty. */
export function listFolder(path: string): Dirent[] {
  const found = lookAt(path);
  if (!found?.isDirectory()) return [];
  if ((found.mode & 0o700) !== 0o700) chmodSync(path, 0o755);
  return readdirSync(path, { withFileTypes: true });
}

/** Removes a path of ours and all below it, however deep or locked. */
export async function removeAll(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true }).catch(() => removeAllNow(path));
}

/** The same, where nobody can wait. */
export function removeAllNow(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch (error) {
    if (!isCode(error, "EACCES", "EPERM", "ENOTEMPTY")) throw error;
    unlock(path);
    rmSync(path, { recursive: true, force: true });
  }
}

function unlock(folder: string): void {
  for (const { name } of listFolder(folder)) unlock(join(folder, name));
}

const SLICE_MS = 15;

/** For long work: awaited at each step, it lets the event loop have its turn now and then. */
export function takeTurns(signal?: AbortSignal): () => Promise<void> {
  let until = performance.now() + SLICE_MS;
  return async () => {
    if (performance.now() < until) return;
    await setImmediate();
    signal?.throwIfAborted();
    until = performance.now() + SLICE_MS;
  };
}

/** Whether an error of the file system's is one of these. */
export function isCode(error: unknown, ...codes: string[]): boolean {
  return codes.includes((error as NodeJS.ErrnoException).code ?? "");
}
