// Removing what a job left, however deep, long-named, locked or many; no link is followed.

import { randomBytes } from "node:crypto";
import { basename, dirname } from "node:path";
import { type EntryKind, isCode, type Name, OpenFolder } from "./open-folder.ts";
import { atOnce, inSlices, type Work } from "./slices.ts";

const ROUNDS = 5;

/** Removes a name and all below it, from a folder that is ours; what is not there is gone already. */
export function* removing(folder: OpenFolder, name: Name): Work<void> {
  const found = folder.look(name);
  if (!found) return;
  if (found.kind !== "folder") return remove(() => folder.removeFile(name));
  for (let round = 1; ; round++) {
    yield* emptying(folder, name);
    try {
      return remove(() => folder.removeFolder(name));
    } catch (error) {
      // Whoever still writes there has put something in meanwhile.
      if (round === ROUNDS || !isCode(error, "ENOTEMPTY", "EEXIST", "ENOTDIR")) throw error;
    }
  }
}

/** A folder is emptied level by level: each folder inside it is first brought up beside the others, so that no path grows
 * with the depth, and no more than two folders are open at a time. */
function* emptying(folder: OpenFolder, name: Name): Work<void> {
  using top = folder.enter(name);
  if (!top) return;
  const waiting: Buffer[] = [];
  yield* clearing(top, top, waiting);
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const inner = next;
    {
      using opened = top.enter(inner);
      if (opened) yield* clearing(opened, top, waiting);
    }
    yield* removing(top, inner);
  }
}

/** Removes a folder's files, and brings its folders up to the top. */
function* clearing(opened: OpenFolder, top: OpenFolder, waiting: Buffer[]): Work<void> {
  for (const { name, kind } of yield* listing(opened)) {
    yield;
    if (kind !== "folder") {
      remove(() => opened.removeFile(name));
      continue;
    }
    remove(() => opened.chmod(name, 0o700));
    if (opened === top) waiting.push(name);
    else {
      const above = Buffer.from(`.removed-${randomBytes(9).toString("hex")}`);
      opened.rename(name, above, top);
      waiting.push(above);
    }
  }
}

/** What a folder holds, read whole: what is removed while one reads can make others be passed over. */
export function* listing(folder: OpenFolder): Work<{ name: Buffer; kind: EntryKind }[]> {
  const found: { name: Buffer; kind: EntryKind }[] = [];
  for (const each of folder.names()) {
    found.push(each);
    yield;
  }
  return found;
}

function remove(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!isCode(error, "ENOENT")) throw error;
  }
}

/** Removes a path of ours and all below it. */
export function removeAll(path: string): Promise<void> {
  return inSlices(removingPath(path));
}

/** The same, where nobody can wait. */
export function removeAllNow(path: string): void {
  atOnce(removingPath(path));
}

function* removingPath(path: string): Work<void> {
  using parent = openOrNone(dirname(path));
  if (parent) yield* removing(parent, basename(path));
}

function openOrNone(path: string): OpenFolder | undefined {
  try {
    return OpenFolder.open(path, { isOurs: true });
  } catch (error) {
    if (isCode(error, "ENOENT", "ENOTDIR")) return undefined;
    throw error;
  }
}
