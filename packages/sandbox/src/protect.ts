// What of a workspace a job must not change, and what it must not leave behind.
//
// Git directories are found by looking, wherever they lie. A path that is a symlink cannot be mounted over: its target is
// protected where that lies in the workspace, and the link itself is put back afterwards.

import { readlinkSync, realpathSync, symlinkSync } from "node:fs";
import { join, normalize, sep } from "node:path";
import { InfrastructureError, UsageError } from "@loopwright/core";
import { listFolder, lookAt, pathIn, removeAll, takeTurns } from "./folder.ts";

/** What was found in a workspace, as paths relative to it. */
export interface Findings {
  /** Git directories, `.git` files, and bare repositories. */
  git: string[];
  /** Sockets, pipes and devices, which reach beyond the folder they lie in. */
  special: string[];
}

export interface Protection {
  /** Paths to mount read-only; none lies in another. */
  readOnly: string[];
  /** Paths that must not exist after the job either. */
  missing: string[];
  /** Symlinks that must be the same after the job. */
  links: { path: string; target: string }[];
  found: Findings;
}

/** Settles how each path that must not change is held. */
export async function protectWorkspace(root: string, paths: readonly string[]): Promise<Protection> {
  const protection: Protection = { readOnly: [], missing: [], links: [], found: { git: [], special: [] } };
  for (const path of paths) settle(root, insidePath(path), protection);
  protection.found = await scanWorkspace(root, protection.readOnly);
  for (const path of protection.found.git) settle(root, path, protection);
  protection.readOnly = outermost(protection.readOnly);
  return protection;
}

/** Removes what a job made where nothing may be made, and tells what that was. Nothing of the job runs any more. */
export async function sweepWorkspace(root: string, before: Protection): Promise<string[]> {
  const removed: string[] = [];
  const remove = async (path: string) => {
    const at = pathIn(root, path);
    if (at === undefined || !lookAt(at)) return;
    await removeAll(at);
    removed.push(path);
  };
  try {
    const after = await scanWorkspace(root, before.readOnly);
    const known = new Set([...before.found.git, ...before.found.special]);
    const left = [...after.git, ...after.special].filter((path) => !known.has(path));
    for (const path of [...before.missing, ...left]) await remove(path);
    for (const { path, target } of before.links) {
      const at = pathIn(root, path);
      if (at === undefined || linkAt(at) === target) continue;
      await remove(path);
      symlinkSync(target, at);
    }
    return removed;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new InfrastructureError("SANDBOX_FAILED", `what a job left in ${root} stays: ${why}`, { cause });
  }
}

/** Looks through a workspace, leaving out the paths given and what lies in them. */
export async function scanWorkspace(root: string, leaveOut: readonly string[] = []): Promise<Findings> {
  const found: Findings = { git: [], special: [] };
  const turn = takeTurns();
  await inside("");
  return found;

  async function inside(above: string): Promise<void> {
    await turn();
    const entries = listFolder(join(root, above));
    const names = new Set(entries.map(({ name }) => name));
    if (above !== "" && names.has("HEAD") && names.has("objects") && names.has("refs")) {
      found.git.push(above);
      return;
    }
    for (const entry of entries) {
      const path = join(above, entry.name);
      if (leaveOut.includes(path)) continue;
      if (entry.name.toLowerCase() === ".git") found.git.push(path);
      else if (entry.isDirectory()) await inside(path);
      else if (!entry.isFile() && !entry.isSymbolicLink()) found.special.push(path);
    }
  }
}

function settle(root: string, path: string, protection: Protection): void {
  const steps = path.split(sep);
  for (let length = 1; length <= steps.length; length++) {
    const part = steps.slice(0, length).join(sep);
    const target = linkAt(join(root, part));
    if (target !== undefined) {
      protection.links.push({ path: part, target });
      const real = realPathInside(root, path);
      if (real !== undefined) protection.readOnly.push(real);
      return;
    }
  }
  const isThere = lookAt(join(root, path)) !== undefined;
  protection[isThere ? "readOnly" : "missing"].push(path);
}

function linkAt(path: string): string | undefined {
  return lookAt(path)?.isSymbolicLink() ? readlinkSync(path) : undefined;
}

/** Where a path leads; undefined where that is outside, or nowhere. */
function realPathInside(root: string, path: string): string | undefined {
  try {
    const real = realpathSync(join(root, path));
    return real.startsWith(root + sep) ? real.slice(root.length + 1) : undefined;
  } catch {
    return undefined;
  }
}

function insidePath(path: string): string {
  const clean = normalize(path).replace(/\/+$/, "");
  if (path.includes("\0") || clean.startsWith(sep) || clean === ".." || clean.startsWith(`..${sep}`) || clean === ".")
    throw new UsageError("SANDBOX_PATH", `'${path}' is no path inside the workspace, so it cannot be made read-only`);
  return clean;
}

/** The paths that lie in no other, each once, parents before children. */
function outermost(paths: readonly string[]): string[] {
  const kept: string[] = [];
  for (const path of [...new Set(paths)].sort())
    if (!kept.some((other) => path.startsWith(other + sep))) kept.push(path);
  return kept;
}
