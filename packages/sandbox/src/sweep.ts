// After a job: what it left that nobody may find. Nothing of the job runs any more, and no symlink is followed.

import { spawnSync } from "node:child_process";
import { lstatSync, readlinkSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { InfrastructureError } from "@loopwright/core";
import { type Protection, scanWorkspace } from "./scan.ts";

/** Removes what a job made where nothing may be made, and tells what that was. */
export function sweepWorkspace(root: string, before: Protection): string[] {
  const removed = before.missing.filter((path) => isReached(root, path));
  for (const path of removed) remove(join(root, path));
  const after = scanWorkspace(root, new Set(before.readOnly));
  const known = new Set([...before.found.git, ...before.found.special]);
  const left = [...after.git, ...after.special].filter((path) => !known.has(path));
  for (const path of left) remove(join(root, path));
  for (const link of before.links) putBack(root, link, removed);
  return [...removed, ...left];
}

function putBack(root: string, { path, target }: { path: string; target: string }, removed: string[]): void {
  const file = join(root, path);
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found?.isSymbolicLink() && readlinkSync(file) === target) return;
  if (!isFolder(root, dirname(path))) return;
  if (found) {
    remove(file);
    removed.push(path);
  }
  symlinkSync(target, file);
}

/** Whether a path exists, and every folder on the way is one and no symlink. */
function isReached(root: string, path: string): boolean {
  return isFolder(root, dirname(path)) && lstatSync(join(root, path), { throwIfNoEntry: false }) !== undefined;
}

function isFolder(root: string, path: string): boolean {
  const steps = path === "." ? [] : path.split(sep);
  return steps.every((_, index) =>
    lstatSync(join(root, ...steps.slice(0, index + 1)), { throwIfNoEntry: false })?.isDirectory(),
  );
}

function remove(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // Folders that are closed, or nested deeper than a path is long.
    spawnSync("chmod", ["-R", "u+rwX", "--", path]);
    const { status, stderr } = spawnSync("rm", ["-rf", "--", path], { encoding: "utf8" });
    if (status !== 0) throw new InfrastructureError("SANDBOX_FAILED", `what a job left at ${path} stays: ${stderr}`);
  }
}
