// What of a workspace a job must not change, and what it must not leave behind.
//
// Git directories are found by looking, wherever they lie. A path that is a symlink cannot be mounted over: its target is
// protected where that lies in the workspace, and the link itself is put back afterwards.

import { chmodSync, lstatSync, readdirSync, readlinkSync, realpathSync } from "node:fs";
import { join, normalize, relative, sep } from "node:path";
import { UsageError } from "@loopwright/core";

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

/** Looks through a workspace, leaving out the paths given and what lies in them. */
export function scanWorkspace(root: string, leaveOut: ReadonlySet<string> = new Set()): Findings {
  const found: Findings = { git: [], special: [] };
  const open = [""];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    const entries = readFolder(join(root, folder));
    const names = new Set(entries.map(({ name }) => name));
    if (folder !== "" && names.has("HEAD") && names.has("objects") && names.has("refs")) {
      found.git.push(folder);
      continue;
    }
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (leaveOut.has(path)) continue;
      if (entry.name.toLowerCase() === ".git") found.git.push(path);
      else if (entry.isDirectory()) open.push(path);
      else if (!entry.isFile() && !entry.isSymbolicLink()) found.special.push(path);
    }
  }
  return found;
}

/** Settles how each path that must not change is held. */
export function protectWorkspace(root: string, paths: readonly string[]): Protection {
  const protection: Protection = { readOnly: [], missing: [], links: [], found: { git: [], special: [] } };
  for (const path of paths) settle(root, insidePath(path), protection);
  protection.found = scanWorkspace(root, new Set(protection.readOnly));
  for (const path of protection.found.git) settle(root, path, protection);
  protection.readOnly = outermost(protection.readOnly);
  return protection;
}

function settle(root: string, path: string, protection: Protection): void {
  const steps = path.split(sep);
  for (let length = 1; length <= steps.length; length++) {
    const part = join(...steps.slice(0, length));
    const found = lstatSync(join(root, part), { throwIfNoEntry: false });
    if (!found || (!found.isDirectory() && !found.isSymbolicLink() && length < steps.length)) {
      protection.missing.push(path);
      return;
    }
    if (!found.isSymbolicLink()) continue;
    protection.links.push({ path: part, target: readlinkSync(join(root, part)) });
    const target = realPathInside(root, path);
    if (target !== undefined) protection.readOnly.push(target);
    return;
  }
  protection.readOnly.push(path);
}

function realPathInside(root: string, path: string): string | undefined {
  try {
    const target = relative(root, realpathSync(join(root, path)));
    return target === "" || target === ".." || target.startsWith(`..${sep}`) ? undefined : target;
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

/** A folder's entries; one that a job has closed is opened again, one that cannot be read has none. */
function readFolder(path: string) {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch {
    try {
      chmodSync(path, 0o700);
      return readdirSync(path, { withFileTypes: true });
    } catch {
      return [];
    }
  }
}
