// The repository's index brought to a commit, at some paths only: whatever else a person has staged stays staged.
//
// The new index is made beside the old one and put in its place under git's own lock, which is held for that moment
// alone. The lock is a link to a file of ours, so one that a dead process of ours left can be told from a living git's.

import { linkSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { copyFile, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { LoopwrightError } from "@loopwright/core";
import { tryUserGit } from "@loopwright/git";
import type { Place } from "../place.ts";
import type { TreeEntry } from "../trees.ts";
import { ownFolder, setIndexEntries } from "./draft.ts";

/** Milliseconds; other programs (an editor that shows git's state) hold the lock, or write the index, for some of them. */
const LONGEST_WAIT = 5_000;

/** Sets entries of the repository's index as a commit has them. */
export async function bringIndex(
  place: Place,
  entries: readonly (readonly [path: string, entry: TreeEntry | undefined])[],
): Promise<void> {
  if (entries.length === 0) return;
  await mkdir(ownFolder(place), { recursive: true });
  for (const start = performance.now(); performance.now() - start < LONGEST_WAIT; await pause(20)) {
    const before = identity(indexOf(place));
    const next = await makeIndex(place, entries);
    if (replaceIndex(place, next, before)) return;
  }
  throw new LoopwrightError("INDEX_LOCKED", lockWords(place));
}

/** A copy of the index with the entries set. */
async function makeIndex(place: Place, entries: Parameters<typeof bringIndex>[1]): Promise<string> {
  const next = join(ownFolder(place), "next-index");
  await rm(`${next}.lock`, { force: true });
  await rm(next, { force: true });
  await copyFile(indexOf(place), next).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
  await setIndexEntries(place, next, entries);
  // Ends with a failure where a file differs from the index, which is no fault: a person may be writing.
  await tryUserGit(["update-index", "-q", "--refresh"], { folder: place.root, env: { GIT_INDEX_FILE: next } });
  return next;
}

/** Puts the new index in its place, unless another git holds the lock or has changed the index meanwhile. */
function replaceIndex(place: Place, next: string, before: string | undefined): boolean {
  releaseIndexLock(place);
  writeFileSync(claimOf(place), "");
  try {
    linkSync(claimOf(place), indexLock(place));
    const isSame = identity(indexOf(place)) === before;
    if (isSame) renameSync(next, indexOf(place));
    return isSame;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    releaseIndexLock(place);
  }
}

/** The path of git's lock of the index. */
export function indexLock(place: Place): string {
  return `${indexOf(place)}.lock`;
}

/** Lets go of the lock where it is ours, also where a dead process of ours took it. */
export function releaseIndexLock(place: Place): void {
  const [lock, ours] = [indexLock(place), claimOf(place)].map(inodeOf);
  if (lock !== undefined && lock === ours) rmSync(indexLock(place), { force: true });
  rmSync(claimOf(place), { force: true });
}

/** What to do about a lock that stays. */
export function lockWords(place: Place): string {
  const lock = indexLock(place);
  return `another git is at work in ${place.root}, or one died there: ${lock} exists. Let it finish; if there is none, type: rm "${lock}"`;
}

function claimOf(place: Place): string {
  return join(ownFolder(place), "index-claim");
}

function indexOf(place: Place): string {
  return join(place.gitDir, "index");
}

function inodeOf(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found && `${found.dev}:${found.ino}`;
}

/** What tells one version of a file from the next. */
function identity(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found && `${found.dev}:${found.ino}:${found.size}:${found.mtimeNs}`;
}
