// What of a workspace a job must not change, and what it must not leave behind.
//
// Git directories are found by looking, wherever they lie. A path that is a symlink cannot be mounted over: its target is
// protected where that lies in the workspace, and the link itself is put back afterwards.

import { join, normalize, sep } from "node:path";
import { UsageError } from "@loopwright/core";
import { inSlices, listing, lookAt, OpenFolder, reach, type Work } from "./folder/index.ts";

/** What was found in a workspace, as paths relative to it. */
export interface Findings {
  /** Git directories, `.git` files, and bare repositories. */
  git: string[];
  /** Sockets, pipes and devices, which reach beyond the folder they lie in. */
  special: string[];
  /** Names that are no text: no list, snapshot or command could name them. They are known by their folder. */
  nameless: { folder: string; name: Buffer }[];
}

/** Deeper than any workspace may be: what lies there is found when the workspace is measured, and goes with it. */
const DEEPEST = 256;

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
export function scanWorkspace(root: string, leaveOut: ReadonlySet<string> = new Set()): Promise<Findings> {
  return inSlices(scanning(root, leaveOut));
}

function* scanning(root: string, leaveOut: ReadonlySet<string>): Work<Findings> {
  const found: Findings = { git: [], special: [], nameless: [] };
  using top = OpenFolder.open(root, { isOurs: true });
  yield* inside(top, "", 1);
  return found;

  function* inside(folder: OpenFolder, above: string, depth: number): Work<void> {
    const entries = yield* listing(folder);
    const names = new Set(entries.map(({ name }) => name.toString()));
    if (above !== "" && names.has("HEAD") && names.has("objects") && names.has("refs")) {
      found.git.push(above);
      return;
    }
    for (const { name, kind } of entries) {
      yield;
      const text = name.toString();
      const path = join(above, text);
      if (!Buffer.from(text).equals(name)) found.nameless.push({ folder: above, name });
      else if (leaveOut.has(path)) continue;
      else if (text.toLowerCase() === ".git") found.git.push(path);
      else if (kind === "other") found.special.push(path);
      else if (kind === "folder" && depth < DEEPEST) {
        using inner = folder.enter(name);
        if (inner) yield* inside(inner, path, depth + 1);
      }
    }
  }
}

/** Settles how each path that must not change is held. */
export async function protectWorkspace(root: string, paths: readonly string[]): Promise<Protection> {
  const nothing: Findings = { git: [], special: [], nameless: [] };
  const protection: Protection = { readOnly: [], missing: [], links: [], found: nothing };
  using top = OpenFolder.open(root, { isOurs: true });
  const place = { top, root };
  for (const path of paths) settle(place, insidePath(path), protection);
  protection.found = await scanWorkspace(root, new Set(protection.readOnly));
  for (const path of protection.found.git) settle(place, path, protection);
  protection.readOnly = outermost(protection.readOnly);
  return protection;
}

interface Place {
  top: OpenFolder;
  root: string;
}

function settle(place: Place, path: string, protection: Protection): void {
  const steps = path.split(sep);
  for (let length = 1; length <= steps.length; length++) {
    const part = join(...steps.slice(0, length));
    const found = lookAt(place.top, part);
    if (!found || (found.kind !== "folder" && found.kind !== "link" && length < steps.length)) {
      protection.missing.push(path);
      return;
    }
    if (found.kind !== "link") continue;
    protection.links.push({ path: part, target: linkAt(place, part) });
    const target = realPathInside(place, path);
    if (target !== undefined) protection.readOnly.push(target);
    return;
  }
  protection.readOnly.push(path);
}

const MOST_LINKS = 40;

/** Where a path leads, its links read by us one by one; undefined where that is outside, or nowhere. */
function realPathInside(place: Place, path: string): string | undefined {
  const left = path.split(sep);
  const done: string[] = [];
  for (let links = 0; left.length > 0; ) {
    const part = left.shift()!;
    if (part === "" || part === ".") continue;
    if (part === "..") {
      if (done.pop() === undefined) return undefined;
      continue;
    }
    const found = lookAt(place.top, [...done, part].join(sep));
    if (!found) return undefined;
    if (found.kind !== "link") done.push(part);
    else {
      const target = linkAt(place, [...done, part].join(sep));
      const isWhole = target.startsWith(place.root + sep);
      if ((target.startsWith(sep) && !isWhole) || ++links > MOST_LINKS) return undefined;
      if (isWhole) done.length = 0;
      left.unshift(...(isWhole ? target.slice(place.root.length) : target).split(sep));
    }
  }
  return done.length === 0 ? undefined : done.join(sep);
}

function linkAt({ top }: Place, path: string): string {
  return reach(top, path, (folder, name) => folder.readLink(name))?.toString() ?? "";
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
