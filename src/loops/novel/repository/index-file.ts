// The repository's index brought to a commit, at some paths only: whatever else a person has staged stays staged.
//
// Git's own lock is held meanwhile. It is a link to a file of ours, so that one which a dead process of ours left
// behind can be told from a living git's.

import { copyFile, link, mkdir, open, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { LoopwrightError } from "../../../core/errors.ts";
import { tryUserGit } from "../../../git/index.ts";
import { ownFolder, setIndexEntries } from "./draft.ts";
import type { Place } from "./place.ts";
import type { TreeEntry } from "./trees.ts";

/** Milliseconds; other programs (an editor that shows git's state) hold the lock for some of them. */
const LONGEST_WAIT = 5_000;

/** Sets entries of the repository's index as a commit has them. */
export async function bringIndex(
  place: Place,
  entries: Iterable<readonly [path: string, entry: TreeEntry | undefined]>,
): Promise<void> {
  const index = join(place.gitDir, "index");
  const next = join(ownFolder(place), "next-index");
  await takeIndexLock(place);
  try {
    await rm(`${next}.lock`, { force: true });
    await rm(next, { force: true });
    await copyFile(index, next).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error;
    });
    await setIndexEntries(place, next, entries);
    // Ends with a failure where a file differs from the index, which is no fault: a person may be writing.
    await tryUserGit(["update-index", "-q", "--refresh"], { folder: place.root, env: { GIT_INDEX_FILE: next } });
    await rename(next, index);
  } finally {
    await releaseIndexLock(place);
  }
}

/** The path of git's lock of the index. */
export function indexLock(place: Place): string {
  return join(place.gitDir, "index.lock");
}

/** Lets go of the lock where it is ours, also where a dead process of ours took it. */
export async function releaseIndexLock(place: Place): Promise<void> {
  const claim = claimOf(place);
  const [lock, ours] = await Promise.all([identity(indexLock(place)), identity(claim)]);
  if (lock !== undefined && lock === ours) await rm(indexLock(place), { force: true });
  await rm(claim, { force: true });
}

async function takeIndexLock(place: Place): Promise<void> {
  await releaseIndexLock(place);
  await mkdir(ownFolder(place), { recursive: true });
  await (await open(claimOf(place), "w")).close();
  const start = performance.now();
  for (;;) {
    try {
      return await link(claimOf(place), indexLock(place));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    if (performance.now() - start > LONGEST_WAIT) throw new LoopwrightError("INDEX_LOCKED", lockWords(place));
    await pause(20);
  }
}

/** What to do about a lock that stays. */
export function lockWords(place: Place): string {
  const lock = indexLock(place);
  return `another git is at work in ${place.root}, or one died there: ${lock} exists. Let it finish; if there is none, type: rm "${lock}"`;
}

function claimOf(place: Place): string {
  return join(ownFolder(place), "index-claim");
}

async function identity(path: string): Promise<string | undefined> {
  return stat(path).then(
    ({ dev, ino }) => `${dev}:${ino}`,
    () => undefined,
  );
}
