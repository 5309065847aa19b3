// After a job: what it left that nobody may find. Nothing of the job runs any more, and no symlink is followed.

import { join } from "node:path";
import { InfrastructureError } from "@loopwright/core";
import { inSlices, lookAt, OpenFolder, reach, removing, type Work } from "./folder/index.ts";
import { type Findings, type Protection, scanWorkspace } from "./scan.ts";

/** Removes what a job made where nothing may be made, and tells what that was. */
export async function sweepWorkspace(root: string, before: Protection): Promise<string[]> {
  using top = OpenFolder.open(root, { isOurs: true });
  const removed = before.missing.filter((path) => lookAt(top, path));
  try {
    await inSlices(removingAll(top, removed));
    const after = await scanWorkspace(root, new Set(before.readOnly));
    const known = new Set([...before.found.git, ...before.found.special]);
    const left = [...after.git, ...after.special].filter((path) => !known.has(path));
    await inSlices(removingAll(top, left, after.nameless));
    await inSlices(puttingBack(top, before.links, removed));
    return [...removed, ...left, ...after.nameless.map(({ folder, name }) => join(folder, name.toString()))];
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new InfrastructureError("SANDBOX_FAILED", `what a job left in ${root} stays: ${why}`, { cause });
  }
}

function* puttingBack(top: OpenFolder, links: Protection["links"], removed: string[]): Work<void> {
  for (const { path, target } of links) {
    yield;
    const now = reach(top, path, (folder, name) => folder.readLink(name)?.toString());
    if (now === target) continue;
    if (lookAt(top, path)) {
      yield* removingAt(top, path);
      removed.push(path);
    }
    reach(top, path, (folder, name) => folder.makeLink(name, target));
  }
}

function* removingAll(top: OpenFolder, paths: readonly string[], nameless: Findings["nameless"] = []): Work<void> {
  for (const path of paths) {
    yield* removingAt(top, path);
    yield;
  }
  for (const { folder, name } of nameless) {
    yield* removingAt(top, folder, name);
    yield;
  }
}

/** Removes a path, or a name in the folder that a path names. */
function* removingAt(top: OpenFolder, path: string, name?: Buffer): Work<void> {
  const above = name ? path : path.slice(0, Math.max(0, path.lastIndexOf("/")));
  using inner = above === "" ? undefined : reach(top, above, (folder, last) => folder.enter(last));
  const parent = above === "" ? top : inner;
  if (parent) yield* removing(parent, name ?? path.slice(path.lastIndexOf("/") + 1));
}
