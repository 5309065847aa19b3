// Locks of the branch that a git of ours left when the machine took it down with us. They are told from others' by what
// stands in them: the commit that was under way, or nothing yet.

import { readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { askGit, type Place } from "../place.ts";

/** Milliseconds; a living git holds these locks for a few of them. */
const STALE = 1_000;

/** Removes locks of HEAD and its branch that belong to a move to this commit which nobody finishes. */
export async function releaseRefLocks(place: Place, commit: string): Promise<void> {
  const branch = await askGit(place, ["symbolic-ref", "--quiet", "HEAD"]);
  const locks = [join(place.gitDir, "HEAD.lock"), ...(branch ? [join(place.commonDir, `${branch}.lock`)] : [])];
  for (const lock of locks) {
    const [text, found] = await Promise.all([
      readFile(lock, "utf8").catch(() => undefined),
      stat(lock).catch(() => undefined),
    ]);
    if (text === undefined || !found || Date.now() - found.mtimeMs < STALE) continue;
    if (text === "" || text.trim() === commit) await rm(lock, { force: true });
  }
}
